package prove

// Objects reports whether somebody has to look at the finding: a test is
// missing, or nothing can be said.
func (f *Finding) Objects() bool { return f.Verdict == NotProven || f.Verdict == Inconclusive }

// Compare marks the objections of r that an earlier report had already, to the
// same hunk and for the same reason, and counts them. Hunks are known by their
// ID, which is path and text, so that moved lines stay the same hunk and edited
// ones are new. Calling it again replaces the marks.
func (r *Report) Compare(earlier *Report) {
	c := &Compared{With: earlier.Head}
	before, still := earlier.objections(), map[string]bool{}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Known = f.Objects() && before[f.ID] == f.Reason
		switch {
		case f.Known:
			c.Known++
		case f.Objects():
			c.New++
		}
		still[f.ID] = f.Objects()
	}
	for id := range before {
		if !still[id] {
			c.Gone++
		}
	}
	r.Compared = c
}

// objections are the reasons of the objected hunks by their IDs.
func (r *Report) objections() map[string]Reason {
	all := map[string]Reason{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Objects() {
			all[f.ID] = f.Reason
		}
	}
	return all
}

// Fresh counts the findings that are not known from an earlier report.
func (r *Report) Fresh() Counts {
	var c Counts
	for _, f := range r.Findings {
		if !f.Known {
			c.Add(f)
		}
	}
	return c
}

package prove

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
)

// A gatedHunk is one hunk of test code before the gate.
type gatedHunk struct {
	hunk     *change.Hunk
	subjects []*subject
	// tests are those that the hunk can have a say in, by their IDs on either
	// side.
	tests map[harness.TestID]bool
	gone  []GoneTest
}

// affects reports whether a test, or one that it is a part of, is the hunk's.
func (h *gatedHunk) affects(id harness.TestID) bool { return within(id, h.tests) }

// gatedHunks are the hunks of test and support code that a lane's gate judges.
// A hunk without behaviour is settled by what its text says.
func (p *proof) gatedHunks(l *lane) []*gatedHunk {
	var all []*gatedHunk
	for _, f := range p.change.Files {
		if f.Language != l.Name || f.Form != change.Text || f.Kind != change.Test && f.Kind != change.Support {
			continue
		}
		for _, h := range f.Hunks {
			g := &gatedHunk{hunk: h, tests: map[harness.TestID]bool{}}
			for _, s := range p.subjectsOf(h) {
				if s.note.Nothing == "" && s.note.Ignored == "" {
					g.subjects = append(g.subjects, s)
				} else if f.Kind == change.Test {
					s.settleNothing()
				}
			}
			if len(g.subjects) > 0 {
				all = append(all, g)
			}
		}
	}
	return all
}

// settleNothing decides on test code that has no behaviour or is ignored.
func (s *subject) settleNothing() {
	if s.note.Ignored != "" {
		s.decision = settle(Ignored, "assay:ignore "+s.note.Ignored)
		return
	}
	s.decision = settle(Reason(s.note.Nothing), words[Reason(s.note.Nothing)])
}

// affect finds the tests that a hunk can have a say in: the tests it stands in
// on either side; of anything else those that use it; and when nobody is seen
// to, those of its file. Where the text cannot tell (fixtures, helpers in files
// of their own) those that execute its lines.
func (g *gate) affect(h *gatedHunk) {
	sides := []struct {
		p *proof
		l *lane
	}{{g.p, g.now}, {g.past, g.then}}
	for _, find := range []func(*proof, *lane, *subject) []harness.TestID{named, g.users, nearby} {
		for _, side := range sides {
			for _, s := range side.p.subjects {
				if s.hunk.ID != h.hunk.ID || s.note.Nothing != "" {
					continue
				}
				if s.absent() {
					h.addServed(side.l, s)
					continue
				}
				for _, id := range find(side.p, side.l, s) {
					h.tests[id] = true
				}
			}
		}
		if len(h.tests) > 0 {
			break
		}
	}
	h.gone = g.gone(h)
}

// addServed adds the tests of the side that lacks a file which serves tests, or
// configures them: any of these may have come by it, or may come by it now.
func (h *gatedHunk) addServed(l *lane, s *subject) {
	if s.file().Kind != change.Support {
		return
	}
	for _, id := range l.session.Widest(s.file().Path).Tests {
		h.tests[id] = true
	}
}

// absent reports whether the subject's file is not there on its side.
func (s *subject) absent() bool { return s.file().Status == change.Deleted }

// named are the tests whose declarations a subject touches.
func named(_ *proof, l *lane, s *subject) []harness.TestID {
	namer, ok := l.session.(harness.Namer)
	if !ok || s.file().Kind != change.Test {
		return nil
	}
	return namedBy(namer, s, append([]string{s.note.Declaration}, s.note.Defines...))
}

// users are the tests that use what a subject declares: those of its file by
// name, and all of another test file of the same directory that mentions it.
func (g *gate) users(_ *proof, l *lane, s *subject) []harness.TestID {
	namer, ok := l.session.(harness.Namer)
	if !ok || s.file().Kind != change.Test {
		return nil
	}
	ids := namedBy(namer, s, s.note.Users)
	filer, ok := l.session.(harness.Filer)
	if !ok {
		return ids
	}
	names := s.note.Defines
	if s.note.Declaration != "" {
		names = append([]string{s.note.Declaration}, names...)
	}
	for _, f := range g.p.cfg.Files {
		if f.Path == s.file().Path || f.Language != l.Name || f.Kind != change.Test || path.Dir(f.Path) != path.Dir(s.file().Path) {
			continue
		}
		words := wordsOf(f.New)
		if slices.ContainsFunc(names, func(n string) bool { return words[lastPart(n)] }) {
			ids = append(ids, filer.InFile(f.Path)...)
		}
	}
	return ids
}

// nearby are the tests that execute a subject's lines, or those of its file.
func nearby(_ *proof, l *lane, s *subject) []harness.TestID {
	if s.file().Kind != change.Test {
		return l.session.Cover(s.file().Path, s.lines()).Tests
	}
	if filer, ok := l.session.(harness.Filer); ok {
		return filer.InFile(s.file().Path)
	}
	return nil
}

// onlyAdded reports whether none of the hunk's tests is there at base: such
// tests are judged by the claim.
func (g *gate) onlyAdded(h *gatedHunk) bool {
	there := func(id harness.TestID) bool { return h.affects(id) }
	b := g.then.base
	old := slices.ContainsFunc(b.Green, there) || slices.ContainsFunc(b.Flaky, there) || slices.ContainsFunc(b.Skipped, there) ||
		slices.ContainsFunc(b.Red, func(r harness.Result) bool { return there(r.ID) })
	if !old && (h.hunk.File.Kind == change.Test || g.p.cfg.TestsOnly) {
		for _, s := range h.subjects {
			s.settled, s.decision = true, onlyAdds()
		}
	}
	return !old
}

// onlyNew settles a hunk of a file that base does not have: it only adds tests.
func (h *gatedHunk) onlyNew() bool {
	if h.hunk.File.Status != change.Added || h.hunk.File.Kind != change.Test {
		return false
	}
	for _, s := range h.subjects {
		s.settled, s.decision = true, onlyAdds()
	}
	return true
}

// plainlyNew settles a hunk whose text alone says that it only adds tests: every
// unit is a whole test of a name that the base side of the file does not hold:
// a second one of the same name would hide the first. Nothing has to run at
// base then.
func (h *gatedHunk) plainlyNew() bool {
	if !h.addsTests() {
		return false
	}
	for _, s := range h.subjects {
		s.settled, s.decision = true, onlyAdds()
	}
	return true
}

// addsTests is what plainlyNew reports, with nothing settled.
func (h *gatedHunk) addsTests() bool {
	for _, s := range h.subjects {
		if h.hunk.File.Kind != change.Test || s.unit.Old.Lines > 0 || !isTestName(s.note.Declaration) || !slices.Contains(s.note.Defines, s.note.Declaration) ||
			bytes.Contains(h.hunk.File.Old, []byte(lastPart(s.note.Declaration))) {
			return false
		}
	}
	return true
}

// isTestName reports whether a declaration is called as tests of Go and pytest
// are, and not as what changes other tests by being there.
func isTestName(declaration string) bool {
	name := lastPart(declaration)
	return name != "TestMain" && (strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "test"))
}

func onlyAdds() Decision {
	return settle(TestHunk, "only adds tests: the claim says what they do without the change")
}

// gone lists the hunk's tests that are green at base and do not serve at head.
func (g *gate) gone(h *gatedHunk) []GoneTest {
	var gone []GoneTest
	for _, id := range g.then.base.Green {
		if h.affects(id) && !g.now.green[id] {
			gone = append(gone, GoneTest{ID: id, Why: g.fateAtHead(id)})
		}
	}
	return gone
}

// fateAtHead says in words what became of a test of base.
func (g *gate) fateAtHead(id harness.TestID) string {
	b := g.now.base
	switch {
	case slices.Contains(b.Skipped, id):
		return "skipped"
	case slices.Contains(b.Flaky, id):
		return "flaky"
	case slices.ContainsFunc(b.Red, func(r harness.Result) bool { return r.ID == id || within(id, map[harness.TestID]bool{r.ID: true}) }):
		return "red at head"
	case slices.ContainsFunc(b.Skipped, func(s harness.TestID) bool { return within(id, map[harness.TestID]bool{s: true}) }):
		return "skipped"
	case g.caseOf(id):
		return "the case is gone"
	}
	return "no longer collected: removed, or renamed"
}

// caseOf reports whether head still has the test that id is a case of.
func (g *gate) caseOf(id harness.TestID) bool {
	top := string(id)
	if i := strings.IndexByte(top, '['); i > 0 {
		top = top[:i]
		return slices.ContainsFunc(g.now.base.Green, func(other harness.TestID) bool {
			return strings.HasPrefix(string(other), top+"[") || string(other) == top
		})
	}
	i := strings.LastIndexByte(top, '/')
	return i > strings.LastIndexByte(top, '.') && g.now.green[harness.TestID(top[:i])]
}

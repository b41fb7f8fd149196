package prove

import (
	"cmp"
	"slices"
	"strings"

	"assay/change"
)

// couple gives every subject its component: the subjects it is coupled with,
// directly or through others. Two subjects are coupled when they lie in one
// declaration of one file, or when one uses a symbol that the other adds,
// removes or re-types (VERDICTS.md, PROVEN 5). Coupling is by name, which
// over-approximates: too large a component costs an INCONCLUSIVE, too small a
// one a false PROVEN.
func couple(subjects []*subject) {
	set := newSets(len(subjects))
	declared := map[string]int{}
	defined := map[string][]int{}
	for i, s := range subjects {
		if d := s.note.Declaration; d != "" {
			key := s.file().Path + "\x00" + d
			if first, ok := declared[key]; ok {
				set.join(first, i)
			} else {
				declared[key] = i
			}
		}
		for _, name := range s.note.Defines {
			defined[name] = append(defined[name], i)
		}
	}
	for i, s := range subjects {
		for _, name := range s.note.Uses {
			for _, other := range defined[name] {
				if subjects[other].file().Language == s.file().Language {
					set.join(other, i)
				}
			}
		}
	}
	members := map[int][]*subject{}
	for i, s := range subjects {
		members[set.root(i)] = append(members[set.root(i)], s)
	}
	for i, s := range subjects {
		for _, m := range members[set.root(i)] {
			if m != s {
				s.coupled = append(s.coupled, m)
			}
		}
	}
}

// coupleExpectations gives test data the whole change for a component. A golden
// file says what tests expect: alone un-done it is missed by the very test that
// compares with it, which says nothing, unless it is missed as well when all
// that it describes is un-done with it.
func coupleExpectations(subjects, revertible []*subject) {
	for _, s := range subjects {
		if s.expectation() {
			s.coupled = slices.Clone(revertible)
		}
	}
}

// lastPart is a name without what scopes it.
func lastPart(name string) string { return name[strings.LastIndexAny(name, "./#")+1:] }

// sets is a union-find over 0..n-1.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) root(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(a, b int) { s[s.root(a)] = s.root(b) }

// componentKey identifies a component whatever member asks.
func componentKey(s *subject) string {
	names := []string{unitKey(s)}
	for _, m := range s.coupled {
		names = append(names, unitKey(m))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func unitKey(s *subject) string {
	return s.hunk.ID + ":" + s.unit.New.String() + ":" + s.unit.Old.String()
}

// together un-does several subjects at once. A file of which every hunk is
// among them goes back to base as a whole, name included.
func together(subjects []*subject) []change.Edit {
	byFile := map[*change.File][]*subject{}
	var files []*change.File
	for _, s := range subjects {
		if byFile[s.file()] == nil {
			files = append(files, s.file())
		}
		byFile[s.file()] = append(byFile[s.file()], s)
	}
	slices.SortFunc(files, func(a, b *change.File) int { return cmp.Compare(a.Path, b.Path) })
	var edits []change.Edit
	for _, f := range files {
		edits = append(edits, undoInFile(f, byFile[f])...)
	}
	return edits
}

func undoInFile(f *change.File, subjects []*subject) []change.Edit {
	units := 0
	for _, h := range f.Hunks {
		units += len(h.Units)
	}
	if len(subjects) == units {
		return f.ToBase()
	}
	var edits []change.Edit
	for _, s := range subjects {
		if !s.hunk.Whole {
			edits = append(edits, s.alone())
		}
	}
	return edits
}

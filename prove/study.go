package prove

import (
	"context"
	"fmt"
	"slices"

	"assay/change"
	"assay/mutate"
)

// study reads the source of the change and settles what needs no run.
func (p *proof) study(ctx context.Context) error {
	notes := map[*change.Unit]*mutate.Note{}
	for _, l := range p.langs {
		var files []*change.File
		for _, f := range p.change.Files {
			if f.Language == l.Name && f.Form == change.Text {
				files = append(files, f)
			}
		}
		if l.Source == nil || len(files) == 0 {
			continue
		}
		studied, err := l.Source.Study(ctx, p.change, files)
		if err != nil {
			return fmt.Errorf("reading the %s files of the change: %w", l.Name, err)
		}
		for u, n := range studied {
			notes[u] = n
		}
	}
	for _, f := range p.change.Files {
		p.kinds[f.Path] = f.Kind
		for _, h := range f.Hunks {
			for _, u := range h.Units {
				n, read := notes[u]
				if !read {
					n = &mutate.Note{}
				}
				p.subjects = append(p.subjects, &subject{hunk: h, unit: u, note: n, read: read})
			}
		}
	}
	p.settleAll()
	return nil
}

func (p *proof) settleAll() {
	var coupling []*subject
	for _, s := range p.subjects {
		if s.file().Kind != change.Test {
			p.names.addOf(s)
		}
		if s.revertible() {
			coupling = append(coupling, s)
		}
		if s.note.IgnoredBare {
			p.notes = append(p.notes, s.name()+": assay:ignore without a reason ignores nothing; write assay:ignore and why")
		}
		s.settleByText()
	}
	couple(coupling)
	coupleExpectations(p.subjects, coupling)
}

// needsTests reports whether anything is left that only a run can tell. Test
// hunks ask for the baseline too: they are the claim's tests, and a change
// that only edits tests should at least be told that they are green.
func (p *proof) needsTests() bool {
	return slices.ContainsFunc(p.subjects, func(s *subject) bool {
		return !s.settled || s.decision.Reason == TestHunk
	})
}

// kindOf is the kind of a path: the change's own files as classified, other
// files by the languages.
func (p *proof) kindOf(path string) change.Kind {
	if k, ok := p.kinds[path]; ok {
		return k
	}
	for _, l := range p.langs {
		if l.Source == nil {
			continue
		}
		if k, _, ok := l.Source.Kind(&change.File{Path: path, OldPath: path}); ok {
			return k
		}
	}
	k, _ := mutate.GenericKind(path)
	return k
}

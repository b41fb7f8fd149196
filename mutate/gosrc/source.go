// Package gosrc knows the source text of Go: it cuts hunks into units at
// declaration borders, settles those that cannot change behaviour, plants
// positive controls and names what a unit defines and uses.
//
// Everything is read from the bytes of both sides of a change with go/parser
// and go/scanner; nothing is type checked, built or printed anew. A rule that
// is not sure leaves the unit unsettled, and it is then simply run.
package gosrc

import (
	"context"
	"path"
	"strings"

	"assay/change"
	"assay/mutate"
)

// Source implements mutate.Source for Go. The zero value is ready to use.
type Source struct{}

var _ mutate.Source = Source{}

// Study reads both sides of each file and returns a Note for every unit. It
// fails only when ctx ends. Files that are not Go source (go.mod, .go files
// below testdata) get one unit a hunk.
func (Source) Study(ctx context.Context, c *change.Change, files []*change.File) (map[*change.Unit]*mutate.Note, error) {
	notes := map[*change.Unit]*mutate.Note{}
	moves := findMoves(c)
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Form != change.Text || !isSource(f.Path) {
			studyPlain(f, notes)
			continue
		}
		studySource(f, moves, notes)
	}
	return notes, nil
}

// isSource reports whether the go tool would compile the path.
func isSource(name string) bool {
	if path.Ext(name) != ".go" {
		return false
	}
	for _, d := range strings.Split(name, "/") {
		if d == "testdata" {
			return false
		}
	}
	return true
}

// studyPlain notes the hunks of a file that is not Go source text.
func studyPlain(f *change.File, notes map[*change.Unit]*mutate.Note) {
	for _, h := range f.Hunks {
		mutate.Cut(h, nil, nil, nil)
		n := &mutate.Note{Body: h.New}
		if f.Form == change.Text && !h.Whole && strings.HasPrefix(path.Base(f.Path), "go.") {
			n.Nothing = plainInertness(h.OldText(), h.NewText())
			n.Ignore(h.Units[0], plainRemarks(f.New))
		}
		notes[h.Units[0]] = n
	}
}

// plainInertness settles a go.mod or go.work hunk that differs in comments and
// white space only. The mark `// indirect` is a comment too.
func plainInertness(old, neu []byte) mutate.Inertness {
	strip := func(b []byte, comments bool) string {
		var fields []string
		for line := range strings.Lines(string(b)) {
			if i := strings.Index(line, "//"); i >= 0 && comments {
				line = line[:i]
			}
			fields = append(fields, strings.Fields(line)...)
		}
		return strings.Join(fields, " ")
	}
	switch {
	case strip(old, false) == strip(neu, false):
		return mutate.Formatting
	case strip(old, true) == strip(neu, true):
		return mutate.Comment
	}
	return ""
}

func plainRemarks(content []byte) []mutate.Remark {
	var out []mutate.Remark
	n := 0
	for line := range strings.Lines(string(content)) {
		n++
		if _, text, ok := strings.Cut(line, "//"); ok {
			out = append(out, mutate.Remark{Line: n, Text: text})
		}
	}
	return out
}

func studySource(f *change.File, moves *moves, notes map[*change.Unit]*mutate.Note) {
	old, neu := parse(f.Old), parse(f.New)
	stands := func(u *change.Unit) bool {
		return isPackageClause(u, neu) || parse(undone(u)).err == nil
	}
	for _, h := range f.Hunks {
		mutate.Cut(h, old.sections(), neu.sections(), stands)
		cutClauses(h, old, neu)
		for _, u := range h.Units {
			notes[u] = noteOf(u, old, neu, moves)
		}
	}
}

func noteOf(u *change.Unit, old, neu *text, moves *moves) *mutate.Note {
	n := &mutate.Note{Body: u.New}
	if u.Hunk.Whole {
		n.Nothing = moves.renamed(u.Hunk.File)
		return n
	}
	n.Ignore(u, neu.remarks())
	n.Declaration = declarationOf(u, old, neu)
	n.Defines, n.Uses = names(u, old, neu)
	n.UsedBy(u, neu.sections())
	if u.Hunk.File.Status == change.Deleted {
		n.Body, n.ImportTime, n.Control = change.Span{}, true, plantRestored(u.Hunk.File, old)
		return n
	}
	if neu.err != nil {
		n.Broken = "the file does not parse at head: " + neu.err.Error()
		return n
	}
	n.Nothing, n.Broken = judge(u, neu, moves)
	at := place(u, neu)
	n.Control, n.Body, n.ImportTime = at.control, at.body, at.importTime
	return n
}

// judge says whether the unit has anything to prove and whether it can be
// un-done alone.
func judge(u *change.Unit, neu *text, moves *moves) (mutate.Inertness, string) {
	if u.Undo().Op == change.Remove {
		return bareFile(neu), ""
	}
	if isPackageClause(u, neu) {
		return mutate.Imports, ""
	}
	without := parse(undone(u))
	if without.err != nil {
		return "", "un-doing it alone leaves half of a syntactic construct: " + without.err.Error()
	}
	if why := inertness(without, neu); why != "" {
		return why, ""
	}
	if moves.moved(u) {
		return mutate.Moved, ""
	}
	return "", ""
}

// undone is head's text with only u un-done. Splicing one unit cannot fail:
// its span was cut from this very text.
func undone(u *change.Unit) []byte {
	e := u.Undo()
	if e.Op != change.Splice {
		return e.Text
	}
	head := u.Hunk.File.New
	return append(append(append([]byte(nil), head[:e.Start]...), e.Text...), head[e.End:]...)
}

// isPackageClause reports whether the unit is the package clause of an added
// file: it cannot be taken away by itself and says nothing.
func isPackageClause(u *change.Unit, neu *text) bool {
	if u.Hunk.File.Status != change.Added || u.Old.Lines > 0 || neu.err != nil {
		return false
	}
	start, end := u.New.Bytes(neu.src)
	if !neu.holds(neu.file.Package, start, end) {
		return false
	}
	for _, t := range neu.tokens {
		alien := t.directive || t.start > neu.offset(neu.file.Name.End())
		if alien && t.start >= start && t.start < end {
			return false
		}
	}
	return true
}

// bareFile settles an added file that holds a package clause and comments.
func bareFile(t *text) mutate.Inertness {
	if len(t.file.Decls) > 0 {
		return ""
	}
	for _, tok := range t.tokens {
		if tok.directive {
			return ""
		}
	}
	return mutate.Comment
}

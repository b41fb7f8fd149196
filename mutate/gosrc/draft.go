package gosrc

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"assay/change"
)

// A draft is an un-doing in the making: edits of head to which repairs are
// added in coordinates of the edited text. Its edits never overlap or touch.
type draft struct {
	head  func(path string) []byte // nil for a path that is absent at head
	files map[string][]change.Edit // by path; splices are sorted
}

func newDraft(head func(string) []byte) *draft {
	return &draft{head: head, files: map[string][]change.Edit{}}
}

// put adds an edit in head coordinates that overlaps none of the others.
// Insertions at one place keep the order in which they are put.
func (d *draft) put(e change.Edit) {
	if e.Op != change.Splice {
		d.files[e.Path] = []change.Edit{e}
		return
	}
	all := append(d.files[e.Path], e)
	slices.SortStableFunc(all, func(a, b change.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	d.files[e.Path] = all
}

// edits returns the whole un-doing, by path.
func (d *draft) edits() []change.Edit {
	var out []change.Edit
	for _, p := range slices.Sorted(maps.Keys(d.files)) {
		out = append(out, d.files[p]...)
	}
	return out
}

// text returns the edited content of a path, nil when it is absent. Edits that
// do not apply leave it absent: Check then says why.
func (d *draft) text(path string) []byte {
	es := d.files[path]
	if len(es) == 1 && es[0].Op != change.Splice {
		return es[0].Text
	}
	out, err := change.Apply(d.head(path), es)
	if err != nil {
		return nil
	}
	return out
}

// splice replaces bytes [start,end) of the edited text of a path.
func (d *draft) splice(path string, start, end int, text string) {
	es := d.files[path]
	if len(es) == 1 && es[0].Op == change.Create {
		old := es[0].Text
		es[0].Text = bytes.Join([][]byte{old[:start], []byte(text), old[end:]}, nil)
		return
	}
	d.files[path] = compose(d.text(path), es, start, end, path, text)
}

// compose merges a splice of the edited text into the edits that made it.
func compose(edited []byte, es []change.Edit, start, end int, path, text string) []change.Edit {
	var out []change.Edit
	merged := change.Edit{Path: path}
	from, to := start, end // of the merged edit, in the edited text
	shift := 0             // edited = head + shift
	headFrom, headTo := start, end
	touched := false
	var after []change.Edit
	for _, e := range es {
		a := e.Start + shift
		b := a + len(e.Text)
		before := shift
		shift += len(e.Text) - (e.End - e.Start)
		switch {
		case b < start:
			out = append(out, e)
			headFrom, headTo = start-shift, end-shift
		case a > end:
			after = append(after, e)
		default:
			if !touched {
				touched = true
				from, headFrom = min(start, a), min(start, a)-before
			}
			to = max(end, b)
			headTo = to - shift
		}
	}
	merged.Start, merged.End = headFrom, headTo
	merged.Text = bytes.Join([][]byte{edited[from:start], []byte(text), edited[end:to]}, nil)
	return slices.Concat(out, []change.Edit{merged}, after)
}

// replaced returns the bytes of head that the edit around an offset of the
// edited text replaces; ok is false where the text is head's.
func (d *draft) replaced(path string, offset int) (from, to int, ok bool) {
	shift := 0
	for _, e := range d.files[path] {
		if e.Op != change.Splice {
			return 0, 0, true
		}
		if a := e.Start + shift; a <= offset && offset <= a+len(e.Text) {
			return e.Start, e.End, true
		}
		shift += len(e.Text) - (e.End - e.Start)
	}
	return 0, 0, false
}

package typed

import (
	"cmp"
	"slices"

	"assay/change"
)

// splices map offsets of a file between head and the edited text.
type splices []change.Edit

// newSplices sorts the edits as change.Apply does.
func newSplices(edits []change.Edit) splices {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b change.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return sorted
}

// toHead returns the head offset of an offset in the edited text, or -1 when
// the byte there is text that the edits put in. The place just after such text
// is the place just after what it replaced.
func (s splices) toHead(offset int) int {
	shift := 0 // edited = head + shift, before the splice looked at
	for _, e := range s {
		start := e.Start + shift
		if offset < start {
			break
		}
		if offset < start+len(e.Text) {
			return -1
		}
		shift += len(e.Text) - (e.End - e.Start)
	}
	return offset - shift
}

// toEdited returns where the byte at a head offset stands in the edited text;
// ok is false when the edits replace it.
func (s splices) toEdited(offset int) (at int, ok bool) {
	at = offset
	for _, e := range s {
		switch {
		case offset < e.Start:
			return at, true
		case offset < e.End:
			return 0, false
		}
		at += len(e.Text) - (e.End - e.Start)
	}
	return at, true
}

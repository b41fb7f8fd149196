package prove

import (
	"assay/change"
)

// A shift brings edits of head into the coordinates of base, by path, for files
// whose base content stands in place of head's. A path that it does not know
// has not moved.
type shift map[string]*change.File

func shiftOf(files []*change.File) shift {
	s := shift{}
	for _, f := range files {
		s[f.Path] = f
	}
	return s
}

// back returns the edits in base's coordinates; ok is false when one of them
// lies on lines that base does not have as head has them.
func (s shift) back(edits []change.Edit) (moved []change.Edit, ok bool) {
	for _, e := range edits {
		f, undone := s[e.Path]
		if !undone {
			moved = append(moved, e)
			continue
		}
		if f.Status != change.Modified && f.Status != change.Renamed {
			return nil, false
		}
		delta, same := 0, true
		for _, h := range f.Hunks {
			start, end := h.New.Bytes(f.New)
			switch {
			case end <= e.Start && (start < end || end < e.Start):
				old, oldEnd := h.Old.Bytes(f.Old)
				delta += (oldEnd - old) - (end - start)
			case start < e.End || start == end && start >= e.Start && start <= e.End:
				same = false
			}
		}
		if !same {
			return nil, false
		}
		e.Path, e.Start, e.End = f.OldPath, e.Start+delta, e.End+delta
		moved = append(moved, e)
	}
	return moved, true
}

package change

import (
	"cmp"
	"fmt"
	"slices"
)

// An Op is what an Edit does to its path.
type Op int

// The operations.
const (
	Splice Op = iota // replace bytes [Start,End) by Text
	Create           // the path is absent at head and gets Text
	Remove           // the path is removed
)

var opNames = [...]string{"splice", "create", "remove"}

func (o Op) String() string { return opNames[o] }

// MarshalText writes the operation as reports name it.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (o *Op) UnmarshalText(b []byte) error {
	for i, name := range opNames {
		if string(b) == name {
			*o = Op(i)
			return nil
		}
	}
	return fmt.Errorf("unknown operation %q on a file (want splice, create or remove)", b)
}

// An Edit replaces bytes [Start,End) of a path's head content by Text. A
// revert, a mutant, a plant and a positive control are all Edits.
type Edit struct {
	Path  string `json:"path"`
	Op    Op     `json:"op"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  []byte `json:"text"`
	Mode  uint32 `json:"mode,omitempty"` // git mode of a created file; 0 means 0o100644
}

// Apply returns content with the splices of one file applied. All offsets are
// in the coordinates of content. It fails on an offset outside content and on
// splices that overlap; two insertions at one place are kept in the given
// order.
func Apply(content []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out []byte
	at := 0
	for _, e := range sorted {
		if e.Op != Splice {
			return nil, fmt.Errorf("%s: cannot splice a file that is created or removed", e.Path)
		}
		if e.Start < at || e.End < e.Start || e.End > len(content) {
			return nil, fmt.Errorf("%s: edit of bytes [%d,%d) overlaps another or lies outside the %d bytes of the file",
				e.Path, e.Start, e.End, len(content))
		}
		out = append(out, content[at:e.Start]...)
		out = append(out, e.Text...)
		at = e.End
	}
	return append(out, content[at:]...), nil
}

// ToBase returns the edits that give the file its base content and name; none
// for a form whose content was not read (binary, submodule).
func (f *File) ToBase() []Edit {
	if f.Form != Text {
		return nil
	}
	switch f.Status {
	case Added:
		return []Edit{{Path: f.Path, Op: Remove}}
	case Deleted:
		return []Edit{{Path: f.Path, Op: Create, Text: f.Old, Mode: f.OldMode}}
	case Renamed:
		return []Edit{
			{Path: f.Path, Op: Remove},
			{Path: f.OldPath, Op: Create, Text: f.Old, Mode: f.OldMode},
		}
	}
	return []Edit{{Path: f.Path, Start: 0, End: len(f.New), Text: f.Old}}
}

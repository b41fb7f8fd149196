package typed_test

import (
	"testing"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// FuzzSplices holds the two mappings to each other and to change.Apply: a byte
// that edits keep is found again, and a byte they put in is nowhere at head.
func FuzzSplices(f *testing.F) {
	f.Add([]byte("hello, world"), uint8(1), uint8(3), "XYZ", uint8(2), uint8(0), "")
	f.Add([]byte("abc"), uint8(0), uint8(0), "new", uint8(0), uint8(3), "")
	f.Add([]byte("abc"), uint8(3), uint8(0), "end", uint8(0), uint8(0), "twice")
	f.Add([]byte(""), uint8(0), uint8(0), "x", uint8(0), uint8(0), "y")
	f.Fuzz(func(t *testing.T, head []byte, skip1, take1 uint8, text1 string, skip2, take2 uint8, text2 string) {
		first := change.Edit{Start: int(skip1), End: int(skip1) + int(take1), Text: []byte(text1)}
		second := change.Edit{Start: first.End + int(skip2), End: first.End + int(skip2) + int(take2), Text: []byte(text2)}
		edits := []change.Edit{second, first}
		edited, err := change.Apply(head, edits)
		if err != nil {
			return // outside the text
		}
		s := typed.NewSplices(edits)
		kept := 0
		for at, b := range head {
			to, ok := s.ToEdited(at)
			if !ok {
				continue
			}
			kept++
			if edited[to] != b || s.ToHead(to) != at {
				t.Fatalf("head byte %d is at %d of %q, which comes from %d", at, to, edited, s.ToHead(to))
			}
		}
		for at := range edited {
			if s.ToHead(at) >= 0 {
				kept--
			}
		}
		if kept != 0 {
			t.Fatalf("%d more bytes kept than found again in %q", kept, edited)
		}
	})
}

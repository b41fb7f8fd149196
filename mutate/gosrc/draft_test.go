package gosrc

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"assay/change"
)

// However splices of the edited text are put into a draft, its edits applied to
// head give what the splices gave one after the other.
func TestADraftIsItsSplicesOneAfterTheOther(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // only varied, not secret
	head := []byte("0123456789abcdefghij")
	for range 3000 {
		d := newDraft(func(string) []byte { return head })
		text := bytes.Clone(head)
		if at := random.IntN(len(head)); random.IntN(2) == 0 {
			e := change.Edit{Path: "f", Start: at, End: min(at+random.IntN(4), len(head)), Text: []byte("UNDO")[:random.IntN(5)]}
			d.put(e)
			text = bytes.Join([][]byte{head[:e.Start], e.Text, head[e.End:]}, nil)
		}
		for range 1 + random.IntN(5) {
			from := random.IntN(len(text) + 1)
			to := min(from+random.IntN(4), len(text))
			put := "<glue>"[:random.IntN(7)]
			d.splice("f", from, to, put)
			text = bytes.Join([][]byte{text[:from], []byte(put), text[to:]}, nil)
			if got := d.text("f"); !bytes.Equal(got, text) {
				t.Fatalf("got %q, want %q from %+v", got, text, d.edits())
			}
		}
	}
}

func TestADraftOfACreatedFileIsItsText(t *testing.T) {
	d := newDraft(func(string) []byte { return nil })
	d.put(change.Edit{Path: "f", Op: change.Create, Text: []byte("package a\n")})
	d.splice("f", 9, 9, "; import \"os\"")
	if got := string(d.edits()[0].Text); got != "package a; import \"os\"\n" || len(d.edits()) != 1 {
		t.Errorf("got %q in %d edits", got, len(d.edits()))
	}
}

// Where the edited text is head's is told from where it was put, borders
// included.
func TestADraftKnowsWhatItReplaced(t *testing.T) {
	d := newDraft(func(string) []byte { return []byte("0123456789") })
	d.put(change.Edit{Path: "f", Start: 2, End: 4, Text: []byte("ABC")})
	for offset, want := range []bool{false, false, true, true, true, true, false} {
		from, to, ok := d.replaced("f", offset)
		if ok != want || ok && (from != 2 || to != 4) {
			t.Errorf("offset %d: [%d,%d) %t", offset, from, to, ok)
		}
	}
}

// What glue adds to an un-doing can give head's text again, which un-does
// nothing; blanked imports do not tell the two apart.
func TestGlueThatGivesHeadUndoesNothing(t *testing.T) {
	head := []byte("package a\n\nimport \"fmt\"\n\nfunc F() { fmt.Print() }\n")
	s := &sides{headText: map[string][]byte{"a.go": head}}
	for _, c := range []struct {
		start, end int
		text       string
		same       bool
	}{
		{9, 9, "; import _ \"os\"", true},
		{11, 11, "// comment\n", true},
		{36, 48, "fmt.Print(1)", false},
		{9, 9, "; import \"os\"", true}, // it does not build; a check says so
	} {
		d := newDraft(s.content)
		d.put(change.Edit{Path: "a.go", Start: c.start, End: c.end, Text: []byte(c.text)})
		if got := s.sameAsHead(d); got != c.same {
			t.Errorf("%s: %t", d.text("a.go"), got)
		}
	}
}

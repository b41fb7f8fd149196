package mutatetest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"

	"assay/change"
)

// A Known is one commit of a corpus file with the ground truth of its hunks.
type Known struct {
	Lang, Repo, Commit, Parent string
	Hunks                      []Truth
}

// A Truth is what brute force says of one hunk.
type Truth struct {
	File          string
	OldStart      int    `json:"old_start"`
	OldLines      int    `json:"old_lines"`
	NewStart      int    `json:"new_start"`
	NewLines      int    `json:"new_lines"`
	Verdict       string // RED, GREEN, NO_BUILD, ...
	SameSemantics bool   `json:"same_semantics"`
	RedClass      string `json:"red_class"`
	Err           string
}

// Dir is where the repository of the commit lies below root.
func (k Known) Dir(root string) string { return filepath.Join(root, filepath.Base(k.Repo)) }

// Truth returns what is known of the hunk, if anything is.
func (k Known) Truth(h *change.Hunk) (Truth, bool) {
	for _, t := range k.Hunks {
		same := t.OldLines == h.Old.Lines && t.NewLines == h.New.Lines
		if t.File == h.File.Path && same && t.OldStart == h.Old.Start && t.NewStart == h.New.Start {
			return t, true
		}
	}
	return Truth{}, false
}

// Corpus reads a corpus file of one commit a line.
func Corpus(file string) ([]Known, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	var out []Known
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var k Known
		if err := json.Unmarshal(lines.Bytes(), &k); err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, lines.Err()
}

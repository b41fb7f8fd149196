package worktree

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"

	"assay/change"
)

// A section is what the patch of one file says beside its text.
type section struct {
	oldID, newID string // "" when the content does not differ
	binary       bool
	hunks        []spans
}

// spans are the two sides of one hunk.
type spans struct{ old, neu change.Span }

var (
	hunkHeader  = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)
	indexHeader = regexp.MustCompile(`^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: [0-7]+)?$`)
)

// parsePatch reads the output of `git diff-tree --patch` for its headers. The
// text of a hunk is passed over by the number of lines its header gives, so
// that no text can be taken for a header. Names are not read: --raw has them.
func parsePatch(out []byte) ([]section, error) {
	var sections []section
	for len(out) > 0 {
		var line []byte
		line, out = cutLine(out)
		if bytes.HasPrefix(line, []byte("diff --git ")) {
			sections = append(sections, section{})
			continue
		}
		if len(sections) == 0 {
			return nil, fmt.Errorf("git diff starts with %q", line)
		}
		s := &sections[len(sections)-1]
		switch {
		case bytes.HasPrefix(line, []byte("@@ ")):
			h, err := parseHunk(line)
			if err != nil {
				return nil, err
			}
			s.hunks = append(s.hunks, h)
			if out, err = skipLines(out, h.old.Lines+h.neu.Lines); err != nil {
				return nil, fmt.Errorf("git diff ends within the hunk %q", line)
			}
		case bytes.HasPrefix(line, []byte("Binary files ")):
			s.binary = true
		case bytes.HasPrefix(line, []byte("index ")):
			m := indexHeader.FindSubmatch(line)
			if m == nil {
				return nil, fmt.Errorf("git diff has the line %q", line)
			}
			s.oldID, s.newID = string(m[1]), string(m[2])
		}
	}
	return sections, nil
}

func parseHunk(line []byte) (spans, error) {
	m := hunkHeader.FindSubmatch(line)
	if m == nil {
		return spans{}, fmt.Errorf("git diff has the hunk header %q", line)
	}
	var n [4]int
	for i := range n {
		n[i] = 1 // a count left out
		if m[i+1] == nil {
			continue
		}
		var err error
		if n[i], err = strconv.Atoi(string(m[i+1])); err != nil {
			return spans{}, fmt.Errorf("git diff has the hunk header %q: %w", line, err)
		}
	}
	return spans{old: change.Span{Start: n[0], Lines: n[1]}, neu: change.Span{Start: n[2], Lines: n[3]}}, nil
}

// skipLines passes n lines of text and the "\ No newline" notes among them.
func skipLines(out []byte, n int) ([]byte, error) {
	for n > 0 || bytes.HasPrefix(out, []byte("\\ ")) {
		if len(out) == 0 {
			return nil, fmt.Errorf("%d lines are missing", n)
		}
		if out[0] != '\\' {
			n--
		}
		_, out = cutLine(out)
	}
	return out, nil
}

func cutLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return line, rest
}

package change

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// A Span is a run of lines as git counts them: Start is 1-based; Lines may be
// 0, and Start is then the line after which the span stands (0 for the top of
// the file), exactly as in a unified diff header with no context.
type Span struct {
	Start int `json:"start"`
	Lines int `json:"lines"`
}

// End returns the last line of the span; for an empty span it is Start.
func (s Span) End() int {
	if s.Lines == 0 {
		return s.Start
	}
	return s.Start + s.Lines - 1
}

func (s Span) String() string {
	if s.Lines == 1 {
		return fmt.Sprint(s.Start)
	}
	return fmt.Sprintf("%d,%d", s.Start, s.Lines)
}

// A Hunk is one contiguous edit as `git diff -U0 -M` shows it. A file that has
// no line hunks (binary, submodule, symlink, mode-only, pure rename, empty) is
// one Hunk with Whole set and empty spans.
type Hunk struct {
	ID       string // stable: path and content, not line numbers
	File     *File
	Old, New Span
	Whole    bool
	// Units are the pieces that get verdicts of their own; at least one. A
	// hunk that was not cut has one unit equal to itself.
	Units []*Unit
}

// OldText returns the lines of the base side, with their line ends.
func (h *Hunk) OldText() []byte { return h.Old.Of(h.File.Old) }

// NewText returns the lines of the head side, with their line ends.
func (h *Hunk) NewText() []byte { return h.New.Of(h.File.New) }

// Undo returns the edit that puts the base side of the hunk back: a byte-exact
// splice in head coordinates. Un-doing the only hunk of an added file removes
// the file; un-doing a deleted file creates it.
func (h *Hunk) Undo() Edit { return undo(h.File, h.Old, h.New) }

// Name is how people refer to the hunk: path:line.
func (h *Hunk) Name() string {
	line := h.New.Start
	if h.File.Status == Deleted {
		line = h.Old.Start
	}
	if h.Whole {
		return h.File.Path
	}
	return fmt.Sprintf("%s:%d", h.File.Path, line)
}

// A Unit is the part of a Hunk inside one declaration. Its spans lie within
// those of the hunk, and the units of a hunk tile both of its sides.
type Unit struct {
	Name     string // the declaration, such as "func trim" or "class Lexer"; "" when the hunk is whole
	Hunk     *Hunk
	Old, New Span
}

// Undo returns the edit that puts the base side of this unit alone back.
func (u *Unit) Undo() Edit { return undo(u.Hunk.File, u.Old, u.New) }

// OldText returns the base side of the unit, with line ends.
func (u *Unit) OldText() []byte { return u.Old.Of(u.Hunk.File.Old) }

// NewText returns the head side of the unit, with line ends.
func (u *Unit) NewText() []byte { return u.New.Of(u.Hunk.File.New) }

func undo(f *File, old, neu Span) Edit {
	switch {
	case f.Status == Added && neu.Start <= 1 && neu.Lines >= CountLines(f.New):
		return Edit{Path: f.Path, Op: Remove}
	case f.Status == Deleted:
		return Edit{Path: f.Path, Op: Create, Text: f.Old, Mode: f.OldMode}
	}
	start, end := neu.Bytes(f.New)
	return Edit{Path: f.Path, Start: start, End: end, Text: old.Of(f.Old)}
}

// Of returns the bytes of the span's lines within content. It is empty for a
// span that lies outside.
func (s Span) Of(content []byte) []byte {
	start, end := s.Bytes(content)
	return content[start:end:end]
}

// Bytes returns the byte offsets [start,end) of the span's lines in content.
// An empty span gives the offset after line Start twice. Offsets never exceed
// len(content).
func (s Span) Bytes(content []byte) (start, end int) {
	first := s.Start
	if s.Lines == 0 {
		first++
	}
	start = offsetOfLine(content, 0, 1, first)
	end = offsetOfLine(content, start, first, first+s.Lines)
	return start, end
}

// offsetOfLine returns the offset at which line `want` starts, given that line
// `at` starts at offset `from`.
func offsetOfLine(content []byte, from, at, want int) int {
	for at < want {
		i := bytes.IndexByte(content[from:], '\n')
		if i < 0 {
			return len(content)
		}
		from += i + 1
		at++
	}
	return from
}

// CountLines returns the number of lines of content as git counts them: a last
// line without a line end counts.
func CountLines(content []byte) int {
	n := bytes.Count(content, []byte{'\n'})
	if len(content) > 0 && content[len(content)-1] != '\n' {
		n++
	}
	return n
}

// HunkID derives the stable ID of a hunk: 12 hexadecimal digits over the path
// and both texts. nth tells equal hunks of one file apart, counting from 0 in
// file order.
func HunkID(path string, old, neu []byte, nth int) string {
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(path), old, neu} {
		_, _ = fmt.Fprintf(sum, "%d:", len(part)) // a hash never fails to write
		_, _ = sum.Write(part)
	}
	_, _ = io.WriteString(sum, fmt.Sprint(nth))
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

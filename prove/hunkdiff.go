package prove

import (
	"bytes"
	"fmt"
	"strings"

	"assay/change"
)

// around is how many unchanged lines a hunk is shown with on either side.
const around = 3

// hunkDiff shows a hunk as git diff does, with up to three lines around it,
// none of which belongs to another hunk. It is "" for what has no lines: a
// binary, a submodule, a mode change. Line ends stay as they are in the file.
func hunkDiff(h *change.Hunk) string {
	if h.Whole || h.File.Form != change.Text {
		return ""
	}
	before, after := room(h)
	first := h.New.Start - before
	if h.New.Lines == 0 {
		first++ // an empty span stands after its line
	}
	head := change.Span{Start: first, Lines: before}.Of(h.File.New)
	next := first + before + h.New.Lines
	tail := change.Span{Start: next, Lines: after}.Of(h.File.New)
	var out strings.Builder
	fmt.Fprintf(&out, "@@ -%s +%s @@\n", reach(h.Old, before, after), reach(h.New, before, after))
	prefixed(&out, " ", head)
	prefixed(&out, "-", h.OldText())
	prefixed(&out, "+", h.NewText())
	prefixed(&out, " ", tail)
	return out.String()
}

// room is how many unchanged lines stand before and after the hunk, at most
// around of them, up to the file's ends and its neighbours.
func room(h *change.Hunk) (before, after int) {
	begin, end := lines(h.New)
	before, after = min(around, begin-1), min(around, change.CountLines(h.File.New)-end+1)
	for _, other := range h.File.Hunks {
		first, next := lines(other.New)
		switch {
		case other == h:
		case next <= begin:
			before = min(before, begin-next)
		case first >= end:
			after = min(after, first-end)
		}
	}
	return max(0, before), max(0, after)
}

// lines is a span as its first line and the line after its last; both are the
// same for an empty one.
func lines(s change.Span) (first, next int) {
	if s.Lines == 0 {
		return s.Start + 1, s.Start + 1
	}
	return s.Start, s.Start + s.Lines
}

// reach is one side of a hunk's header once it has lines around it.
func reach(s change.Span, before, after int) string {
	first, _ := lines(s)
	n := s.Lines + before + after
	if n == 0 {
		first--
	}
	return fmt.Sprintf("%d,%d", max(0, first-before), n)
}

// prefixed writes each line of text with a mark before it.
func prefixed(out *strings.Builder, mark string, text []byte) {
	for len(text) > 0 {
		line, rest, found := bytes.Cut(text, []byte{'\n'})
		out.WriteString(mark)
		out.Write(line)
		out.WriteByte('\n')
		if !found {
			out.WriteString("\\ No newline at end of file\n")
		}
		text = rest
	}
}

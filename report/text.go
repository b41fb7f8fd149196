package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// plain makes text from outside safe to print on one line: escape sequences
// and control characters go, runs of white space become one space.
func plain(s string) string {
	var out strings.Builder
	for _, field := range strings.Fields(stripEscapes(s)) {
		word := strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
				return -1
			}
			return r
		}, field)
		if word == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	return out.String()
}

// stripEscapes removes ANSI control sequences ("ESC [ … letter"), and the
// escape character wherever else it stands.
func stripEscapes(s string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		s = after
		if strings.HasPrefix(s, "[") {
			end := strings.IndexFunc(s[1:], func(r rune) bool { return r >= 0x40 && r <= 0x7e })
			if end >= 0 {
				s = s[end+2:]
			}
		}
	}
}

// firstLine returns the first line of s that has anything to read, plain.
func firstLine(s string) string {
	if lines := readable(s); len(lines) > 0 {
		return lines[0]
	}
	return ""
}

// readable are the lines of s that have anything to read, plain.
func readable(s string) []string {
	var lines []string
	for line := range strings.Lines(s) {
		if p := plain(line); p != "" {
			lines = append(lines, p)
		}
	}
	return lines
}

// wrap breaks s at spaces into lines of at most width columns; a longer word
// is broken inside, where its parts meet if that fills half a line. No width is
// less than one column.
func wrap(s string, width int) []string {
	width = max(width, 1)
	var lines []string
	line := ""
	flush := func() {
		if line != "" {
			lines = append(lines, inert(line))
		}
		line = ""
	}
	for _, word := range strings.Fields(s) {
		if line != "" && displaywidth.String(line)+1+displaywidth.String(word) > width {
			flush()
		}
		if line != "" {
			line += " "
		}
		line += word
		for displaywidth.String(line) > width {
			head, tail := cutWord(line, width)
			line = head
			flush()
			line = tail
		}
	}
	flush()
	if lines == nil {
		return []string{""}
	}
	return lines
}

// inert keeps a line from being a command of a CI runner: those look at the
// start of a line, after any white space.
func inert(line string) string {
	if strings.HasPrefix(line, "::") || strings.HasPrefix(line, "##[") {
		return "·" + line[1:]
	}
	return line
}

// cut splits s after as many whole characters as fit in width columns, at
// least one.
func cut(s string, width int) (head, tail string) {
	at, used := 0, 0
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		used += g.Width()
		if used > width && at > 0 {
			break
		}
		at += len(g.Value())
	}
	return s[:at], s[at:]
}

// cutWord is cut that prefers a place where parts of a name meet: behind a sign,
// or else before a capital.
func cutWord(s string, width int) (head, tail string) {
	head, tail = cut(s, width)
	sign := func(last, next rune) bool { return strings.ContainsRune("_./:-,=])", last) && next != last }
	capital := func(last, next rune) bool { return unicode.IsUpper(next) && !unicode.IsUpper(last) }
	for _, seam := range []func(last, next rune) bool{sign, capital} {
		next, _ := utf8.DecodeRuneInString(tail)
		for at := len(head); at > len(head)/2; {
			last, size := utf8.DecodeLastRuneInString(head[:at])
			if seam(last, next) {
				return s[:at], s[at:]
			}
			next, at = last, at-size
		}
	}
	return head, tail
}

// wrapPath breaks a path behind its slashes into lines of at most width
// columns; a longer part is broken inside. Nothing is left out, so that the
// lines put together are what an editor or git can be given.
func wrapPath(s string, width int) []string {
	width = max(width, 1)
	var lines []string
	line := ""
	for part := range strings.SplitAfterSeq(s, "/") {
		if line != "" && displaywidth.String(line)+displaywidth.String(part) > width {
			lines, line = append(lines, line), ""
		}
		line += part
		for displaywidth.String(line) > width {
			head, tail := cut(line, width)
			lines, line = append(lines, head), tail
		}
	}
	lines = append(lines, line)
	for i := range lines {
		lines[i] = inert(lines[i])
	}
	return lines
}

// block makes text of several lines safe to show: escape sequences go, line
// ends become \n, and characters that would turn the direction of what follows,
// or do nothing visible at all, are spelled out.
func block(s string) string {
	s = strings.ReplaceAll(stripEscapes(s), "\r\n", "\n")
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			out.WriteRune(r)
		case unicode.Is(unicode.Bidi_Control, r):
			fmt.Fprintf(&out, "<U+%04X>", r)
		case unicode.IsControl(r):
			fmt.Fprintf(&out, "<%02X>", r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

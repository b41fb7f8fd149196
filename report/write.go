package report

import (
	"io"
	"strings"
)

// line writes one line. Renderers write to a buffer, which cannot fail; the
// way out of that buffer is checked.
func line(w io.Writer, text string) { _, _ = io.WriteString(w, text+"\n") }

// paragraph writes text wrapped to the style's width. Leading white space of
// text is kept; later lines start with indent.
func paragraph(w io.Writer, text, indent string, s Style) {
	body := strings.TrimLeft(text, " \n")
	lead := text[:len(text)-len(body)]
	for i, l := range wrap(body, s.Width-max(len(lead), len(indent))) {
		if i > 0 {
			lead = indent
		}
		line(w, lead+l)
	}
}

// sgr colours text with an SGR code.
func sgr(text, code string, on bool) string {
	if !on {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

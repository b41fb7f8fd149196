package command

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// escape matches the terminal's colour and cursor codes.
var escape = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]`)

// plain takes the terminal's escape codes out of a text.
func plain(text string) string { return escape.ReplaceAllString(text, "") }

// firstLines cuts a text to messageSize bytes, whole characters.
func firstLines(text string) string {
	if len(text) <= messageSize {
		return text
	}
	cut := messageSize
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}

// verdictLine matches the lines by which runners name a failure.
var verdictLine = regexp.MustCompile(`(?i)\b(?:not ok|fail(?:ed|ure|s)?|error|assert\w*|expected|mismatch|panic|exception)\b|[✖✗✘×]`)

// telling picks what a person wants to read first of a failed command: from the
// first line that names a failure and was not printed at head, else the end.
func telling(text string, known map[string]bool) string {
	rest := text
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); verdictLine.MatchString(trimmed) && !known[trimmed] {
			return firstLines(strings.TrimSpace(rest))
		}
		rest = rest[len(line):]
	}
	return lastLines(text)
}

// lastLines keeps the last messageSize bytes, from the start of a line where
// one starts: runners sum up at the end.
func lastLines(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= messageSize {
		return text
	}
	text = text[len(text)-messageSize:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		return strings.TrimSpace(rest)
	}
	return strings.ToValidUTF8(text, "")
}

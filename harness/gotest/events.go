package gotest

import (
	"bytes"
	"strconv"
	"strings"
)

// frameMark begins every framing line of a test binary run with
// -test.v=test2json. What a test prints itself has none, so that a printed
// "--- FAIL" is output and not a result. See testing.chattyPrinter and
// cmd/internal/test2json of Go 1.20 and later.
const frameMark = 0x16

// maxLine bounds one line of output in memory; a longer one is cut in pieces.
const maxLine = 64 << 10

// A scanner cuts the merged output of a test binary into framing lines and
// output, and tells both to a transcript. It is an io.Writer that never fails.
type scanner struct {
	t    *transcript
	line []byte // not yet ended
}

func (s *scanner) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i := bytes.IndexAny(p, "\n\x16")
		switch {
		case i < 0:
			s.line = append(s.line, p...)
			p = nil
		case p[i] == '\n':
			s.line = append(s.line, p[:i+1]...)
			p = p[i+1:]
			s.flush()
		case i == 0 && len(s.line) == 0:
			s.line = append(s.line, frameMark)
			p = p[1:]
		default: // a frame begins after output that has no line end
			s.line = append(s.line, p[:i]...)
			p = p[i:]
			s.flush()
		}
		if len(s.line) >= maxLine {
			s.flush()
		}
	}
	return n, nil
}

// flush tells what is left at the end of the output.
func (s *scanner) flush() {
	line := s.line
	s.line = s.line[:0]
	if len(line) == 0 {
		return
	}
	if line[0] == frameMark {
		line = line[1:]
		if s.frame(strings.TrimRight(string(line), "\r\n")) {
			return
		}
	}
	s.t.output(line)
}

// frame handles a framing line and reports whether it was one.
func (s *scanner) frame(line string) bool {
	switch {
	case line == "PASS" || line == "FAIL":
		s.t.finish()
		return true
	case strings.HasPrefix(line, "=== "):
		action, name, _ := strings.Cut(line[len("=== "):], " ")
		return s.t.update(action, strings.TrimSpace(name))
	}
	status, rest, found := strings.Cut(strings.TrimLeft(line, " "), ": ")
	if !found || !strings.HasPrefix(status, "--- ") {
		return false
	}
	name, seconds := cutSeconds(rest)
	return s.t.report(status[len("--- "):], name, seconds)
}

// cutSeconds splits "TestName (0.12s)".
func cutSeconds(s string) (name string, seconds float64) {
	i := strings.LastIndex(s, " (")
	if i < 0 || !strings.HasSuffix(s, "s)") {
		return s, 0
	}
	seconds, err := strconv.ParseFloat(s[i+2:len(s)-2], 64)
	if err != nil {
		return s, 0
	}
	return s[:i], seconds
}

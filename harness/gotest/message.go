package gotest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/harness"
)

const (
	// raceNotice is how testing fails a test in which the race detector spoke.
	raceNotice = "race detected during execution of test"
	raceBegins = "WARNING: DATA RACE"
)

var (
	// logged matches the first line of what t.Log and t.Error print: indented
	// by four spaces, and by eight on the lines that follow. Output that a
	// test prints without a line end may stand before it.
	logged = regexp.MustCompile(`(?:^|.)    ([^\s:/\\]+\.go):(\d+): (.*)$`)
	// located matches a place in the text of a message: by base name as testing
	// does, or by full path as assertion libraries and the race detector do.
	located = regexp.MustCompile(`(?:^|[\s(])((?:/[^\s:()]*/)?[^\s:()/\\]+\.go):(\d+)`)
	// logCall matches the source of a line that only logs.
	logCall = regexp.MustCompile(`\.Logf?\(`)
)

// assertion classifies the output of a test that failed by itself.
func assertion(output string, p places) *harness.Red {
	text := message(output, p)
	red := &harness.Red{Kind: harness.RedAssertion, Phase: "call", Message: clip(text), Frames: named(text, p)}
	if i := strings.Index(output, raceBegins); i >= 0 && strings.Contains(output, raceNotice) {
		red.Kind, red.Type = harness.RedPanic, "data race"
		red.Message, red.Frames = clip(output[i:]), named(output[i:], p)
	}
	if red.Message == "" {
		red.Message = "failed without a message"
	}
	return red
}

// message returns what a test said by t.Error and its kin. testing prints
// t.Log alike, so the source line tells them apart. A test that said nothing
// that way (an example) is quoted whole.
func message(output string, p places) string {
	var said strings.Builder
	keep := false
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		m := logged.FindStringSubmatch(line)
		rest, continued := strings.CutPrefix(line, "        ")
		switch {
		case m != nil:
			keep = !logs(m[1], m[2], p)
			rest = m[1] + ":" + m[2] + ": " + m[3]
		case !continued:
			keep = false
		}
		if keep {
			said.WriteString(rest + "\n")
		}
	}
	if said.Len() == 0 {
		return output
	}
	return said.String()
}

// logs reports whether the source at a place only logs.
func logs(file, number string, p places) bool {
	n, err := strconv.Atoi(number)
	if err != nil {
		return false // more digits than an int holds: no line of a file
	}
	text, ok := p.source(join(p.pkgDir, file), n)
	return ok && logCall.MatchString(text)
}

// named returns the places inside the tree that a message names, in order.
func named(text string, p places) []harness.Frame {
	var frames []harness.Frame
	for _, m := range located.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil || len(frames) == maxFrames {
			continue
		}
		path, ok := p.named(m[1], n)
		f := harness.Frame{Path: path, Line: n}
		if ok && !slices.Contains(frames, f) {
			frames = append(frames, f)
		}
	}
	return frames
}

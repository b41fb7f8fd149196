package command

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/harness"
)

// maxFrames bounds the frames kept of one failure.
const maxFrames = 64

// inTree stands for the tree's path in a text; no runner prints it.
const inTree = "\x00"

var (
	// place matches path:line, path(line), path:line N and File "path", line N.
	place = regexp.MustCompile(`(\x00?[^\s:()"'<>|\x00,]*[^\s:()"'<>|\x00,/])(?:"?, line |:line |:|\()(\d+)`)
	// caller matches the function of a JavaScript frame.
	caller = regexp.MustCompile(`^\s*at (?:async )?([\w$.<>]+) \(`)
)

// frames finds the places inside the tree that a failure's text names, in the
// text's order, which is innermost first for most runners.
func frames(t tree, text string) []harness.Frame {
	var found []harness.Frame
	for line := range strings.Lines(t.mark(text, inTree)) {
		for _, m := range place.FindAllStringSubmatch(line, -1) {
			file, ok := t.file(strings.TrimPrefix(m[1], inTree))
			number, err := strconv.Atoi(m[2])
			if !ok || err != nil || number == 0 {
				continue
			}
			frame := harness.Frame{Path: file, Line: number}
			if name := caller.FindStringSubmatch(line); name != nil {
				frame.Func = name[1]
			}
			if !slices.Contains(found, frame) {
				found = append(found, frame)
			}
			if len(found) == maxFrames {
				return found
			}
		}
	}
	return found
}

// strays finds frames in the user's original tree whose file t has as well,
// not reached through a link: the run then used the original in place of the
// tree's own.
func strays(t tree, origin string, texts []string) []string {
	original := newTree(origin)
	if origin == "" || realPath(origin) == realPath(t.dir) {
		return nil
	}
	var found []string
	for _, text := range texts {
		for _, m := range place.FindAllStringSubmatch(original.mark(text, inTree), -1) {
			printed, marked := strings.CutPrefix(m[1], inTree)
			if !marked {
				continue
			}
			file, ok := t.file(printed)
			if stray := filepath.Join(origin, file); ok && t.owns(file) && !slices.Contains(found, stray) {
				found = append(found, stray)
			}
		}
	}
	return found
}

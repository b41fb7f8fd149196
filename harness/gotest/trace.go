package gotest

import (
	"regexp"
	"strconv"
	"strings"

	"assay/harness"
)

// maxFrames bounds the frames of one red.
const maxFrames = 50

// A goroutine is one block of a Go traceback.
type goroutine struct {
	running bool
	calls   []call // innermost first, the runtime's own included
	// ancestors are the calls in which it and its creators were started: the
	// innermost one only, unless GODEBUG=tracebackancestors is set.
	ancestors []call
}

// A call is one entry of a traceback.
type call struct {
	fn   string // such as "ex/a.(*T).Method"
	file string
	line int
}

// place matches the second line of a traceback entry.
var place = regexp.MustCompile(`^\t(.+\.(?:go|s|c|cc|h)):(\d+)(?: \+0x[0-9a-f]+.*)?$`)

// traceback reads the goroutines of dying words.
func traceback(words string) []goroutine {
	var all []goroutine
	fn, ancestral := "", false
	for line := range strings.Lines(words) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "goroutine ") && strings.HasSuffix(line, "]:") {
			all = append(all, goroutine{running: strings.Contains(line, "[running")})
			ancestral = false
			continue
		}
		if len(all) == 0 {
			continue
		}
		if strings.HasPrefix(line, "[originating from goroutine ") {
			ancestral = true
			continue
		}
		m := place.FindStringSubmatch(line)
		if m == nil {
			creator, created := strings.CutPrefix(line, "created by ")
			ancestral = ancestral || created
			fn = function(line)
			if created {
				fn, _, _ = strings.Cut(creator, " in goroutine ")
			}
			continue
		}
		if n, err := strconv.Atoi(m[2]); err == nil && fn != "" {
			all[len(all)-1].add(call{fn: fn, file: m[1], line: n}, ancestral)
		}
		fn = ""
	}
	return all
}

func (g *goroutine) add(c call, ancestral bool) {
	if ancestral {
		g.ancestors = append(g.ancestors, c)
	} else {
		g.calls = append(g.calls, c)
	}
}

// function returns the function of the first line of an entry: it is followed
// by its arguments.
func function(line string) string {
	if i := strings.LastIndexByte(line, '('); i > 0 {
		return line[:i]
	}
	return ""
}

// framesIn returns the calls that lie inside the tree.
func framesIn(calls []call, p places) []harness.Frame {
	var frames []harness.Frame
	for _, c := range calls {
		if path, ok := p.relative(c.file); ok && len(frames) < maxFrames {
			frames = append(frames, harness.Frame{Path: path, Line: c.line, Func: c.fn})
		}
	}
	return frames
}

// culprit returns the goroutine a crash is about: the first that runs, else
// the first that passes through the tree (a deadlock has none running).
func culprit(all []goroutine, p places) goroutine {
	for _, g := range all {
		if g.running {
			return g
		}
	}
	return through(all, p, "")
}

// through returns the first goroutine with a call inside the tree and, unless
// fn is "", with a call of function fn or of a closure in it.
func through(all []goroutine, p places, fn string) goroutine {
	for _, g := range all {
		if len(framesIn(g.calls, p)) > 0 && (fn == "" || g.passes(fn)) {
			return g
		}
	}
	return goroutine{}
}

// passes reports whether the goroutine is inside package-level function fn, a
// name without its import path, or inside a closure of it.
func (g goroutine) passes(fn string) bool { return pass(g.calls, fn) }

// serves reports whether the goroutine, or one that led to it, is inside the
// function of the test.
func (g goroutine) serves(at *test) bool {
	top, _, _ := strings.Cut(at.name, "/")
	return pass(g.calls, top) || pass(g.ancestors, top)
}

func pass(calls []call, fn string) bool {
	for _, c := range calls {
		base := c.fn[strings.LastIndexByte(c.fn, '/')+1:]
		_, name, _ := strings.Cut(base, ".")
		if name == fn || strings.HasPrefix(name, fn+".") {
			return true
		}
	}
	return false
}

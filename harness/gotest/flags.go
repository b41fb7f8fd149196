package gotest

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// flags are the user's flags, split by who reads them.
type flags struct {
	build []string // from Options; those of GOFLAGS the go command reads itself
	run   []string // of the test binary, as -test.x
	// atOnce is how many test binaries run at once at head: -p, or as many as
	// there are processors.
	atOnce int
	// overlaid is true when the user's own flags have an overlay or another
	// program in the place of a part of the go command: nothing can then be
	// laid over the tree.
	overlaid bool
}

// ofRun reports whether a flag of `go test` is meant for the test binary and
// changes what tests do.
func ofRun(name string) bool {
	switch name {
	case "short", "cpu", "parallel", "fullpath":
		return true
	}
	return false
}

// ours reports whether a flag of `go test` is one that this package sets
// itself, or that makes no sense here: what a user says of it is left out.
func ours(name string) bool {
	switch name {
	case "run", "skip", "list", "bench", "fuzz", "fuzztime", "timeout", "v", "count", "failfast", "shuffle",
		"json", "vet", "c", "o", "exec", "cover", "coverprofile", "coverpkg", "covermode":
		return true
	}
	return false
}

// splitFlags reads GOFLAGS, from which only flags of the binary are taken, and
// the flags of the configuration. A flag is written -name or -name=value; in
// GOFLAGS it may be quoted (go help environment).
func splitFlags(goflags string, config []string) flags {
	fromEnv := quotedFields(goflags)
	f := flags{atOnce: atOnce(append(fromEnv, config...))}
	for _, flag := range append(fromEnv, config...) {
		f.overlaid = f.overlaid || slices.Contains([]string{"overlay", "toolexec", "compiler"}, flagName(flag))
	}
	for _, flag := range fromEnv {
		if name := flagName(flag); ofRun(name) {
			f.run = append(f.run, "-test."+strings.TrimLeft(flag, "-"))
		}
	}
	for _, flag := range config {
		switch name := flagName(flag); {
		case ofRun(name):
			f.run = append(f.run, "-test."+strings.TrimLeft(flag, "-"))
		case !ours(name):
			f.build = append(f.build, flag)
		}
	}
	return f
}

// atOnce reads the last -p=N.
func atOnce(all []string) int {
	n := runtime.GOMAXPROCS(0)
	for _, flag := range all {
		if value, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "p="); ok {
			if p, err := strconv.Atoi(value); err == nil && p > 0 {
				n = p
			}
		}
	}
	return n
}

func flagName(flag string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	return name
}

// quotedFields splits at white space; a field that begins with a quote ends at
// the next one of its kind.
func quotedFields(s string) []string {
	var fields []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var field string
		if q := s[0]; q == '\'' || q == '"' {
			field, s, _ = strings.Cut(s[1:], string(q))
		} else if i := strings.IndexAny(s, " \t\r\n"); i >= 0 {
			field, s = s[:i], s[i:]
		} else {
			field, s = s, ""
		}
		fields = append(fields, field)
	}
	return fields
}

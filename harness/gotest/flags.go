package gotest

import (
	"slices"
	"strings"
)

// flags are the user's flags, split by who reads them.
type flags struct {
	build []string // from Options; those of GOFLAGS the go command reads itself
	run   []string // of the test binary, as -test.x
}

// runFlags are the flags of `go test` that are meant for the test binary and
// change which tests run or what they do. -run, -skip, -timeout, -v, -count
// and the flags that write profiles are ours.
var runFlags = []string{"short", "cpu", "parallel", "fullpath"}

// ownFlags are flags of `go test` that this package sets itself.
var ownFlags = []string{"run", "skip", "timeout", "v", "count", "failfast", "json", "vet", "c", "o", "list", "bench",
	"fuzz", "fuzztime", "exec", "shuffle", "cover", "coverprofile", "coverpkg", "covermode", "test.v"}

// splitFlags reads GOFLAGS, from which only flags of the binary are taken, and
// the flags of the configuration. A flag is written -name or -name=value; in
// GOFLAGS it may be quoted (go help environment).
func splitFlags(goflags string, config []string) flags {
	var f flags
	for _, flag := range quotedFields(goflags) {
		if name := flagName(flag); slices.Contains(runFlags, name) {
			f.run = append(f.run, "-test."+strings.TrimLeft(flag, "-"))
		}
	}
	for _, flag := range config {
		switch name := flagName(flag); {
		case slices.Contains(runFlags, name):
			f.run = append(f.run, "-test."+strings.TrimLeft(flag, "-"))
		case !slices.Contains(ownFlags, name):
			f.build = append(f.build, flag)
		}
	}
	return f
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

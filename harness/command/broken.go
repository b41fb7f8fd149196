package command

import (
	"fmt"
	"regexp"
	"strings"

	"assay/harness"
)

// Exit codes by which a shell says that it could not run a command at all.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// signatures are lines by which compilers, loaders, collectors, shells and
// build tools say that tests did not run. They only ever take evidence away:
// a red with such a line is not counted as a test's.
var signatures = regexp.MustCompile(strings.Join([]string{
	// shells and systems
	`command not found`, `: not found$`, `[Nn]o such file or directory`, `\bENOENT\b`, `Permission denied`,
	`is not recognized as an internal or external command`,
	// compilers and linkers
	`^\S+:\d+(?::\d+)?:? (?:fatal )?error\b`, `\berror TS\d+`, `\berror CS\d+`, `\berror MSB\d+`, `error\[E\d+\]`, `error: could not compile`,
	`(?i)compilation (?:failed|error)`, `(?i)build failed with \d+ error`, `(?i)failed to compile`, `CompileError`,
	`undefined reference to`, `undefined symbol`, `unresolved external symbol`, `ld returned \d+ exit status`, `\[(?:build|setup) failed\]`,
	`Error: Unbound `, `^e: file:`, `error: cannot find symbol`, `Could not find or load main class`,
	// parsers of interpreted languages
	`\b(?:SyntaxError|IndentationError|TabError)\b`, `(?i)\b(?:parse|syntax) error\b`, `Transform failed with`,
	// collectors
	`ERROR collecting`, `errors? during collection`, `Test suite failed to run`, `(?i)no tests? (?:files? )?found`,
	// build tools
	`No rule to make target`, `(?i)missing script`, `Could not resolve (?:all )?dependenc`,
}, "|"))

// exhausted are the lines of a machine, not a test, that failed.
var exhausted = regexp.MustCompile(`No space left on device|\bENOSPC\b|heap out of memory|Cannot allocate memory|OutOfMemoryError|Too many open files|\bEMFILE\b`)

// broken tells from a failed command's output that it was not a test which
// failed. Lines in known were printed at head as well and accuse nothing.
func broken(code int, output string, known map[string]bool) fault {
	for line := range strings.Lines(plain(output)) {
		line = strings.TrimSpace(line)
		if line == "" || known[line] {
			continue
		}
		if exhausted.MatchString(line) {
			return fault{harness.PhaseRun, firstLines(line), ""}
		}
		if _, symbol := missingSymbol(line); symbol != "" {
			return fault{harness.PhaseBuild, firstLines(line), symbol}
		}
		if signatures.MatchString(line) {
			return fault{harness.PhaseBuild, firstLines(line), ""}
		}
	}
	switch code {
	case exitNotExecutable:
		return fault{harness.PhaseBuild, fmt.Sprintf("exit code %d: a command could not be executed", code), ""}
	case exitNotFound:
		return fault{harness.PhaseBuild, fmt.Sprintf("exit code %d: a command was not found", code), ""}
	}
	return fault{}
}

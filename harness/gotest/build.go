package gotest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/harness"
)

// A built is what one build of several suites gave.
type built struct {
	binaries map[*suite]string  // path of the binary
	failed   map[*suite]failure // why there is none
}

// A failure is a build that failed.
type failure struct {
	text    string // what the compiler said, and before it what that means
	missing string // a symbol that it is about, "" for none
}

// build compiles the test binaries of suites, as the tree in dir stands now,
// into out, which is empty. extra are further build flags. What the project
// does wrong is a failure; an error means that the go command could not work.
func (s *session) build(ctx context.Context, dir, out, scratch string, suites []*suite, extra ...string) (built, error) {
	b := built{binaries: map[*suite]string{}, failed: map[*suite]failure{}}
	for _, batch := range batches(suites) {
		if err := s.buildBatch(ctx, dir, out, scratch, batch, extra, &b); err != nil {
			return b, err
		}
	}
	return b, nil
}

// batches groups suites that one go command can build: those of one module
// whose binaries have different names.
func batches(suites []*suite) [][]*suite {
	var all [][]*suite
	for _, s := range suites {
		i := slices.IndexFunc(all, func(batch []*suite) bool {
			return batch[0].module == s.module && !slices.ContainsFunc(batch, func(o *suite) bool {
				return binaryName(o.importPath) == binaryName(s.importPath)
			})
		})
		if i < 0 {
			all = append(all, []*suite{s})
			continue
		}
		all[i] = append(all[i], s)
	}
	return all
}

// lazyCollector lets the compiler spend memory for time: a quarter less CPU on
// the packages measured (spf13/pflag, Go 1.26). It is no part of what is built.
const lazyCollector = "GOGC=300"

func (s *session) buildBatch(ctx context.Context, dir, out, scratch string, batch []*suite, extra []string, b *built) error {
	sub, err := os.MkdirTemp(out, "")
	if err != nil {
		return fmt.Errorf("make room for test binaries: %w", err)
	}
	tmp, err := tempDir(scratch)
	if err != nil {
		return err
	}
	moved, err := s.relocate(dir, batch[0].module, scratch)
	if err != nil {
		return err
	}
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", sub + string(filepath.Separator)}, s.flags.build, extra, moved.flags)
	for _, at := range batch {
		args = append(args, at.importPath)
	}
	vars := append(moved.vars, "TMPDIR="+tmp, "GOTMPDIR="+tmp)
	if harness.Getenv(s.gocmd.env, "GOGC") == "" {
		vars = append(vars, lazyCollector)
	}
	_, err = s.gocmd.output(ctx, filepath.Join(dir, filepath.FromSlash(batch[0].module.rel)), vars, args...)
	failed := isGoFailure(err)
	if err != nil && failed == nil {
		return err
	}
	for _, at := range batch {
		binary := filepath.Join(sub, binaryName(at.importPath)+".test"+s.env.GOEXE)
		switch _, err := os.Stat(binary); {
		case err == nil:
			b.binaries[at] = binary
		case !errors.Is(err, fs.ErrNotExist):
			return err
		case failed == nil:
			b.failed[at] = failure{text: "the package has no test files"}
		default:
			b.failed[at] = explain(at, failed.exit.Tail)
		}
	}
	return nil
}

// tempDir makes the temporary directory of a run's processes.
func tempDir(scratch string) (string, error) {
	tmp := filepath.Join(scratch, "tmp")
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return "", fmt.Errorf("make the temporary directory of a run: %w", err)
	}
	return tmp, nil
}

// majorVersion matches the last element of an import path that is not a name.
var majorVersion = regexp.MustCompile(`^v[1-9][0-9]*$`)

// binaryName is how `go test -c` names the binary of a package, without its
// ".test": see load.DefaultExecName in cmd/go.
func binaryName(importPath string) string {
	base := path.Base(importPath)
	if parent := path.Dir(importPath); majorVersion.MatchString(base) && base != "v1" && parent != "." {
		return path.Base(parent)
	}
	return base
}

// section matches the line that begins what the compiler says of one package:
// "# ex/a" or "# ex/a [ex/a.test]".
var section = regexp.MustCompile(`(?m)^# (\S+)(?: \[(\S+)\.test\])?$`)

// explain picks from the output of a failed build what concerns a suite. When
// only test files are at fault it says that first: the production code then
// compiles, but head's tests need what is not there.
func explain(s *suite, output string) failure {
	text := concerning(s, output)
	f := failure{text: strings.TrimSpace(text), missing: missingSymbol(text)}
	if onlyTests(text) {
		need := f.missing
		if need == "" {
			need = "what is not there"
		}
		f.text = "tests need " + need + ": " + f.text
	}
	return f
}

// concerning returns the sections about a package that the suite's binary
// holds or about its own tests, or the whole output when there are none.
func concerning(s *suite, output string) string {
	at := section.FindAllStringSubmatchIndex(output, -1)
	var picked strings.Builder
	for i, m := range at {
		end := len(output)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		forTest := ""
		if m[4] >= 0 {
			forTest = output[m[4]:m[5]]
		}
		if forTest == "" || forTest == s.importPath {
			picked.WriteString(output[m[0]:end])
		}
	}
	if picked.Len() == 0 {
		return output
	}
	return picked.String()
}

// position matches the place of a compiler message.
var position = regexp.MustCompile(`(?m)^(?:vet: )?(\S+\.(?:go|s|c|h)):\d+(?::\d+)?: `)

func onlyTests(text string) bool {
	all := position.FindAllStringSubmatch(text, -1)
	for _, m := range all {
		if !strings.HasSuffix(m[1], "_test.go") {
			return false
		}
	}
	return len(all) > 0
}

// absent matches the messages of the compiler and of the go command about a
// name that is not there; one group of it holds the name.
var absent = regexp.MustCompile(`: undefined: ([\w.]+)` +
	`|: ([\w.()*\[\]]+) undefined \(` +
	`|: unknown field (\w+) in struct literal` +
	`|\(missing method (\w+)\)` +
	`|: no required module provides package ([^\s;:]+)` +
	`|: package (\S+) is not in std`)

// missingSymbol returns the first symbol that the compiler misses.
func missingSymbol(text string) string {
	m := absent.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return cmp.Or(m[1:]...)
}

// outcome is the Outcome of a run whose build failed.
func (f failure) outcome() harness.Outcome {
	return harness.Outcome{Phase: harness.PhaseBuild, Trouble: f.text, Missing: f.missing, Exit: 1, Output: f.text}
}

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/prove"
	"assay/report"
)

// The stories run this test binary as assay, in a process of its own: TestMain
// hands over to run when the binary is called by that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"assay": func() { os.Exit(run()) }})
}

// TestStories runs testdata/script/*.txtar: each a repository, what somebody
// types in it, and what they see. go, git and pytest are the real ones.
//
// Commands beside testscript's own:
//
//	commit MESSAGE          commits all that stands in the current directory
//	code N COMMAND...       runs a program that must exit with N
//	excerpt FILE            the README's excerpt of the demo is what FILE holds
//	schema FILE             FILE must be a report that keeps the published schema
//	verdict FILE HUNK WANT  the hunk (path:line) has the verdict and reason WANT
//	state FILE              writes what a repository consists of to FILE
//	runs N                  N runs of assay have trees in the cache
//	empty DIR               DIR holds nothing
//	gone NAME               no process of this name lives; with !, one does
//	trial FILE HUNK PURPOSE VAR  sets VAR to the ID of the hunk's first such trial
func TestStories(t *testing.T) { tell(t, "../../testdata/script") }

// tell runs the stories of a directory.
func tell(t *testing.T, dir string) {
	t.Helper()
	schemaFile, err := filepath.Abs("../../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	python := testPython(t)
	testscript.Run(t, testscript.Params{
		Dir:                dir,
		RequireUniqueNames: true,
		Setup:              func(env *testscript.Env) error { return setup(env, python, schemaFile) },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"commit": commitCommand, "code": codeCommand, "schema": schemaCommand,
			"verdict": verdictCommand, "state": stateCommand, "runs": runsCommand,
			"excerpt": excerptCommand, "empty": emptyCommand, "gone": goneCommand, "trial": trialCommand,
		},
	})
}

// testPython is the Python of the stories; make test sets it up.
func testPython(t *testing.T) string {
	t.Helper()
	python := os.Getenv("ASSAY_TEST_PYTHON")
	if python == "" {
		t.Fatal("ASSAY_TEST_PYTHON is not set: run `make venv` and set it to .cache/venv/bin/python, or run `make test`, which does both")
	}
	return python
}

// setup gives a story a home, a cache and a temporary directory of its own,
// and the caches of this machine's Go, without which each story would build
// the standard library anew.
func setup(env *testscript.Env, python, schemaFile string) error {
	for _, dir := range []string{"home", "cache", "tmp"} {
		if err := os.Mkdir(filepath.Join(env.WorkDir, dir), 0o755); err != nil {
			return err
		}
	}
	for key, value := range map[string]string{
		"HOME": filepath.Join(env.WorkDir, "home"), "TMPDIR": filepath.Join(env.WorkDir, "tmp"),
		"ASSAY_CACHE_DIR": filepath.Join(env.WorkDir, "cache"), "PYTHON": python, "SCHEMA": schemaFile, "README": filepath.Join(filepath.Dir(filepath.Dir(schemaFile)), "README.md"),
		"GIT_CONFIG_GLOBAL": filepath.Join(env.WorkDir, "home", ".gitconfig"), "GIT_CONFIG_NOSYSTEM": "1",
		"GOFLAGS": "", "GOTOOLCHAIN": "local", "GOPROXY": "off", "NO_COLOR": "1", "CI": "",
	} {
		env.Setenv(key, value)
	}
	for _, key := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT"} {
		value, err := goEnv(key)
		if err != nil {
			return err
		}
		env.Setenv(key, value)
	}
	return os.WriteFile(env.Getenv("GIT_CONFIG_GLOBAL"), []byte("[user]\n\tname = A\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n"), 0o644)
}

func commitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: commit MESSAGE")
	}
	if _, err := os.Stat(ts.MkAbs(".git")); errors.Is(err, os.ErrNotExist) {
		ts.Check(ts.Exec("git", "init", "-q"))
	}
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "commit", "-q", "--allow-empty", "-m", args[0]))
}

func codeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		m := exitStatus.FindStringSubmatch(err.Error())
		if m == nil {
			ts.Fatalf("%v", err)
		}
		got, err = strconv.Atoi(m[1])
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s exits with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

var exitStatus = regexp.MustCompile(`exit status (\d+)`)

func schemaCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: schema FILE")
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(ts.Getenv("SCHEMA"))
	ts.Check(err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(ts.ReadFile(args[0]))))
	ts.Check(err)
	ts.Check(s.Validate(doc))
}

// verdictCommand finds the hunk by its name in the table: path:line, or the
// path alone for a whole file.
func verdictCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: verdict FILE HUNK VERDICT [REASON]")
	}
	f := findingOf(ts, args[0], args[1])
	if f.Verdict.String() != args[2] || len(args) > 3 && string(f.Reason) != args[3] {
		ts.Fatalf("%s is %s %s (%s), want %s", args[1], f.Verdict, f.Reason, f.Detail, strings.Join(args[2:], " "))
	}
}

func trialCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: trial FILE HUNK PURPOSE VAR")
	}
	for _, t := range findingOf(ts, args[0], args[1]).Trials {
		if t.Purpose == args[2] {
			ts.Setenv(args[3], t.ID)
			return
		}
	}
	ts.Fatalf("%s has no trial of purpose %s", args[1], args[2])
}

func findingOf(ts *testscript.TestScript, file, hunk string) prove.Finding {
	r, err := loadReport(ts.MkAbs(file))
	ts.Check(err)
	for _, f := range r.Findings {
		if report.Name(&f) == hunk || f.File == hunk {
			return f
		}
	}
	ts.Fatalf("%s has no finding for %s", file, hunk)
	panic("unreachable: Fatalf does not return")
}

package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hunks is the number of hunks in a generated change; every third one is
// noticed by no test.
const hunks = 9

// A subject is a language to measure: a file of functions, one hunk each, and
// the command a person would loop over.
type subject struct {
	file     string
	function func(i int, changed bool) string
	fixed    map[string]string // the other files
	runner   string            // the program to loop over; its starts are counted when it is found on PATH
	args     []string
	assay    []string // further arguments of assay prove
}

// goSubject's test binary tells the log at log when it starts.
func goSubject(log string) subject {
	var tests strings.Builder
	fmt.Fprintf(&tests, `package calc

import (
	"os"
	"testing"
)

func init() {
	f, err := os.OpenFile(%q, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString("suite\n")
	}
	if err != nil {
		panic(err)
	}
}
`, log)
	for i := range hunks {
		fmt.Fprintf(&tests, "\nfunc TestF%d(t *testing.T) {\n\tif got := F%d(2); %s {\n\t\tt.Errorf(\"got %%d\", got)\n\t}\n}\n", i, i, expect(i, fmt.Sprintf("got != %d", 2+i+1), "got == -1"))
	}
	return subject{
		file: "calc.go",
		function: func(i int, changed bool) string {
			head := ""
			if i == 0 {
				head = "package calc\n"
			}
			return fmt.Sprintf("%s\n// F%d adds.\nfunc F%d(x int) int {\n\treturn x + %d\n}\n", head, i, i, i+one(changed))
		},
		fixed:  map[string]string{"go.mod": "module example.com/calc\n\ngo 1.24\n", "calc_test.go": tests.String()},
		runner: "go", args: []string{"test", "./..."},
	}
}

// pythonSubject's conftest tells the log at log when it is loaded.
func pythonSubject(python, log string) subject {
	tests := "import calc\n"
	for i := range hunks {
		tests += fmt.Sprintf("\n\ndef test_f%d():\n    got = calc.f%d(2)\n    assert %s\n", i, i, expect(i, fmt.Sprintf("got == %d", 2+i+1), "got != -1"))
	}
	return subject{
		file: "calc.py",
		function: func(i int, changed bool) string {
			return fmt.Sprintf("def f%d(x):\n    # adds\n    return x + %d\n\n\n", i, i+one(changed))
		},
		fixed:  map[string]string{"test_calc.py": tests, "conftest.py": fmt.Sprintf("with open(%q, 'a') as f:\n    f.write('suite\\n')\n", log)},
		runner: python, args: []string{"-m", "pytest", "-q", "-p", "no:cacheprovider"},
		assay: []string{"--python", python},
	}
}

// expect is the strict condition, or the loose one for a function whose change
// no test notices.
func expect(i int, strict, loose string) string {
	if i%3 == 2 {
		return loose
	}
	return strict
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// text is the file with the hunks for which changed is true.
func (s subject) text(changed func(i int) bool) string {
	var b strings.Builder
	for i := range hunks {
		b.WriteString(s.function(i, changed(i)))
	}
	return b.String()
}

// repository commits base and head and returns the directory.
func (s subject) repository(b *testing.B, env []string) string {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "calc")
	for name, text := range s.fixed {
		write(b, filepath.Join(dir, name), text)
	}
	commit := func(text, message string) {
		write(b, filepath.Join(dir, s.file), text)
		git(b, env, dir, "add", ".")
		git(b, env, dir, "-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-qm", message)
	}
	write(b, filepath.Join(dir, s.file), "")
	git(b, env, dir, "init", "-q", "-b", "main", ".")
	commit(s.text(func(int) bool { return false }), "base")
	commit(s.text(func(int) bool { return true }), "head")
	return dir
}

func git(b *testing.B, env []string, dir string, args ...string) {
	b.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func write(b *testing.B, path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

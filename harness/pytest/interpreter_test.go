//go:build unix

package pytest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/harness"
)

// fake writes a program that answers like an interpreter found at path.
func fake(t *testing.T, path, python, pytest string) {
	t.Helper()
	answer := fmt.Sprintf(`{"python":%q,"pytest":%q,"error":"No module named pytest","path":%q}`, python, pytest, path)
	program(t, path, "echo '"+answer+"'")
}

func program(t *testing.T, path, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestTheInterpreterIsTheOneAUserWouldExpect(t *testing.T) {
	root := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	if err := os.MkdirAll(at("repo", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(at("repo", "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + at("path") + ":/usr/bin:/bin", "VIRTUAL_ENV=" + at("active"), "UV_PROJECT_ENVIRONMENT=uv-env", "CONDA_PREFIX=" + at("conda")}
	fake(t, at("named"), "3.12.0", "9.2.0")
	// Each step adds the place that comes before all others so far.
	steps := []string{at("path", "python"), at("path", "python3"), at("conda", "bin", "python"), at("poetry-env", "bin", "python"),
		at("repo", "sub", "uv-env", "bin", "python"), at("repo", "venv", "bin", "python"), at("repo", ".venv", "bin", "python"),
		at("repo", "sub", ".venv", "bin", "python"), at("active", "bin", "python")}
	program(t, at("path", "poetry"), "echo "+at("poetry-env"))
	if err := os.WriteFile(at("repo", "sub", "pyproject.toml"), []byte("[tool.poetry]\nname = \"x\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env[0] = "PATH=" + at("path") + ":" + at("bin")
	program(t, at("bin", "sh"), "exec /bin/sh \"$@\"")
	for _, want := range steps {
		fake(t, want, "3.11.7", "8.3.5")
		if got, err := Interpreter(t.Context(), at("repo", "sub"), env, ""); err != nil || got != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
	fake(t, steps[len(steps)-1], "3.11.7", "")
	if got, err := Interpreter(t.Context(), at("repo", "sub"), env, ""); err != nil || got != steps[len(steps)-2] {
		t.Errorf("an environment without pytest is passed over: got %s, %v", got, err)
	}
	if got, err := Interpreter(t.Context(), at("repo", "sub"), env, at("named")); err != nil || got != at("named") {
		t.Errorf("the named one: got %s, %v", got, err)
	}
}

func TestAnInterpreterThatCannotServeSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "python3")
	for _, c := range []struct {
		what, want string
		make       func()
		explicit   string
	}{
		{"no Python at all", "install Python", func() {}, ""},
		{"a name that does not exist", "give --python", func() {}, "./nowhere"},
		{"no pytest", "-m pip install pytest", func() { fake(t, path, "3.11.7", "") }, ""},
		{"an old pytest", "pip install -U pytest", func() { fake(t, path, "3.11.7", "6.1.2") }, ""},
		{"an old Python", "too old", func() { fake(t, path, "3.7.9", "7.4.4") }, ""},
		{"no interpreter", "exit code 3: broken", func() { program(t, path, "echo broken >&2; exit 3") }, ""},
		{"another program", "asked", func() { program(t, path, "echo hello") }, ""},
	} {
		c.make()
		_, err := Interpreter(t.Context(), dir, []string{"PATH=" + dir}, c.explicit)
		var setup *harness.SetupError
		if !errors.As(err, &setup) || setup.Next == "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

func TestTheEnvironmentOfARunPointsIntoTheTree(t *testing.T) {
	tree := t.TempDir()
	for _, dir := range []string{"src/pkg", "lib"} {
		if err := os.MkdirAll(filepath.Join(tree, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	o := harness.Options{Origin: "/home/me/repo", Env: []string{"PYTHONPATH=/home/me/repo/lib:/opt/more", "PYTEST_ADDOPTS=-x", "PYTHONHASHSEED=7"}}
	env, needed := environ(o, tree, "/scratch/run", "/scratch/plugin")
	want := strings.Join([]string{tree + "/src", tree, tree + "/lib", "/opt/more"}, ":")
	if got := harness.Getenv(env, "PYTHONPATH"); got != want+":/scratch/plugin" {
		t.Errorf("PYTHONPATH %s, want %s and the plugin", got, want)
	}
	if got := harness.Getenv(needed, "PYTHONPATH"); got != want {
		t.Errorf("for a person: PYTHONPATH %s, want %s", got, want)
	}
	if harness.Getenv(env, "PYTEST_ADDOPTS") != "" || harness.Getenv(env, "PYTHONHASHSEED") != "7" || harness.Getenv(env, "TMPDIR") != "/scratch/run/tmp" {
		t.Errorf("environment %q", env)
	}
	if err := os.WriteFile(filepath.Join(tree, "__init__.py"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if roots := sourceRoots(tree); len(roots) != 1 || roots[0] != filepath.Join(tree, "src") {
		t.Errorf("a root that is a package itself is no source root: %q", roots)
	}
}

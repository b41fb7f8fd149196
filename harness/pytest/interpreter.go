package pytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"assay/harness"
)

// askLimit bounds one question to an interpreter or an environment manager.
const askLimit = time.Minute

// Oldest versions the plugin runs on.
const (
	oldestPython = "3.8"
	oldestPytest = "6.2"
)

// An environment is a place where an interpreter may be.
type environment struct {
	python string // path of the interpreter
	from   string // how it was found, for people
}

// Interpreter returns the absolute path of the Python that runs the tests of
// the user's tree origin: explicit when given, else the first of these that
// has a pytest: VIRTUAL_ENV, .venv or venv in origin or its parents up to the
// root of the repository, uv's and poetry's environment, CONDA_PREFIX, python3
// and python on PATH. It starts each candidate once, and poetry when the
// project uses it. A project without one is a *harness.SetupError.
func Interpreter(ctx context.Context, origin string, env []string, explicit string) (string, error) {
	candidates, err := environments(ctx, origin, env, explicit)
	if err != nil {
		return "", err
	}
	var first error
	for _, c := range candidates {
		python, err := ask(ctx, c, origin, env)
		if err == nil {
			return python, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = &harness.SetupError{
			Tried: "looked for a Python in VIRTUAL_ENV, .venv, venv, uv, poetry, conda and on PATH, and found none",
			Next:  "install Python " + oldestPython + " or later with pytest, or name one with --python"}
	}
	return "", first
}

// environments lists the candidates in the order of Interpreter.
func environments(ctx context.Context, origin string, env []string, explicit string) ([]environment, error) {
	if explicit != "" {
		path, err := resolve(origin, env, explicit)
		if err != nil {
			return nil, &harness.SetupError{Tried: "looked for the Python " + explicit, Err: err,
				Next: "give --python the path of an interpreter that has pytest"}
		}
		return []environment{{path, "--python"}}, nil
	}
	var found []environment
	add := func(prefix, from string) {
		if python := pythonIn(prefix); prefix != "" && python != "" {
			found = append(found, environment{python, from})
		}
	}
	add(harness.Getenv(env, "VIRTUAL_ENV"), "VIRTUAL_ENV")
	for _, dir := range upToRepository(origin) {
		add(filepath.Join(dir, ".venv"), ".venv")
		add(filepath.Join(dir, "venv"), "venv")
	}
	add(within(origin, harness.Getenv(env, "UV_PROJECT_ENVIRONMENT")), "UV_PROJECT_ENVIRONMENT")
	add(poetry(ctx, origin, env), "poetry")
	add(harness.Getenv(env, "CONDA_PREFIX"), "CONDA_PREFIX")
	for _, name := range []string{"python3", "python"} {
		if path, err := harness.LookPath(env, name); err == nil {
			found = append(found, environment{path, "PATH"})
		}
	}
	return found, nil
}

// resolve finds an interpreter that the user named: a path, or a name on PATH.
func resolve(origin string, env []string, name string) (string, error) {
	if !strings.ContainsRune(name, filepath.Separator) && !strings.Contains(name, "/") {
		return harness.LookPath(env, name)
	}
	path := within(origin, name)
	info, err := os.Stat(path)
	if err == nil && info.IsDir() { // the directory of an environment
		if python := pythonIn(path); python != "" {
			return python, nil
		}
		return "", fmt.Errorf("%s is a directory without a Python", path)
	}
	return path, err
}

// within makes path absolute below dir; an empty path stays empty.
func within(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// pythonIn returns the interpreter of a virtual or conda environment, or "".
func pythonIn(prefix string) string {
	names := []string{"bin/python", "bin/python3"}
	if runtime.GOOS == "windows" {
		names = []string{"Scripts/python.exe", "python.exe"}
	}
	for _, name := range names {
		path := filepath.Join(prefix, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// upToRepository returns dir and its parents up to the root of the repository;
// dir alone when it lies in none.
func upToRepository(dir string) []string {
	var dirs []string
	for at := dir; ; at = filepath.Dir(at) {
		dirs = append(dirs, at)
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return dirs
		}
		if filepath.Dir(at) == at {
			return []string{dir}
		}
	}
}

// poetry returns the prefix of the project's poetry environment, or "" when
// the project does not use poetry or poetry knows none.
func poetry(ctx context.Context, origin string, env []string) string {
	if _, err := os.Stat(filepath.Join(origin, "poetry.lock")); err != nil {
		text, err := os.ReadFile(filepath.Join(origin, "pyproject.toml"))
		if err != nil || !strings.Contains(string(text), "[tool.poetry]") {
			return ""
		}
	}
	command, err := harness.LookPath(env, "poetry")
	if err != nil {
		return ""
	}
	var out strings.Builder
	end, err := harness.Start(ctx, harness.Process{Argv: []string{command, "env", "info", "-p"}, Dir: origin,
		Env: env, Limit: askLimit, Stdout: &out})
	if err != nil || end.Code != 0 {
		return "" // no environment yet; the other places are tried
	}
	return strings.TrimSpace(out.String())
}

// question is run by each candidate. The directory of the project is taken off
// the path first, since a file of it could be named like a module used here.
const question = `import sys
sys.path[:] = [p for p in sys.path if p]
import json
try:
    import pytest
    version, error = pytest.__version__, ""
except ImportError as e:
    version, error = "", str(e)
print(json.dumps({"python": "%d.%d.%d" % sys.version_info[:3], "pytest": version, "error": error, "path": sys.executable}))
`

// ask starts a candidate in the user's tree, where version managers look for
// their settings, and returns the path of the real interpreter behind it.
func ask(ctx context.Context, c environment, origin string, env []string) (string, error) {
	var out strings.Builder
	end, err := harness.Start(ctx, harness.Process{Argv: []string{c.python, "-c", question}, Dir: origin,
		Env: harness.Setenv(env, "PYTHONDONTWRITEBYTECODE=1"), Limit: askLimit, Stdout: &out})
	name := fmt.Sprintf("%s (from %s)", c.python, c.from)
	if err == nil && end.Code != 0 {
		err = fmt.Errorf("exit code %d: %s", end.Code, lastLine(end.Tail))
	}
	if err != nil {
		return "", &harness.SetupError{Tried: "started " + name, Err: err,
			Next: "name an interpreter that works with --python"}
	}
	return answer([]byte(out.String()), name)
}

// answer reads what a candidate said of itself.
func answer(out []byte, name string) (string, error) {
	var said struct{ Python, Pytest, Error, Path string }
	if err := json.Unmarshal(out, &said); err != nil {
		return "", &harness.SetupError{Tried: "asked " + name + " for its version", Err: err,
			Next: "name an interpreter that works with --python"}
	}
	switch {
	case older(said.Python, oldestPython):
		return "", &harness.SetupError{Tried: fmt.Sprintf("%s is Python %s, which is too old", name, said.Python),
			Next: "name a Python " + oldestPython + " or later with --python"}
	case said.Pytest == "":
		return "", &harness.SetupError{Tried: name + " has no pytest", Err: errors.New(said.Error),
			Next: fmt.Sprintf("activate the environment that your tests run in, name its interpreter with --python (such as .venv/bin/python), or install pytest with `%s -m pip install pytest`", said.Path)}
	case older(said.Pytest, oldestPytest):
		return "", &harness.SetupError{Tried: fmt.Sprintf("%s has pytest %s, which is too old", name, said.Pytest),
			Next: fmt.Sprintf("upgrade it with `%s -m pip install -U pytest`", said.Path)}
	}
	return said.Path, nil
}

// older compares the first two numbers of two versions.
func older(version, oldest string) bool {
	var a, b [2]int
	_, _ = fmt.Sscanf(version, "%d.%d", &a[0], &a[1]) // an unreadable version counts as 0.0
	_, _ = fmt.Sscanf(oldest, "%d.%d", &b[0], &b[1])
	return a[0] < b[0] || a[0] == b[0] && a[1] < b[1]
}

// lastLine returns the last line of text that says something.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

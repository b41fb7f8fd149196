package pytest

import (
	"os"
	"path/filepath"
	"strings"

	"assay/harness"
)

// dropped are variables of the user's environment that would change what a run
// means: options for pytest, and what coverage and xdist hand to children.
var dropped = []string{"PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT",
	"PYTEST_XDIST_TESTRUNUID", "COVERAGE_PROCESS_START", "COV_CORE_SOURCE", "COV_CORE_CONFIG", "COV_CORE_DATAFILE"}

// environ returns the environment of a run in the tree dir, and the part of it
// that a person needs to repeat the run by hand.
func environ(o harness.Options, dir, own, plugin string) (env, needed []string) {
	roots := sourceRoots(dir)
	roots = append(roots, moved(harness.Getenv(o.Env, "PYTHONPATH"), o.Origin, dir)...)
	needed = []string{"PYTHONPATH=" + join(roots), "PYTHONDONTWRITEBYTECODE=1"}
	if harness.Getenv(o.Env, "PYTHONHASHSEED") == "" {
		needed = append(needed, "PYTHONHASHSEED=0")
	}
	env = harness.Setenv(o.Env, dropped...)
	env = harness.Setenv(env, needed...)
	return harness.Setenv(env,
		"PYTHONPATH="+join(append(roots, plugin)),
		"TMPDIR="+filepath.Join(own, "tmp")), needed
}

// sourceRoots returns the directories of the tree that hold top-level modules:
// src unless it is itself a package, then the root unless it is one. (A root
// that is a package is found by pytest through its parent.)
func sourceRoots(dir string) []string {
	var roots []string
	for _, root := range []string{filepath.Join(dir, "src"), dir} {
		info, err := os.Stat(root)
		if err != nil || !info.IsDir() {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, "__init__.py")); err != nil {
			roots = append(roots, root)
		}
	}
	return roots
}

// moved returns the entries of the user's PYTHONPATH, those inside the user's
// tree as their counterparts in the copy.
func moved(path, origin, dir string) []string {
	var out []string
	for _, entry := range filepath.SplitList(path) {
		if entry == "" {
			continue
		}
		rel, err := filepath.Rel(origin, within(origin, entry))
		if err == nil && filepath.IsLocal(rel) {
			entry = filepath.Join(dir, rel)
		}
		out = append(out, entry)
	}
	return out
}

func join(paths []string) string { return strings.Join(paths, string(os.PathListSeparator)) }

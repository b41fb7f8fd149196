// Package pytest runs the tests of Python projects with the project's own
// pytest.
//
// A Run is one fresh process with the edit on disk, or a fork of one that has
// loaded pytest and its plugins and nothing of the project (bare.go). The process
// is Python running the plugin of this package (plugin/, written into the
// session's scratch directory), which starts pytest as `python -m pytest` would,
// chooses the tests by node id, and writes a JSON line for everything that
// happens. Results are read from those lines only, never from the exit
// code or the printed text.
//
// A Try is a fork of a warm process (a zygote, one a tree) that has imported and
// collected once, with the new code put into the functions that the edit
// changes. It stands only where it is what a fresh process would be:
//   - nothing but bodies of functions differs, and how they are called does not;
//   - none of them ran while modules were imported and tests collected;
//   - every one of them was found alive, with the very code of head's text;
//   - the file came in by the loader of sources: no test, conftest, plugin;
//   - no thread was alive at the fork, no process started before it;
//   - the same selection was green in a fork without the edit;
//   - no test started a process or opened the edited file.
//
// Everything else is left to Run. plugin/swap.py and plugin/zygote.py have the
// rules; bench/forked holds both ways to agree.
//
// What cannot reach the change is not collected (narrow.go): the imports that
// the texts of all files name, the conftest files and packages above them, and
// names in strings. When a run loads what no text names, everything is collected.
//
// The baseline is two fresh runs of everything. The second carries probes: the
// changed sources are loaded with a call before each statement, and an audit
// hook sees which watched files are opened and where processes are started.
// When the two runs differ a third decides whether the suite or the probes are
// to blame; in the second case the hits are not used.
//
// What the runs pin, and why (each was seen to give a wrong answer):
//   - the tree's source roots come first on PYTHONPATH, a finder moves what an
//     editable install finds in the user's tree, and modules that still come
//     from there are reported as strays;
//   - byte code is neither read nor written; compiled code is kept by a digest of
//     its text (plugin/kept.py);
//   - PYTEST_ADDOPTS is dropped; options and plugins that spread, stop, repeat,
//     reorder or trace tests are switched off while they stay registered;
//   - configuration, root directory and conftest limits are those of the tree;
//   - PYTHONHASHSEED is 0 unless the user's environment sets it, so that two
//     runs order sets alike.
//
// Python processes that a test starts carry probes as well, and what they reach
// is that test's (plugin/children.py).
//
// Limits: a test that starts a process which does not tell what it reaches
// (another program, an isolated interpreter, one that outlives the test) is
// added to every selection; a module that replaces importlib's loaders, or that
// pytest rewrites, has no hits and is covered by all tests.
package pytest

import (
	"context"
	"fmt"

	"assay/harness"
)

// Config is what the user says about Python.
type Config struct {
	// Python is the interpreter to use: a path, or a name on PATH. Empty means
	// that it is looked for; see Interpreter.
	Python string
}

// New returns the harness.
func New(c Config) harness.Harness { return runner{c} }

type runner struct{ config Config }

func (runner) Name() string { return "pytest" }

// Open finds the interpreter and writes the plugin to opts.Scratch. Its
// *harness.SetupError says which interpreter was tried and what to do.
func (r runner) Open(ctx context.Context, dir string, opts harness.Options) (harness.Session, error) {
	python, err := Interpreter(ctx, opts.Origin, opts.Env, r.config.Python)
	if err != nil {
		return nil, err
	}
	files, err := unpack(opts.Scratch)
	if err != nil {
		return nil, fmt.Errorf("write assay's pytest plugin: %w", err)
	}
	return &session{python: python, options: opts, plugin: files}, nil
}

package pytest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/harness"
)

// A narrowing is the part of the tree whose tests can reach the change. What
// lies outside is not even collected: on a large suite collecting is most of
// what a process costs.
type narrowing struct {
	graph *graph
	only  []string        // the files that may load a target, sorted
	why   string          // why there is no narrowing after all, for the user; only is then nil
	focus []harness.Focus // what the session is confined to; only are these files and those that may load one
}

var (
	pluginOption = regexp.MustCompile(`-p[ =]?["',\s]*([A-Za-z_][\w.]*)`)
	// settings are the files that may hold options of pytest.
	settings = []string{"pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py"}
)

// narrow finds which test files can reach the targets. A change of anything but
// Python is not narrowed, since any test may open it.
func (s *session) narrow(dir string, targets []harness.Target) (*narrowing, error) {
	if len(s.options.Focus) > 0 {
		var files []string
		for _, f := range s.options.Focus {
			files = append(files, f.Path)
		}
		g, err := readGraph(dir, files)
		if err != nil {
			return nil, fmt.Errorf("read which files may load the tests in question: %w", err)
		}
		return &narrowing{graph: g, only: slices.Sorted(maps.Keys(g.reaching(files))), focus: s.options.Focus}, nil
	}
	if s.options.AllTests || len(targets) == 0 {
		return &narrowing{}, nil
	}
	var paths []string
	for _, t := range targets {
		if !isPython(t.Path) {
			return &narrowing{}, nil
		}
		paths = append(paths, t.Path)
	}
	configured, err := readSettings(dir)
	if err != nil {
		return nil, err
	}
	for _, mark := range []string{"pytest11", "doctest"} {
		if strings.Contains(configured, mark) {
			return &narrowing{why: "all tests are collected: the project's configuration speaks of " + mark}, nil
		}
	}
	g, err := readGraph(dir, paths)
	if err != nil {
		return nil, fmt.Errorf("read which test files can reach the change: %w", err)
	}
	reach := g.reaching(paths)
	for _, m := range pluginOption.FindAllStringSubmatch(configured, -1) {
		if slices.ContainsFunc(g.module("", m[1]), func(file string) bool { return reach[file] }) {
			return &narrowing{why: "all tests are collected: the plugin " + m[1] + " can reach the change"}, nil
		}
	}
	return &narrowing{graph: g, only: slices.Sorted(maps.Keys(reach))}, nil
}

// readSettings returns the text of every file that configures pytest or names
// its plugins.
func readSettings(dir string) (string, error) {
	var all strings.Builder
	for _, name := range settings {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("read the configuration of pytest: %w", err)
		}
		all.Write(text)
		all.WriteByte('\n')
	}
	return all.String(), nil
}

// restrict makes a request collect the narrowed part alone.
func (n *narrowing) restrict(req *request) {
	if n == nil || n.only == nil {
		return
	}
	req.Narrow, req.Only = true, n.only
	for _, f := range n.focus {
		if len(f.Tests) == 0 {
			req.Focus = nil // any test that was collected may be one of its
			return
		}
		for _, name := range f.Tests {
			req.Focus = append(req.Focus, place{f.Path, name})
		}
	}
}

// refuted says why what a run did shows that everything has to be collected.
func (n *narrowing) refuted(log *runLog) string {
	if n.only == nil {
		return ""
	}
	if missed := n.missed(log); missed != "" && n.focus == nil {
		return missed + " is loaded although nothing names it"
	}
	if len(log.Tests) == 0 && log.Ignored > 0 {
		return "no test file names anything by which it would reach the change"
	}
	return ""
}

// missed returns a file that a run loaded although no text names it: the graph
// then cannot be trusted. It is "" when there is none.
func (n *narrowing) missed(log *runLog) string {
	var roots []string
	for _, t := range log.Tests {
		roots = append(roots, t.File)
	}
	for file := range n.graph.files {
		if path.Base(file) == "conftest.py" {
			roots = append(roots, file)
		}
	}
	reached := n.graph.reached(roots)
	for _, file := range log.Loaded {
		if reached != nil && n.graph.has(file) && !reached[file] {
			return file
		}
	}
	return ""
}

// note says how much was collected, or why all of it.
func (n *narrowing) note(log *runLog) []string {
	if n.why != "" {
		return []string{n.why}
	}
	if n.only == nil || n.focus != nil || log.Ignored == 0 {
		return nil
	}
	files := map[string]bool{}
	for _, t := range log.Tests {
		files[t.File] = true
	}
	return []string{fmt.Sprintf("%d of %d test files can reach the change and were collected; --all-tests collects all",
		len(files), len(files)+log.Ignored)}
}

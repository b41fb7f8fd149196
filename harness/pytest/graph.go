package pytest

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A graph says which Python files of a tree may load which. A dotted name
// stands for every file whose path ends that way, so that it does not matter
// what sys.path will be.
type graph struct {
	files  map[string]imports
	byName map[string][]string // last part of a module's name -> its files
	edges  map[string][]string
	said   map[string][]string // by mentioned name
}

// foreignDirs are directories that hold no code of the project.
var foreignDirs = map[string]bool{".git": true, ".hg": true, "node_modules": true, "__pycache__": true, ".tox": true, ".nox": true,
	"site-packages": true, "dist-packages": true}

// readGraph reads every Python file below dir. Targets that head does not have
// are part of it by name. It fails when a file cannot be read.
func readGraph(dir string, targets []string) (*graph, error) {
	g := &graph{files: map[string]imports{}, byName: map[string][]string{}, edges: map[string][]string{}, said: map[string][]string{}}
	err := filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, venv := os.Stat(filepath.Join(full, "pyvenv.cfg")); foreignDirs[d.Name()] || venv == nil {
				return fs.SkipDir
			}
			return nil
		}
		if !isPython(d.Name()) {
			return nil
		}
		text, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, full)
		g.files[filepath.ToSlash(rel)] = importsOf(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		if _, has := g.files[t]; !has {
			g.files[t] = imports{}
		}
	}
	g.link()
	return g, nil
}

func (g *graph) link() {
	for file := range g.files {
		g.byName[lastName(file)] = append(g.byName[lastName(file)], file)
	}
	for file, found := range g.files {
		to := g.beside(file)
		for _, name := range found.modules {
			to = append(to, g.module(file, name)...)
		}
		for _, name := range found.strings {
			to = append(to, g.mentioned(name)...)
		}
		slices.Sort(to)
		g.edges[file] = slices.Compact(to)
	}
}

// lastName is the last part of the name of a file's module.
func lastName(file string) string {
	if path.Base(file) == "__init__.py" {
		return path.Base(path.Dir(file))
	}
	return strings.TrimSuffix(path.Base(file), ".py")
}

// beside is what comes along with a file whatever its text: the packages and
// the conftest files above it.
func (g *graph) beside(file string) []string {
	var found []string
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, name := range []string{"__init__.py", "conftest.py"} {
			if other := path.Join(dir, name); other != file && g.has(other) {
				found = append(found, other)
			}
		}
		if dir == "." || dir == "/" {
			return found
		}
	}
}

func (g *graph) has(file string) bool { _, has := g.files[file]; return has }

// module is what importing a dotted name may load: the module and the packages
// it lies in.
func (g *graph) module(from, name string) []string {
	rest := strings.TrimLeft(name, ".")
	if level := len(name) - len(rest); level > 0 {
		base := path.Dir(from)
		for range level - 1 {
			base = path.Dir(base)
		}
		return g.below(base, rest)
	}
	var found []string
	parts := strings.Split(rest, ".")
	for n := range parts {
		found = append(found, g.ending(parts[:n+1])...)
	}
	return found
}

// below is a relative import.
func (g *graph) below(base, rest string) []string {
	var found []string
	at := base
	for _, part := range append([]string{""}, strings.Split(rest, ".")...) {
		at = path.Join(at, part)
		for _, file := range []string{at + ".py", path.Join(at, "__init__.py")} {
			if g.has(file) {
				found = append(found, file)
			}
		}
	}
	return found
}

// ending is every file whose module's name ends in the parts.
func (g *graph) ending(parts []string) []string {
	var found []string
	suffix := "/" + strings.Join(parts, "/")
	for _, file := range g.byName[parts[len(parts)-1]] {
		module := strings.TrimSuffix(strings.TrimSuffix(file, ".py"), "/__init__")
		if strings.HasSuffix("/"+module, suffix) {
			found = append(found, file)
		}
	}
	return found
}

// mentioned is what a string may stand for: a module, an attribute of one, or a
// package of which anything may then be loaded. A single word counts only as
// the name of something that lies in no package.
func (g *graph) mentioned(name string) []string {
	found, known := g.said[name]
	if !known {
		found = g.mention(name)
		g.said[name] = found
	}
	return found
}

func (g *graph) mention(name string) []string {
	parts := strings.Split(name, ".")
	var found []string
	for n := len(parts); n > 0; n-- {
		for _, file := range g.ending(parts[:n]) {
			if n == 1 && !g.top(file) {
				continue
			}
			found = append(found, file)
			if path.Base(file) == "__init__.py" && n == len(parts) {
				found = append(found, g.inside(path.Dir(file))...)
			}
		}
	}
	return found
}

func (g *graph) top(file string) bool {
	dir := path.Dir(strings.TrimSuffix(file, "/__init__.py"))
	return !g.has(path.Join(dir, "__init__.py"))
}

func (g *graph) inside(dir string) []string {
	var found []string
	for file := range g.files {
		if strings.HasPrefix(file, dir+"/") {
			found = append(found, file)
		}
	}
	return found
}

// reaching is every file that may load one of the targets, directly or not. A
// file that loads what its text does not name may load anything.
func (g *graph) reaching(targets []string) map[string]bool {
	back := map[string][]string{}
	for from, all := range g.edges {
		for _, to := range all {
			back[to] = append(back[to], from)
		}
	}
	todo := slices.Clone(targets)
	for file, found := range g.files {
		if found.dynamic {
			todo = append(todo, file)
		}
	}
	return walk(back, todo)
}

// reached is every file that one of the given may load; nil for any.
func (g *graph) reached(files []string) map[string]bool {
	found := walk(g.edges, files)
	for file := range found {
		if g.files[file].dynamic {
			return nil
		}
	}
	return found
}

func walk(edges map[string][]string, todo []string) map[string]bool {
	seen := map[string]bool{}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[at] {
			seen[at] = true
			todo = append(todo, edges[at]...)
		}
	}
	return seen
}

package gotest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A module is one go.mod of the tree.
type module struct {
	rel  string // its directory, slash-separated, relative to the tree; "." for the root
	path string // module path; "" when go.mod does not parse
	work string // go.work that it is part of: absolute, in the origin or the tree; "" for none
}

// findModules returns the modules of the tree in dir, by path. Directories
// that the go command ignores in patterns (testdata, those that begin with "."
// or "_"), vendor and node_modules are not searched.
func findModules(dir string) ([]module, error) {
	var found []module
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != dir && ignoredDir(d.Name()) {
			return fs.SkipDir
		}
		if d.IsDir() || d.Name() != "go.mod" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := inside(dir, filepath.Dir(path))
		found = append(found, module{rel: rel, path: modfile.ModulePath(text)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for go.mod files in %s: %w", dir, err)
	}
	return found, nil
}

func ignoredDir(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		slices.Contains([]string{"testdata", "vendor", "node_modules"}, name)
}

// findWork learns which go.work each module is part of. A tree stands
// elsewhere than the origin, so that a go.work above the origin, or one that
// is not in version control, is found from the origin only.
func (s *session) findWork(ctx context.Context) error {
	for i := range s.modules {
		m := &s.modules[i]
		for _, root := range []string{s.dir, s.opts.Origin} {
			at := filepath.Join(root, filepath.FromSlash(m.rel))
			if _, err := os.Stat(at); err != nil {
				continue // the origin may be on another branch, without this module
			}
			env, err := s.gocmd.goEnv(ctx, at)
			if err != nil {
				return err
			}
			if env.GOWORK != "" && env.GOWORK != "off" {
				m.work = env.GOWORK
				break
			}
		}
		if err := s.dropForeignWork(m); err != nil {
			return err
		}
	}
	return nil
}

// dropForeignWork forgets a go.work that does not use the module: the go
// command refuses to work there, and a user sets GOWORK=off.
func (s *session) dropForeignWork(m *module) error {
	if m.work == "" {
		return nil
	}
	work, err := parseWork(m.work)
	if err != nil {
		return err
	}
	l := s.layout(s.dir)
	want := filepath.Join(s.dir, filepath.FromSlash(m.rel))
	for _, use := range work.Use {
		if l.resolve(filepath.Dir(m.work), use.Path) == want {
			return nil
		}
	}
	m.work = workOff
	return nil
}

// workOff is the value of GOWORK for a module that no workspace uses.
const workOff = "off"

func parseWork(path string) (*modfile.WorkFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the workspace of the tree: %w", err)
	}
	return modfile.ParseWork(path, text, nil)
}

// A layout maps paths of the origin to a tree that stands elsewhere.
type layout struct{ dir, origin string }

func (s *session) layout(dir string) layout { return layout{dir: dir, origin: s.opts.Origin} }

// resolve returns the absolute place of a path written in a go.mod or go.work
// in directory from. The path is read as it stands in the origin; what then
// lies in the origin is in the tree, and everything else is where the user
// has it. An absolute path into the origin is mapped too, since a run would
// otherwise test the user's tree. What only the origin has (an ignored or
// separate checkout) stays there.
func (l layout) resolve(from, path string) string {
	if !filepath.IsAbs(path) {
		if rel, ok := inside(l.dir, from); ok {
			from = filepath.Join(l.origin, filepath.FromSlash(rel))
		}
		path = filepath.Join(from, filepath.FromSlash(path))
	}
	rel, ok := inside(l.origin, path)
	if !ok {
		return filepath.Clean(path)
	}
	mapped := filepath.Join(l.dir, filepath.FromSlash(rel))
	if _, err := os.Stat(mapped); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(path); err == nil {
			return filepath.Clean(path)
		}
	}
	return mapped
}

// stays reports whether the go command finds by itself what resolve finds,
// when the file that names path lies in directory from of the tree.
func (l layout) stays(from, path string) bool {
	if filepath.IsAbs(path) {
		return filepath.Clean(path) == l.resolve(from, path)
	}
	return filepath.Join(from, filepath.FromSlash(path)) == l.resolve(from, path)
}

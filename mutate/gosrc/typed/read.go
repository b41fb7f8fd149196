package typed

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
)

// load reads the packages of a universe: every directory of its modules, and
// what the go command listed beside them.
func (s *snapshot) load(u *universe, c *cache) error {
	for _, m := range u.modules {
		if err := s.walk(u, m, c); err != nil {
			return err
		}
	}
	for _, p := range u.listed {
		dir, in := inTree(s.tree, p.Dir)
		if !in {
			dir = filepath.ToSlash(p.Dir)
		}
		if s.inDir(u, dir) != nil || s.source(u, p.ImportPath) != nil {
			continue
		}
		lang := oldestLanguage
		if p.Module != nil && p.Module.GoVersion != "" {
			lang = atLeast("go" + p.Module.GoVersion)
		}
		var keep []string
		if !in {
			keep = slices.Concat(p.GoFiles, p.CgoFiles)
		}
		if err := s.read(u, p.ImportPath, dir, lang, keep, c); err != nil {
			return err
		}
	}
	parseAll(s)
	return nil
}

// parseAll parses what was read, on all processors.
func parseAll(s *snapshot) {
	var wg sync.WaitGroup
	for _, src := range s.sources {
		wg.Go(func() {
			for _, f := range slices.Concat(src.prod, src.test, src.xtest) {
				f.parse()
			}
		})
	}
	wg.Wait()
}

// walk reads the directories of one module.
func (s *snapshot) walk(u *universe, m module, c *cache) error {
	root := filepath.Join(s.tree, filepath.FromSlash(m.dir))
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read the packages of module %s: %w", m.path, err)
		}
		if !d.IsDir() {
			return nil
		}
		if name != root {
			_, noModule := os.Stat(filepath.Join(name, "go.mod"))
			if ignoredDir(d.Name()) || noModule == nil {
				return fs.SkipDir
			}
		}
		dir, _ := inTree(s.tree, name)
		importPath, lang, ok := u.importPath(dir)
		if !ok {
			return nil
		}
		return s.read(u, importPath, dir, lang, nil, c)
	})
}

// read reads the Go files of a directory, or only those named by keep. A
// directory without Go files is no package.
func (s *snapshot) read(u *universe, importPath, dir, lang string, keep []string, c *cache) error {
	abs := filepath.FromSlash(dir)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(s.tree, abs)
	}
	entries, err := os.ReadDir(abs)
	if err != nil {
		return fmt.Errorf("read package %s: %w", importPath, err)
	}
	all := map[string]*file{}
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".go" || (keep != nil && !slices.Contains(keep, e.Name())) {
			continue
		}
		name := path.Join(dir, e.Name())
		if s.texts[name] == nil {
			src, err := os.ReadFile(filepath.Join(abs, e.Name()))
			if err != nil {
				return fmt.Errorf("read package %s: %w", importPath, err)
			}
			s.texts[name] = newFile(c.fset, name, src)
		}
		all[name] = s.texts[name]
	}
	if len(all) > 0 {
		s.put(newSource(u, importPath, dir, lang, all))
	}
	return nil
}

package gotest

import (
	"context"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/change"
	"assay/harness/gotest/schema"
)

// A warming is one batch of variants on its way into binaries.
type warming struct {
	*session
	dir, scratch string
	variants     map[int][]change.Edit
	left         map[int]string
	packages     map[string]*schema.Package // by directory
	follows      bool
}

func (w *warming) leave(k int, why string) {
	if _, gone := w.left[k]; !gone {
		w.left[k] = why
	}
}

// choose leaves out the variants that edit what no package holds, and reads the
// packages of the others.
func (w *warming) choose(ctx context.Context) error {
	dirs := map[string]map[int]bool{}
	for k, edits := range w.variants {
		for _, e := range edits {
			dir, why := w.holder(e)
			if why != "" {
				w.leave(k, e.Path+": "+why)
				break
			}
			if dirs[dir] == nil {
				dirs[dir] = map[int]bool{}
			}
			dirs[dir][k] = true
		}
	}
	w.packages = map[string]*schema.Package{}
	byModule := map[module][]string{}
	for dir := range dirs {
		m, ok := w.moduleOf(dir)
		if !ok {
			w.leaveAll(dirs[dir], "no module holds it")
			continue
		}
		byModule[m] = append(byModule[m], dir)
	}
	for m, in := range byModule {
		if err := w.load(ctx, m, in); err != nil {
			if isGoFailure(err) == nil {
				return err
			}
			for _, dir := range in {
				w.leaveAll(dirs[dir], err.Error())
			}
		}
	}
	for dir, ks := range dirs {
		w.leaveUnread(w.packages[dir], ks)
	}
	return nil
}

// leaveUnread leaves out the variants that edit files which are not read: those
// of an external test package, or all when the package is nil.
func (w *warming) leaveUnread(p *schema.Package, ks map[int]bool) {
	for k := range ks {
		for _, e := range w.variants[k] {
			if p == nil || path.Dir(e.Path) == p.Rel && !slices.ContainsFunc(p.Files, func(f schema.File) bool { return f.Path == e.Path }) {
				w.leave(k, e.Path+": its package cannot be read")
			}
		}
	}
}

func (w *warming) leaveAll(ks map[int]bool, why string) {
	for k := range ks {
		w.leave(k, why)
	}
}

// holder returns the directory of the package that an edit belongs to.
func (w *warming) holder(e change.Edit) (dir, why string) {
	if e.Op != change.Splice {
		return "", "a file that is added or removed"
	}
	parts := w.graph.parts[e.Path]
	if !strings.HasSuffix(e.Path, ".go") || len(parts) != 1 || parts[0].role != compiled && parts[0].role != tested {
		return "", "no plain Go file of one package"
	}
	return parts[0].dir, ""
}

// moduleOf returns the innermost module that holds a directory.
func (s *session) moduleOf(dir string) (module, bool) {
	best, found := module{}, false
	for _, m := range s.modules {
		if within(m, dir) && (!found || len(m.rel) > len(best.rel)) {
			best, found = m, true
		}
	}
	return best, found
}

// imported is what the package and its own tests import directly.
func (p listed) imported() []string {
	all := slices.Concat(p.Imports, p.TestImports)
	for i, path := range all {
		if mapped, ok := p.ImportMap[path]; ok {
			all[i] = mapped
		}
	}
	return slices.DeleteFunc(all, func(path string) bool { return path == "C" || path == "unsafe" })
}

// load reads the packages in dirs of one module, and what is said of what they
// import. Only what they import directly is asked for its export data: that is
// whole by itself, and the packages in dirs are not built for it.
func (w *warming) load(ctx context.Context, m module, dirs []string) error {
	imports, err := w.newImports(dirs)
	if err != nil {
		return err
	}
	all, err := w.combined.exported(m)
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		imports = append(imports, w.graph.pkgs[dir].listed.imported()...)
	}
	slices.Sort(imports)
	imports = slices.DeleteFunc(slices.Compact(imports), func(path string) bool { return all[path].Export != "" })
	more, err := w.exports(ctx, w.dir, m, w.scratch, imports)
	if err != nil {
		return err
	}
	maps.Copy(more, all)
	for _, dir := range dirs {
		p := w.graph.pkgs[dir].listed
		if len(p.CgoFiles) > 0 || p.Incomplete {
			continue
		}
		if w.packages[dir], err = w.read(dir, p, more); err != nil {
			return err
		}
	}
	return nil
}

// exports is what go list says of packages, with their export data, by import
// path.
func (s *session) exports(ctx context.Context, dir string, m module, scratch string, imports []string) (map[string]listed, error) {
	all := map[string]listed{}
	if len(imports) == 0 {
		return all, nil
	}
	found, err := s.goList(ctx, dir, m, scratch, append([]string{"-export"}, imports...)...)
	for _, p := range found {
		all[p.ImportPath] = p
	}
	return all, err
}

// read makes a schema package of what go list says of it.
func (w *warming) read(dir string, p listed, all map[string]listed) (*schema.Package, error) {
	at := &schema.Package{ImportPath: p.ImportPath, Rel: dir, Dir: filepath.Join(w.dir, filepath.FromSlash(dir)),
		Sizes: types.SizesFor("gc", w.env.GOARCH)}
	if p.Module != nil && p.Module.GoVersion != "" {
		at.GoVersion = "go" + p.Module.GoVersion
	}
	for _, file := range slices.Concat(p.GoFiles, p.TestGoFiles) {
		name := filepath.Join(at.Dir, file)
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read a package: %w", err)
		}
		at.Files = append(at.Files, schema.File{Path: join(dir, file), Name: name, Text: text, Test: strings.HasSuffix(file, "_test.go")})
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if mapped, ok := p.ImportMap[path]; ok {
			path = mapped
		}
		one, ok := all[path]
		if !ok || one.Export == "" {
			return nil, fmt.Errorf("nothing is known of package %s", path)
		}
		if slices.Contains(one.Deps, p.ImportPath) {
			return nil, fmt.Errorf("package %s imports %s itself", path, p.ImportPath)
		}
		return os.Open(one.Export)
	}
	at.Importer = importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	return at, nil
}

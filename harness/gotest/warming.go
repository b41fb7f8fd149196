package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
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

func (w *warming) moduleOf(dir string) (module, bool) {
	best, found := module{}, false
	for _, m := range w.modules {
		if within(m, dir) && (!found || len(m.rel) > len(best.rel)) {
			best, found = m, true
		}
	}
	return best, found
}

// An exported is one package as go list -export prints it.
type exported struct {
	ImportPath, Dir, Name, ForTest, Export string
	ImportMap                              map[string]string
	Module                                 *struct{ GoVersion string }
	GoFiles, CgoFiles, TestGoFiles         []string
	Deps, Imports, TestImports             []string
	Incomplete                             bool
}

// imported is what the package and its own tests import directly.
func (p exported) imported() []string {
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
	moved, err := w.relocate(w.dir, m, w.scratch)
	if err != nil {
		return err
	}
	var paths []string
	for _, dir := range dirs {
		paths = append(paths, w.graph.pkgs[dir].importPath)
	}
	all := map[string]exported{}
	if err := w.list(ctx, m, moved, all, append([]string{"-deps", "-test"}, paths...)); err != nil {
		return err
	}
	imports, err := w.newImports(dirs)
	if err != nil {
		return err
	}
	for _, path := range paths {
		imports = append(imports, all[path].imported()...)
	}
	slices.Sort(imports)
	if imports = slices.Compact(imports); len(imports) > 0 {
		if err := w.list(ctx, m, moved, all, append([]string{"-export"}, imports...)); err != nil {
			return err
		}
	}
	for _, dir := range dirs {
		p, ok := all[w.graph.pkgs[dir].importPath]
		if !ok || len(p.CgoFiles) > 0 || p.Incomplete {
			continue
		}
		if w.packages[dir], err = w.read(dir, p, all); err != nil {
			return err
		}
	}
	return nil
}

// list adds what go list says of some packages, and of what they import, to all.
func (w *warming) list(ctx context.Context, m module, moved relocation, all map[string]exported, args []string) error {
	args = slices.Concat([]string{"list", "-e",
		"-json=ImportPath,Dir,Name,ForTest,Export,ImportMap,Module,GoFiles,CgoFiles,TestGoFiles,Deps,Imports,TestImports,Incomplete"}, w.flags.build, moved.flags, args)
	out, err := w.gocmd.output(ctx, filepath.Join(w.dir, filepath.FromSlash(m.rel)), moved.vars, args...)
	if err != nil {
		return err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p exported
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read what go list printed: %w", err)
		}
		if p.ForTest == "" && (all[p.ImportPath].ImportPath == "" || p.Export != "") {
			all[p.ImportPath] = p
		}
	}
}

// read makes a schema package of what go list says of it.
func (w *warming) read(dir string, p exported, all map[string]exported) (*schema.Package, error) {
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

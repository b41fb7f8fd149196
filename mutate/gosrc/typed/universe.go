package typed

import (
	"context"
	"fmt"
	"go/build"
	"go/token"
	"go/types"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// oldestLanguage is the least language version used: text of a module whose
// go.mod asks for an older one is read as this version, since the code that
// assay adds to a build needs it.
const oldestLanguage = "go1.21"

// A module is one go.mod of the tree.
type module struct {
	dir    string // slash-separated, relative to the tree; "." for the root
	path   string
	goLang string // "go1.22", at least oldestLanguage
}

// A universe is the packages that one go command sees together: those of one
// module, or of the modules of one workspace. Within it an import path means
// one package.
type universe struct {
	tree    string // absolute
	tool    goTool
	dir     string // where the go command runs, absolute
	modules []module
	context build.Context
	sizes   types.Sizes
	exports *exports
	listed  []listed // tree packages and what must be read from source with them
}

// findUniverses lists the modules of the tree and what they hold.
func findUniverses(ctx context.Context, tool goTool, tree string, fset *token.FileSet) ([]*universe, error) {
	mods, err := findModules(tree)
	if err != nil {
		return nil, err
	}
	byWork := map[string]*universe{}
	var all []*universe
	for _, m := range mods {
		dir := filepath.Join(tree, filepath.FromSlash(m.dir))
		work, err := workOf(ctx, tool, dir)
		if err != nil {
			return nil, err
		}
		if u := byWork[work]; work != "" && u != nil {
			u.modules = append(u.modules, m)
			continue
		}
		u := &universe{tree: tree, dir: dir, tool: tool, modules: []module{m}}
		if work == "" {
			u.tool.env = append(slices.Clone(tool.env), "GOWORK=off")
		}
		byWork[work] = u
		all = append(all, u)
	}
	for _, u := range all {
		if err := u.open(ctx, fset); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// workOf returns the go.work that uses the module in dir, or "".
func workOf(ctx context.Context, tool goTool, dir string) (string, error) {
	out, err := tool.run(ctx, dir, "env", "GOWORK")
	if err != nil {
		return "", err
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == "off" {
		return "", nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read the workspace of %s: %w", dir, err)
	}
	work, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return "", fmt.Errorf("read the workspace of %s: %w", dir, err)
	}
	for _, use := range work.Use {
		at := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(at) {
			at = filepath.Join(filepath.Dir(file), at)
		}
		if real, err := filepath.EvalSymlinks(at); err == nil && real == dir {
			return file, nil
		}
	}
	return "", nil
}

// findModules returns the modules of the tree by directory. Directories that
// the go command does not match with "..." are not searched.
func findModules(tree string) ([]module, error) {
	var found []module
	err := filepath.WalkDir(tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != tree && ignoredDir(d.Name()) {
			return fs.SkipDir
		}
		if d.IsDir() || d.Name() != "go.mod" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := inTree(tree, filepath.Dir(name))
		found = append(found, module{dir: rel, path: modfile.ModulePath(text), goLang: languageOf(name, text)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for go.mod files in %s: %w", tree, err)
	}
	return found, nil
}

func ignoredDir(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		name == "testdata" || name == "vendor" || name == "node_modules"
}

func languageOf(name string, text []byte) string {
	mod, err := modfile.ParseLax(name, text, nil)
	if err != nil || mod.Go == nil {
		return oldestLanguage // go list names what is wrong with the file
	}
	return atLeast(version.Lang("go" + mod.Go.Version))
}

func atLeast(lang string) string {
	if version.Compare(lang, oldestLanguage) < 0 {
		return oldestLanguage
	}
	return lang
}

// open asks the go command for the packages of the universe and for the build
// context that selects their files.
func (u *universe) open(ctx context.Context, fset *token.FileSet) error {
	if err := u.readContext(ctx); err != nil {
		return err
	}
	if u.sizes = types.SizesFor("gc", u.context.GOARCH); u.sizes == nil {
		return fmt.Errorf("type check %s: no sizes are known for GOARCH=%s", u.dir, u.context.GOARCH)
	}
	args := []string{"-deps", "-test", "--"}
	for _, m := range u.modules {
		args = append(args, filepath.Join(u.tree, filepath.FromSlash(m.dir), "..."))
	}
	all, err := u.tool.list(ctx, u.dir, args...)
	if err != nil {
		return err
	}
	u.listed = u.fromSource(all)
	u.exports = newExports(u.tool, u.dir, fset)
	return nil
}

// fromSource picks the packages of the tree, and the others that depend on one
// of them: export data of those would bring in second copies of tree types.
// Packages come after what they import, as go list -deps prints them. Vendored
// packages lie in the tree but are never edited, so export data serves.
func (u *universe) fromSource(all []listed) []listed {
	var picked []listed
	source := map[string]bool{}
	for _, p := range all {
		if p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") || p.Standard || p.Dir == "" {
			continue
		}
		rel, in := inTree(u.tree, p.Dir)
		in = in && !slices.Contains(strings.Split(rel, "/"), "vendor")
		if in || slices.ContainsFunc(p.Imports, func(i string) bool { return source[i] }) {
			source[p.ImportPath] = true
			picked = append(picked, p)
		}
	}
	return picked
}

// contextFormat prints the build context of the go command, one field a line.
const contextFormat = `{{with context}}{{.GOOS}}
{{.GOARCH}}
{{.CgoEnabled}}
{{join .BuildTags " "}}
{{join .ToolTags " "}}
{{join .ReleaseTags " "}}{{end}}`

func (u *universe) readContext(ctx context.Context) error {
	args := slices.Concat([]string{"list", "-e"}, u.tool.flags, []string{"-f", contextFormat, "unsafe"})
	out, err := u.tool.run(ctx, u.dir, args...)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(lines) < 6 {
		return fmt.Errorf("read the build context of %s: go list printed %q", u.dir, out)
	}
	u.context = build.Default
	u.context.GOOS, u.context.GOARCH, u.context.CgoEnabled = lines[0], lines[1], lines[2] == "true"
	u.context.BuildTags = strings.Fields(lines[3])
	u.context.ToolTags = strings.Fields(lines[4])
	u.context.ReleaseTags = strings.Fields(lines[5])
	return nil
}

// moduleOf returns the innermost module around a directory of the tree.
func (u *universe) moduleOf(dir string) (module, bool) {
	var best module
	found := false
	for _, m := range u.modules {
		within := m.dir == "." || dir == m.dir || strings.HasPrefix(dir, m.dir+"/")
		if within && (!found || len(m.dir) > len(best.dir) || best.dir == ".") {
			best, found = m, true
		}
	}
	return best, found
}

// importPath names the package that a directory of the tree would be; ok is
// false when the go command would not find one there.
func (u *universe) importPath(dir string) (name, lang string, ok bool) {
	m, ok := u.moduleOf(dir)
	if !ok {
		return "", "", false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(dir, m.dir), "/")
	if m.dir == "." {
		rel = strings.TrimPrefix(dir, ".")
	}
	for _, part := range strings.Split(rel, "/") {
		if part != "" && ignoredDir(part) {
			return "", "", false
		}
	}
	return path.Join(m.path, rel), m.goLang, true
}

// prefetch asks for the export data of all that the universe's files import
// from elsewhere, in one run.
func (u *universe) prefetch(ctx context.Context, s *snapshot) error {
	wanted := map[string]bool{}
	for key, src := range s.sources {
		if key.u != u {
			continue
		}
		for _, f := range slices.Concat(src.prod, src.test, src.xtest) {
			for _, name := range f.imports() {
				wanted[name] = name != "unsafe" && s.source(u, name) == nil
			}
		}
	}
	maps.DeleteFunc(wanted, func(_ string, want bool) bool { return !want })
	return u.exports.fetch(ctx, sortedKeys(wanted))
}

package assay_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows lists, for each room, the rooms it may import. What is not listed is
// forbidden: the four siblings never meet, prove knows no language, nothing
// imports cmd.
var arrows = map[string][]string{
	"change":   {},
	"worktree": {"change"},
	"harness":  {"change"},
	"mutate":   {"change"},
	"probe":    {"change", "harness"},
	"prove":    {"change", "harness", "mutate", "probe"},
	"docs":     {},
	"report":   {"change", "harness", "probe", "prove", "docs"},
	"cmd":      {"change", "worktree", "harness", "mutate", "probe", "prove", "report", "docs"},
	"bench":    {"change", "worktree", "harness", "mutate", "probe", "prove", "report"},
}

// homes names the one room of each heavy dependency. Tests of other rooms may
// use one as a reader of what they wrote.
var homes = map[string]string{
	"github.com/go-git/":                "worktree",
	"github.com/sourcegraph/conc":       "prove",
	"github.com/olekukonko/tablewriter": "report",
	"github.com/owenrumney/go-sarif":    "report",
	"github.com/alecthomas/chroma":      "report",
	"github.com/spf13/cobra":            "cmd/assay",
	"github.com/vbauerster/mpb":         "cmd/assay",
	"github.com/fsnotify/fsnotify":      "cmd/assay",
	"github.com/BurntSushi/toml":        "cmd/assay",
	"github.com/joshdk/go-junit":        "harness/command",
	"github.com/adrg/xdg":               "worktree",
}

// A source is one Go file of the module.
type source struct {
	path    string // slash-separated, relative to the root
	room    string // its directory
	test    bool
	imports []string
	lines   int
	text    string
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		s := source{path: filepath.ToSlash(path), test: strings.HasSuffix(path, "_test.go"), lines: strings.Count(string(text), "\n"), text: string(text)}
		s.room = filepath.ToSlash(filepath.Dir(path))
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, name)
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("found only %d Go files; the walk is broken", len(all))
	}
	return all
}

func TestImportsFollowTheArrows(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		top, _, _ := strings.Cut(s.room, "/")
		for _, name := range s.imports {
			room, ours := strings.CutPrefix(name, "assay/")
			if !ours {
				continue
			}
			other, inner, _ := strings.Cut(room, "/")
			if other == top {
				continue
			}
			allowed, known := arrows[top]
			if !known {
				t.Errorf("%s: the room %q has no arrows", s.path, top)
			}
			if !slices.Contains(allowed, other) {
				t.Errorf("%s: %s may not import %s", s.path, top, other)
			}
			if inner != "" && top != "cmd" && top != "bench" {
				t.Errorf("%s: only cmd and bench pair languages, %s may not import %s", s.path, top, name)
			}
		}
	}
}

func TestEachHeavyDependencyHasOneRoom(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		for _, name := range s.imports {
			for dependency, home := range homes {
				if !strings.HasPrefix(name, dependency) {
					continue
				}
				used[dependency] = true
				if s.room != home && !s.test {
					t.Errorf("%s imports %s, which only %s may", s.path, name, home)
				}
			}
		}
	}
	for dependency, home := range homes {
		if !used[dependency] {
			t.Errorf("nothing imports %s; take it off the list or use it in %s", dependency, home)
		}
	}
}

// pathInText finds paths in back quotes that name a file or a directory.
var pathInText = regexp.MustCompile("`([A-Za-z0-9_.*-]+(?:/[A-Za-z0-9_.*-]+)*/?)`")

func TestEveryPathThatTheDocumentsNameExists(t *testing.T) {
	for _, doc := range []string{"DESIGN.md", "CONTRIBUTING.md", "README.md"} {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range pathInText.FindAllStringSubmatch(string(text), -1) {
			path := m[1]
			if !strings.Contains(path, "/") && !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".md") {
				continue
			}
			found++
			if hits, err := filepath.Glob(strings.TrimSuffix(path, "/")); err != nil || len(hits) == 0 {
				t.Errorf("%s names %s, which does not exist", doc, path)
			}
		}
		if doc == "DESIGN.md" && found < 10 {
			t.Errorf("%s names only %d paths; the search is broken", doc, found)
		}
	}
}

func TestNoFileIsLong(t *testing.T) {
	for _, s := range sources(t) {
		if s.lines > 400 {
			t.Errorf("%s has %d lines; cut it by its nouns", s.path, s.lines)
		}
	}
}

// machinePath finds absolute paths of one machine. The pieces are put together
// here so that this file does not hold what it forbids.
var machinePath = regexp.MustCompile(`(?:^|[\s"'=(])/(?:ro` + `ot|wo` + `rk|ho` + `me/[a-z]{3,}|Us` + `ers)/[a-z]`)

func TestNoFileNamesAPathOfOneMachine(t *testing.T) {
	for _, s := range sources(t) {
		if m := machinePath.FindString(s.text); m != "" {
			t.Errorf("%s holds the machine path %q", s.path, m)
		}
	}
	for _, glob := range []string{"*.md", "docs/*.*", "docs/*/*", "Makefile", ".ci/*", "testdata/script/*.txtar", ".golangci.yml", "cmd/assay/demo/*"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Errorf("%s matches nothing (%v)", glob, err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if m := machinePath.Find(text); m != nil {
				t.Errorf("%s holds the machine path %q", path, m)
			}
		}
	}
}

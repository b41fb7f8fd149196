//go:build unix

package bench

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"assay/change"
	"assay/mutate/mutatetest"
)

const (
	fillers    = 80   // files that the change does not touch
	fileLines  = 500  // of a file
	largeLines = 5000 // of the one large file, which is changed too

	untouched = "+ 1000" // stands in every file that is filled up
	touched   = "+ 1001"
)

// A module is a project of 50,000 lines with a change of mixed shapes.
type module struct {
	ext        string
	base, head map[string]string
}

// readModule takes the shapes from a story and fills their files up; filler
// writes n lines of code whose names end in tag.
func readModule(b *testing.B, story, ext string, filler func(tag string, n int) string, rest map[string]string) module {
	b.Helper()
	archive, err := txtar.ParseFile(story)
	if err != nil {
		b.Fatal(err)
	}
	m := module{ext, maps.Clone(rest), maps.Clone(rest)}
	sides := map[string]map[string]string{"base": m.base, "head": m.head}
	for _, f := range archive.Files {
		side, name, _ := strings.Cut(f.Name, "/")
		text := string(f.Data)
		if filepath.Ext(name) == ext && text != "" {
			lines := fileLines
			if strings.Contains(name, "helper") {
				lines = largeLines
			}
			tag := strings.NewReplacer("/", "_", ".", "_").Replace(name)
			text += filler(tag, lines)
		}
		sides[side][name] = text
	}
	return m
}

// touched is the module with a change of one line in each file that the shapes
// change: planning it reads all that planning them reads.
func (m module) touched() module {
	return module{m.ext, m.base, m.touch(m.base)}
}

// both is the module with the shapes and the lines of touched.
func (m module) both() module { return module{m.ext, m.base, m.touch(m.head)} }

func (m module) touch(side map[string]string) map[string]string {
	out := maps.Clone(side)
	for name, text := range side {
		if m.base[name] != m.head[name] {
			out[name] = strings.Replace(text, untouched, touched, 1)
		}
	}
	return out
}

func (m module) lines() int {
	n := 0
	for _, text := range m.head {
		n += strings.Count(text, "\n")
	}
	return n
}

// A checkout is a module at head on disk, with its change.
type checkout struct {
	dir    string
	paths  []string
	change *change.Change
}

func (m module) checkout(b *testing.B) checkout {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "module")
	for _, side := range []map[string]string{m.base, m.head} {
		for name, text := range side {
			write(b, filepath.Join(dir, filepath.FromSlash(name)), text)
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
			git(b, os.Environ(), dir, "init", "-q", "-b", "main", ".")
		}
		git(b, os.Environ(), dir, "add", ".")
		git(b, os.Environ(), dir, "-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-qm", "a side")
	}
	c, err := mutatetest.Commit(dir, "HEAD~1", "HEAD", m.ext)
	if err != nil {
		b.Fatal(err)
	}
	return checkout{dir, slices.Sorted(maps.Keys(m.head)), c}
}

// goModule has fillers in ten packages of their own with tests, and fills up
// the packages of the change.
func goModule(b *testing.B) module {
	rest := map[string]string{}
	for i := range fillers {
		name := fmt.Sprintf("still/p%d/file%d", i/10, i%10)
		text := fmt.Sprintf("package p%d\n", i/10)
		if i%10 == 9 {
			rest[name+"_test.go"] = text + "\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {\n\tt.Log(F0x0(1))\n}\n" + goFiller("t", fileLines)
			continue
		}
		rest[name+".go"] = text + goFiller(fmt.Sprint(i%10), fileLines)
	}
	rest["shapes/still_test.go"] = "package shapes\n\nimport \"testing\"\n\nfunc TestClean(t *testing.T) {\n\tt.Log(Clean(\"a\"))\n}\n"
	return readModule(b, "testdata/planning_go.txtar", ".go", goFiller, rest)
}

// goFiller is functions of ten lines, which may call the one before.
func goFiller(tag string, lines int) string {
	var out strings.Builder
	for i := range lines / 12 {
		fmt.Fprintf(&out, `
func F%dx%s(n int) int {
	total := n
	for i := range n {
		if i%%2 == 0 {
			total += i * len("%s")
			continue
		}
		total -= i
	}
	return total + 1000 + %d
}
`, i, tag, tag, i)
	}
	return out.String()
}

// pythonModule has fillers in packages of their own that import one another.
func pythonModule(b *testing.B) module {
	rest := map[string]string{}
	for i := range fillers {
		dir := fmt.Sprintf("still%d", i/10)
		rest[dir+"/__init__.py"] = ""
		text := "import os\nimport re\n"
		if i > 0 {
			text += fmt.Sprintf("from still%d.module%d import Kept0x%d\n", (i-1)/10, i-1, i-1)
		}
		rest[fmt.Sprintf("%s/module%d.py", dir, i)] = text + pythonFiller(fmt.Sprint(i), fileLines)
	}
	rest["tests/test_shapes.py"] = "from shapes.helper import clean\n\n\ndef test_clean():\n    assert clean('-A-') == 'a'\n"
	return readModule(b, "testdata/planning_python.txtar", ".py", pythonFiller, rest)
}

// pythonFiller is classes with a constructor, two methods and a function.
func pythonFiller(tag string, lines int) string {
	var out strings.Builder
	for i := range lines / 26 {
		fmt.Fprintf(&out, `

class Kept%[1]dx%[2]s:
    """One of many."""

    def __init__(self, size, name="n%[1]d"):
        self.size = size
        self.held_items = {name: size}

    def added(self, key, value=None):
        if key in self.held_items and value is not None:
            self.held_items[key] += value
        for k, v in sorted(self.held_items.items()):
            self.size = max(self.size, v)
        return self

    def total_size(self):
        return self.size + sum(v for v in self.held_items.values() if v > %[1]d)


def made%[1]dx%[2]s(items, start=0):
    kept = Kept%[1]dx%[2]s(start + 1000)
    for item in items:
        kept.added(str(item), item)
    return kept.total_size()
`, i, tag)
	}
	return out.String()
}

package worktree_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// generated makes a repository of many commits that edit, move, remove and
// re-type files of every form, the same ones for one seed.
func generated(t *testing.T, seed uint64, commits int) *userRepo {
	t.Helper()
	g := &generator{userRepo: newRepo(t), rand: rand.New(rand.NewPCG(seed, 1)), names: map[string]bool{}}
	for i := range 6 {
		g.add(fmt.Sprintf("pkg%d/file%d.go", i%2, i), g.text(40, "\n"))
	}
	g.commit("start")
	for i := range commits {
		for range 1 + g.rand.IntN(4) {
			g.step()
		}
		g.commit(fmt.Sprint("commit ", i))
	}
	return g.userRepo
}

type generator struct {
	*userRepo
	rand  *rand.Rand
	names map[string]bool
	made  int
}

var oddNames = []string{"with space.txt", "quo\"te.txt", "line\nend.txt", "ümläut/ñ.py", "tab\there", "-dash", "back\\slash", "a => b"}

func (g *generator) add(name, content string) {
	g.write(name, content)
	g.names[name] = true
}

func (g *generator) pick() string {
	names := make([]string, 0, len(g.names))
	for name := range g.names {
		names = append(names, name)
	}
	slices.Sort(names)
	return names[g.rand.IntN(len(names))]
}

// text draws lines from a small stock, so that hunks can slide and repeat.
func (g *generator) text(lines int, end string) string {
	stock := []string{"{", "}", "", "\treturn nil", "-- a", "++ b", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline at end of file", "caf\xe9"}
	var b strings.Builder
	for range lines {
		line := stock[g.rand.IntN(len(stock))]
		if g.rand.IntN(2) == 0 {
			line = fmt.Sprintf("line %d", g.rand.IntN(1000))
		}
		b.WriteString(line + end)
	}
	return b.String()
}

func (g *generator) step() {
	g.made++
	switch g.rand.IntN(12) {
	case 0:
		g.add(fmt.Sprintf("new/%d.py", g.made), g.text(1+g.rand.IntN(20), []string{"\n", "\r\n"}[g.rand.IntN(2)]))
	case 1:
		g.add(oddNames[g.rand.IntN(len(oddNames))], g.text(5, "\n"))
	case 2:
		g.add(fmt.Sprintf("bin/%d", g.rand.IntN(3)), "\x00"+g.text(2, "\n"))
	case 3:
		g.add(fmt.Sprintf("empty/%d", g.made), "")
	case 4:
		g.symlink(fmt.Sprintf("links/%d", g.rand.IntN(3)))
	case 5:
		g.move()
	case 6:
		if name := g.pick(); len(g.names) > 3 {
			g.remove(name)
			delete(g.names, name)
		}
	case 7:
		g.chmod(g.pick())
	default:
		g.edit(g.pick())
	}
}

func (g *generator) symlink(name string) {
	g.remove(name)
	g.write(filepath.Join(filepath.Dir(name), "x"), "x\n")
	if err := os.Symlink(fmt.Sprint("target", g.made), filepath.Join(g.dir, name)); err != nil {
		g.t.Fatal(err)
	}
	g.names[name] = true
}

func (g *generator) move() {
	from, to := g.pick(), fmt.Sprintf("moved/%d.go", g.made)
	g.write("moved/keep", "")
	if err := os.Rename(filepath.Join(g.dir, from), filepath.Join(g.dir, to)); err != nil {
		g.t.Fatal(err)
	}
	delete(g.names, from)
	g.names[to] = true
	if g.rand.IntN(2) == 0 {
		g.edit(to)
	}
}

func (g *generator) chmod(name string) {
	path := filepath.Join(g.dir, name)
	if info, err := os.Lstat(path); err != nil {
		g.t.Fatal(err)
	} else if info.Mode().IsRegular() {
		if err := os.Chmod(path, info.Mode().Perm()^0o111); err != nil {
			g.t.Fatal(err)
		}
	}
}

// edit replaces, adds and removes runs of lines; sometimes the last line end.
func (g *generator) edit(name string) {
	path := filepath.Join(g.dir, name)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return // a link has no lines
	}
	lines := strings.SplitAfter(readFile(g.t, path), "\n")
	for range 1 + g.rand.IntN(3) {
		at := g.rand.IntN(len(lines))
		end := min(len(lines), at+g.rand.IntN(4))
		fresh := strings.SplitAfter(g.text(g.rand.IntN(4), "\n"), "\n")
		lines = slices.Concat(lines[:at:at], fresh, lines[end:])
	}
	content := strings.Join(lines, "")
	if g.rand.IntN(5) == 0 {
		content = strings.TrimSuffix(content, "\n")
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

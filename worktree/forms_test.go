package worktree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/worktree"
)

// shape is a file of a change in one line: status, form, modes when they
// differ, and its hunks.
func shape(f *change.File) string {
	s := f.Status.String() + " " + f.Form.String()
	if f.OldMode != f.NewMode && f.OldMode != 0 && f.NewMode != 0 {
		s += fmt.Sprintf(" %o>%o", f.OldMode, f.NewMode)
	}
	for _, h := range f.Hunks {
		if h.Whole {
			s += " [whole]"
		} else {
			s += fmt.Sprintf(" [-%s +%s]", h.Old, h.New)
		}
	}
	return s
}

func TestEveryFormOfFileIsInTheChange(t *testing.T) {
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+"\n", i)
		}
		return b.String()
	}
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12\n"
	cases := []struct {
		name     string
		old, neu func(*userRepo)
		path     string
		want     string
	}{
		{"modified", files("f", "a\nb\n"), files("f", "a\nc\n"), "f", "modified text [-2 +2]"},
		{"added", nil, files("f", "a\nb\n"), "f", "added text [-0,0 +1,2]"},
		{"deleted", files("f", "a\nb\n"), gone("f"), "f", "deleted text [-1,2 +0,0]"},
		{"added empty", nil, files("f", ""), "f", "added text [whole]"},
		{"deleted empty", files("f", ""), gone("f"), "f", "deleted text [whole]"},
		{"emptied", files("f", "a\n"), files("f", ""), "f", "modified text [-1 +0,0]"},
		{"pure deletion", files("f", "a\nb\nc\n"), files("f", "a\nc\n"), "f", "modified text [-2 +1,0]"},
		{"CRLF", files("f", "a\r\nb\r\n"), files("f", "a\r\nb\n"), "f", "modified text [-2 +2]"},
		{"no final line end", files("f", "a\nb"), files("f", "a\nb\n"), "f", "modified text [-2 +2]"},
		{"not UTF-8", files("f", "caf\xe9\n"), files("f", "caf\xe8\n"), "f", "modified text [-1 +1]"},
		{"binary", files("f", "\x00a\n"), files("f", "\x00b\n"), "f", "modified binary [whole]"},
		{"-diff attribute", files("f", "a\n", ".gitattributes", "f -diff\n"), files("f", "b\n"), "f", "modified binary [whole]"},
		{"diff attribute", files("f", "\x00a\n", ".gitattributes", "f diff\n"), files("f", "\x00b\n"), "f", "modified text [-1 +1]"},
		{"LFS pointer", files("f", fmt.Sprintf(pointer, 1)), files("f", fmt.Sprintf(pointer, 2)), "f", "modified LFS pointer [whole]"},
		{"symlink", link("f", "a"), link("f", "b"), "f", "modified symlink [whole]"},
		{"file becomes symlink", files("f", "a\n"), link("f", "b"), "f", "modified symlink 100644>120000 [whole]"},
		{"mode only", files("f", "a\n"), mode("f"), "f", "modified text 100644>100755 [whole]"},
		{"mode and text", files("f", "a\n"), both(files("f", "b\n"), mode("f")), "f", "modified text 100644>100755 [-1 +1] [whole]"},
		{"pure rename", files("f", lines(9, "line %d")), both(gone("f"), files("g", lines(9, "line %d"))), "g", "renamed text [whole]"},
		{"rename with edit", files("f", lines(9, "line %d")), both(gone("f"), files("g", lines(9, "line %d")+"more\n")), "g", "renamed text [-9,0 +10]"},
		{"odd name", files("a \"b\"\nç/d\t", "a\n"), files("a \"b\"\nç/d\t", "b\n"), "a \"b\"\nç/d\t", "modified text [-1 +1]"},
		{"name like a header", files("x\n@@ -1 +1 @@", "a\n"), files("x\n@@ -1 +1 @@", "b\n"), "x\n@@ -1 +1 @@", "modified text [-1 +1]"},
		{"10,000 lines", files("f", lines(10000, "old %d")), files("f", lines(10000, "new %d")), "f", "modified text [-1,10000 +1,10000]"},
		{"conflict markers", files("f", "a\n"), files("f", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n"), "f", "modified text [-0,0 +1] [-1,0 +3,3]"},
		{"text like headers", files("f", "-- a/f\nx\n"), files("f", "++ b/f\nx\n@@ -1 +1 @@\n"), "f", "modified text [-1 +1] [-2,0 +3]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			r.write("other", "x\n")
			if c.old != nil {
				c.old(r)
			}
			base := r.commit("base")
			c.neu(r)
			head := r.commit("head")
			found := r.change("HEAD~1..HEAD").Files
			if len(found) != 1 || found[0].Path != c.path || shape(found[0]) != c.want {
				t.Fatalf("got %q %s, want %q %s", found[0].Path, shape(found[0]), c.path, c.want)
			}
			checkFile(t, r, pairOf{r.dir, base, head}, found[0])
		})
	}
}

func files(pairs ...string) func(*userRepo) { return func(r *userRepo) { r.write(pairs...) } }
func gone(path string) func(*userRepo)      { return func(r *userRepo) { r.remove(path) } }
func both(a, b func(*userRepo)) func(*userRepo) {
	return func(r *userRepo) { a(r); b(r) }
}

func mode(path string) func(*userRepo) {
	return func(r *userRepo) {
		if err := os.Chmod(filepath.Join(r.dir, path), 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
}

func link(path, target string) func(*userRepo) {
	return func(r *userRepo) {
		r.remove(path)
		if err := os.Symlink(target, filepath.Join(r.dir, path)); err != nil {
			r.t.Fatal(err)
		}
	}
}

func TestASubmoduleIsOneWholeHunk(t *testing.T) {
	lib := newRepo(t)
	lib.write("lib.txt", "lib\n")
	lib.commit("lib")
	r := newRepo(t)
	r.write("a", "a\n")
	r.commit("base")
	r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "sub")
	r.write(".gitmodules", readFile(t, filepath.Join(r.dir, ".gitmodules"))+"\tignore = all\n")
	r.commit("head")
	found := r.change("HEAD~1..HEAD").Files
	if len(found) != 2 || shape(found[1]) != "added submodule [whole]" || found[1].NewMode != 0o160000 {
		t.Fatalf("got %s", shape(found[len(found)-1]))
	}
}

func TestTheUsersSettingsDoNotChangeHunks(t *testing.T) {
	r := newRepo(t)
	r.write("f", "a\n{\n\n}\nb\nc\nd\ne\n", "g", "1\n2\n3\n4\n5\n6\n")
	r.commit("base")
	r.remove("g")
	r.write("f", "a\n{\n\n}\n{\n\n}\nB\nc\nD\ne\n", "h", "1\n2\n3\n4\n5\n6\n")
	r.commit("head")
	shapes := func() string {
		var all []string
		for _, f := range r.change("HEAD~1..HEAD").Files {
			all = append(all, f.Path+" "+shape(f))
		}
		return strings.Join(all, "\n")
	}
	want := shapes()
	for _, setting := range []string{
		"diff.noprefix=true", "diff.mnemonicPrefix=true", "diff.renames=false", "diff.context=9", "diff.interHunkContext=9",
		"diff.algorithm=patience", "diff.indentHeuristic=false", "diff.external=false", "color.ui=always", "diff.renameLimit=0",
		"core.quotePath=false", "diff.relative=true", "diff.submodule=log", "core.pager=false", "diff.wordRegex=.", "diff.suppressBlankEmpty=true",
	} {
		key, value, _ := strings.Cut(setting, "=")
		r.git("config", key, value)
		if got := shapes(); got != want {
			t.Errorf("with %s:\n%s\nwant:\n%s", setting, got, want)
		}
		r.git("config", "--unset", key)
	}
}

func TestIDsDoNotDependOnLineNumbers(t *testing.T) {
	r := newRepo(t)
	r.write("f", "x\na\nx\na\nx\n")
	r.commit("base")
	r.write("f", "x\nb\nx\nb\nx\n")
	r.commit("head")
	first := r.change("HEAD~1..HEAD").Hunks()
	r.git("checkout", "-q", "HEAD~1")
	r.write("f", "new\nx\na\nx\na\nx\n")
	r.commit("base moved down")
	r.write("f", "new\nx\nb\nx\nb\nx\n")
	r.commit("head")
	second := r.change("HEAD~1..HEAD").Hunks()
	if len(first) != 2 || len(second) != 2 || first[0].ID == first[1].ID {
		t.Fatalf("got %v and %v", first, second)
	}
	for i := range first {
		if first[i].ID != second[i].ID || first[i].New.Start == second[i].New.Start {
			t.Errorf("hunk %d: %s at %s became %s at %s", i, first[i].ID, first[i].New, second[i].ID, second[i].New)
		}
	}
}

func TestASHA256RepositoryIsReadAndLent(t *testing.T) {
	r := newRepo(t, "--object-format=sha256")
	r.write("f", "a\n")
	r.commit("base")
	r.write("f", "b\n")
	r.commit("head")
	c := r.change("HEAD~1..HEAD")
	if got := shape(c.Files[0]); got != "modified text [-1 +1]" || string(c.Files[0].New) != "b\n" {
		t.Fatalf("got %s %q", got, c.Files[0].New)
	}
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	if err := tree.Apply([]change.Edit{c.Hunks()[0].Undo()}); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(tree.Dir(), "f")); got != "a\n" {
		t.Errorf("got %q", got)
	}
}

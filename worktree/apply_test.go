package worktree_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/worktree"
)

func TestAnEditThatDoesNotFitLeavesNothingApplied(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n", "z.txt", "z\n", "crlf.bat", "a\nb\n", ".gitattributes", "*.bat text eol=crlf\n", "sub/deep", "x\n")
	link("link", "a.txt")(r)
	link("out", "/")(r)
	r.commit("head")
	ok := change.Edit{Path: "a.txt", Start: 0, End: 1, Text: []byte("b")}
	cases := []struct {
		name  string
		edits []change.Edit
		kind  error
	}{
		{"outside the file", []change.Edit{ok, {Path: "z.txt", Start: 0, End: 9}}, nil},
		{"overlapping", []change.Edit{ok, {Path: "a.txt", Start: 0, End: 2}}, nil},
		{"not at head", []change.Edit{ok, {Path: "b.txt"}}, worktree.ErrNotHead},
		{"a symbolic link", []change.Edit{ok, {Path: "link"}}, worktree.ErrUnsupported},
		{"other line ends than the blob", []change.Edit{ok, {Path: "crlf.bat", Start: 0, End: 1}}, worktree.ErrUnsupported},
		{"created twice", []change.Edit{ok, {Path: "z.txt", Op: change.Create}}, worktree.ErrNotHead},
		{"created and edited", []change.Edit{{Path: "a.txt", Op: change.Create}, ok}, nil},
		{"created as a link", []change.Edit{ok, {Path: "n", Op: change.Create, Mode: 0o120000}}, worktree.ErrUnsupported},
		{"created below a created one", []change.Edit{ok, {Path: "n", Op: change.Create}, {Path: "n/x", Op: change.Create}}, nil},
		{"created below a file", []change.Edit{ok, {Path: "z.txt/n", Op: change.Create}}, nil},
		{"through a link", []change.Edit{ok, {Path: "out/tmp/assay-was-here", Op: change.Create}}, nil},
		{"above the tree", []change.Edit{ok, {Path: "../x", Op: change.Create}}, nil},
		{"absolute", []change.Edit{ok, {Path: filepath.Join(r.dir, "x"), Op: change.Create}}, nil},
		{"in .git", []change.Edit{ok, {Path: ".git/hooks/x", Op: change.Create}}, nil},
	}
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	if got := readFile(t, filepath.Join(tree.Dir(), "crlf.bat")); got != "a\r\nb\r\n" {
		t.Fatalf("not checked out as a user has it: %q", got)
	}
	before := contents(t, tree.Dir())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := tree.Apply(c.edits)
			if err == nil || c.kind != nil && !errors.Is(err, c.kind) {
				t.Errorf("got %v, want %v", err, c.kind)
			}
			wantSame(t, before, contents(t, tree.Dir()))
		})
	}
	if err := tree.Apply([]change.Edit{ok}); err != nil {
		t.Errorf("after all these a good one fails: %v", err)
	}
	if err := tree.Apply([]change.Edit{{Path: "z.txt", Op: change.Remove}}); !errors.Is(err, worktree.ErrNotHead) {
		t.Errorf("a second edit without a restore: %v", err)
	}
}

func TestApplyLooksAtTheBytesBefore(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n", "b.txt", "b\n")
	r.commit("head")
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	writeFile(t, filepath.Join(tree.Dir(), "b.txt"), "B\n")
	err := tree.Apply([]change.Edit{{Path: "a.txt", Op: change.Remove}, {Path: "b.txt", Start: 0, End: 1}})
	if !errors.Is(err, worktree.ErrNotHead) {
		t.Errorf("got %v", err)
	}
	if got := readFile(t, filepath.Join(tree.Dir(), "a.txt")); got != "a\n" {
		t.Errorf("a.txt holds %q", got)
	}
}

func TestEditsOfSeveralFilesAtOnce(t *testing.T) {
	r := newRepo(t)
	r.write("a", "one\ntwo\nthree\n", "b", "b\n", "gone/x", "x\n", "script", "#!\n")
	mode("script")(r)
	r.commit("base")
	r.write("a", "ONE\ntwo\nTHREE\n", "new/n", "n\n", "script", "#!!\n")
	r.remove("gone")
	r.commit("head")
	base := acquire(t, (&userRepo{t, r.dir}).poolOf("HEAD~1"))
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	var edits []change.Edit
	for _, h := range r.change("HEAD~1..HEAD").Hunks() {
		edits = append(edits, h.Undo())
	}
	if err := tree.Apply(edits); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(tree.Dir(), "new")); err != nil { // empty; git knows no directories
		t.Error(err)
	}
	wantSame(t, contents(t, base.Dir()), contents(t, tree.Dir()))
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(tree.Dir(), "a")); !strings.HasPrefix(got, "ONE") {
		t.Errorf("got %q", got)
	}
}

func (r *userRepo) poolOf(spec string) *worktree.Pool {
	r.t.Helper()
	repo := r.open()
	_, head, err := repo.Resolve(r.t.Context(), "HEAD.."+spec)
	if err != nil {
		r.t.Fatal(err)
	}
	return newPool(r.t, repo, head, 1, worktree.DefaultOptions())
}

// A file whose attributes contradict what was committed is modified right
// after checkout, in every clone.
func TestAFileThatGitCallsModifiedAtOnce(t *testing.T) {
	r := newRepo(t)
	r.write("odd.txt", "a\r\nb\r\n", "a.txt", "a\n")
	r.commit("base")
	r.write(".gitattributes", "*.txt text eol=lf\n")
	r.git("add", ".gitattributes")
	r.git("commit", "-q", "-m", "head")
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	born, before := stat(t, tree.Dir()), contents(t, tree.Dir())
	if got := (&userRepo{t, tree.Dir()}).git("status", "--porcelain"); got == "" {
		t.Fatal("git does not call it modified, so this test says nothing")
	}
	files("odd.txt", "vandal\r\n", "a.txt", "vandal\n")(&userRepo{t, tree.Dir()})
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	wantSame(t, before, contents(t, tree.Dir()))
	if !os.SameFile(born, stat(t, tree.Dir())) {
		t.Error("the tree was made anew")
	}
	if err := tree.Apply([]change.Edit{{Path: "odd.txt", Start: 0, End: 1, Text: []byte("A")}}); err != nil {
		t.Errorf("its bytes are those of the blob, but: %v", err)
	}
}

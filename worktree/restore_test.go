package worktree_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/change"
	"assay/worktree"
)

// Each of these is something a test did to trees of somebody's tool.
func TestRestoreTakesBackWhatARunDid(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n", "pkg/b.py", "b\n", "pkg/deep/c.py", "c\n", "run.sh", "#!/bin/sh\n", ".gitignore", "*.log\n__pycache__/\ntarget/\ncache.json\n")
	mode("run.sh")(r)
	link("link", "a.txt")(r)
	r.commit("head")
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "precious"), "x")
	cases := map[string]func(tree *userRepo){
		"edited a tracked file":          files("a.txt", "z\n"),
		"edited it in the same size":     files("pkg/b.py", "B\n"),
		"edited it and set its time":     sameTime("a.txt", "A\n"),
		"removed a file":                 gone("a.txt"),
		"removed a directory":            gone("pkg"),
		"left an untracked file":         files("pkg/new.py", "n\n"),
		"left an untracked directory":    files("new/deep/n.py", "n\n"),
		"left an empty directory":        directory("empty/dir"),
		"left an ignored file":           files("cache.json", "poison"),
		"left byte code":                 files("pkg/__pycache__/b.cpython-311.pyc", "stale"),
		"left a directory without write": both(files("ro/f", "x"), chmod("ro", 0o500)),
		"made a script plain":            chmod("run.sh", 0o644),
		"put a file for a directory":     both(gone("pkg"), files("pkg", "file")),
		"put a directory for a file":     both(gone("a.txt"), files("a.txt/x", "x")),
		"put a link for a directory":     both(gone("pkg"), link("pkg", outside)),
		"put a link for a file":          both(gone("a.txt"), link("a.txt", filepath.Join(outside, "precious"))),
		"changed a link":                 link("link", "run.sh"),
		"put a file for a link":          both(gone("link"), files("link", "x")),
		"staged and committed": func(r *userRepo) {
			r.write("a.txt", "committed\n")
			r.commit("by a test")
		},
		"told git not to look": func(r *userRepo) {
			r.git("update-index", "--assume-unchanged", "a.txt")
			r.git("config", "core.worktree", outside)
			r.git("config", "core.excludesFile", "/dev/null")
			r.write("a.txt", "hidden\n", ".git/info/exclude", "*\n", "x/y", "hidden")
		},
		"removed .git":       gone(".git"),
		"put a file for it":  both(gone(".git"), files(".git", "gitdir: "+r.dir+"/.git\n")),
		"left a merge alone": files(".git/MERGE_HEAD", "x"),
	}
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	born := stat(t, tree.Dir())
	want, git := contents(t, tree.Dir()), everything(t, filepath.Join(tree.Dir(), ".git"))
	for name, vandal := range cases {
		t.Run(name, func(t *testing.T) {
			if err := tree.Apply([]change.Edit{{Path: "pkg/deep/c.py", Start: 0, End: 1, Text: []byte("edited")}}); err != nil {
				t.Fatal(err)
			}
			vandal(&userRepo{t, tree.Dir()})
			if err := tree.Restore(); err != nil {
				t.Fatal(err)
			}
			if !os.SameFile(born, stat(t, tree.Dir())) {
				t.Error("the tree was made anew, which is for what cannot be tidied")
				born = stat(t, tree.Dir())
			}
			wantSame(t, want, contents(t, tree.Dir()))
			wantSame(t, timeless(git), timeless(everything(t, filepath.Join(tree.Dir(), ".git"))))
			if got := (&userRepo{t, tree.Dir()}).git("status", "--porcelain"); got != "" {
				t.Errorf("git status says %s", got)
			}
			if got := readFile(t, filepath.Join(outside, "precious")); got != "x" {
				t.Errorf("a file outside now holds %q", got)
			}
		})
	}
}

func stat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// timeless keeps names and sizes: .git is written anew, with other times.
func timeless(all map[string]string) map[string]string {
	names := map[string]string{}
	for name := range all {
		names[name] = ""
	}
	return names
}

func directory(path string) func(*userRepo) {
	return func(r *userRepo) {
		if err := os.MkdirAll(filepath.Join(r.dir, path), 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
}

func chmod(path string, perm os.FileMode) func(*userRepo) {
	return func(r *userRepo) {
		if err := os.Chmod(filepath.Join(r.dir, path), perm); err != nil {
			r.t.Fatal(err)
		}
	}
}

func sameTime(path, content string) func(*userRepo) {
	return func(r *userRepo) {
		full := filepath.Join(r.dir, path)
		info, err := os.Stat(full)
		if err != nil {
			r.t.Fatal(err)
		}
		r.write(path, content)
		if err := os.Chtimes(full, info.ModTime(), info.ModTime()); err != nil {
			r.t.Fatal(err)
		}
	}
}

func TestBuildCachesThatGitIgnoresStay(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n", ".gitignore", "/target/\n")
	r.commit("head")
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	born := stat(t, tree.Dir())
	files("target/debug/x", "built", "sub/target/x", "not ignored")(&userRepo{t, tree.Dir()})
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(born, stat(t, tree.Dir())) {
		t.Error("the tree was made anew")
	}
	if got := readFile(t, filepath.Join(tree.Dir(), "target/debug/x")); got != "built" {
		t.Errorf("the cache holds %q", got)
	}
	if _, err := os.Stat(filepath.Join(tree.Dir(), "sub")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what git does not ignore stayed (%v)", err)
	}
}

// A stale byte code file matches by size and by the time in seconds.
func TestNoTwoVersionsOfAFileShareASecond(t *testing.T) {
	r := newRepo(t)
	r.write("a.py", "a\n")
	r.commit("head")
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	seen := map[int64]string{}
	note := func() {
		t.Helper()
		path := filepath.Join(tree.Dir(), "a.py")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		second := info.ModTime().Unix()
		if was, used := seen[second]; used {
			t.Errorf("second %d is that of %q and of %q", second, was, readFile(t, path))
		}
		for earlier := range seen {
			if second < earlier {
				t.Errorf("the time went back from %d to %d", earlier, second)
			}
		}
		seen[second] = readFile(t, path)
	}
	note()
	for _, text := range []string{"b", "c", "d"} {
		if err := tree.Apply([]change.Edit{{Path: "a.py", Start: 0, End: 1, Text: []byte(text)}}); err != nil {
			t.Fatal(err)
		}
		note()
		if err := tree.Restore(); err != nil {
			t.Fatal(err)
		}
		note()
	}
	writeFile(t, filepath.Join(tree.Dir(), "a.py"), "written by a test\n")
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	note()
	info, err := os.Stat(filepath.Join(tree.Dir(), "a.py"))
	if err != nil || info.ModTime().After(time.Now().Add(time.Hour)) {
		t.Errorf("the time lies at %v (%v)", info.ModTime(), err)
	}
}

func TestATreeThatCannotBeTidiedIsMadeAnew(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("head")
	pool := r.pool(1, worktree.DefaultOptions())
	tree := acquire(t, pool)
	want := contents(t, tree.Dir())
	indexes, err := filepath.Glob(filepath.Join(filepath.Dir(pool.Scratch()), "judge.git", "index-*"))
	if err != nil || len(indexes) != 1 {
		t.Fatalf("got %v %v", indexes, err)
	}
	writeFile(t, indexes[0], "garbage")
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	wantSame(t, want, contents(t, tree.Dir()))
	if err := os.RemoveAll(tree.Dir()); err != nil {
		t.Fatal(err)
	}
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	wantSame(t, want, contents(t, tree.Dir()))
}

func TestATreeThatLeadsElsewhereIsNotWritten(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("head")
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	before := everything(t, r.dir)
	if err := os.RemoveAll(tree.Dir()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(r.dir, tree.Dir()); err != nil {
		t.Fatal(err)
	}
	if err := tree.Apply([]change.Edit{{Path: "a.txt", Op: change.Remove}}); err == nil || !strings.Contains(err.Error(), r.dir) {
		t.Errorf("got %v", err)
	}
	if err := tree.Restore(); err == nil {
		t.Error("restored into the user's tree")
	}
	wantSame(t, before, everything(t, r.dir))
}

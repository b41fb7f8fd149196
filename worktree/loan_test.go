package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/worktree"
)

// large makes a directory too large to be copied.
func large(dir string) func(*userRepo) {
	return func(r *userRepo) {
		for i := range 1001 {
			r.write(filepath.Join(dir, strings.Repeat("x", i%7+1), "f"+strings.Repeat("y", i/7)), "")
		}
	}
}

func isLink(t *testing.T, path string) bool {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()&fs.ModeSymlink != 0
}

func TestIgnoredFilesThatTestsNeedAreLent(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "node_modules\nbuild/\n.venv/\n/data\n.env\n*.pyc\n", "packages/own/index.js", "own\n")
	r.commit("head")
	large("node_modules/big")(r)
	r.write("node_modules/dep/index.js", "dep\n", "node_modules/@scope/p/index.js", "p\n", "node_modules/.cache/c", "c\n", "node_modules/.git", "gitdir: x\n",
		"web/node_modules/small/index.js", "small\n", ".venv/bin/python", "python\n", "data/deep/model.bin", "model\n", "data/other", "other\n", ".env", "KEY=1\n",
		"build/out", "not asked for\n", "x.pyc", "stale")
	link("node_modules/own", "../packages/own")(r)
	r.write("node_modules/.bin/keep", "")
	link("node_modules/.bin/dep", "../dep/index.js")(r)
	opts := worktree.DefaultOptions()
	opts.Copy = []string{"data/**/*.bin", ".env"}
	before := everything(t, r.dir)
	pool := r.pool(1, opts)
	tree := acquire(t, pool)
	in := func(path string) string { return filepath.Join(tree.Dir(), path) }
	for path, content := range map[string]string{
		"node_modules/dep/index.js": "dep\n", "node_modules/@scope/p/index.js": "p\n", "web/node_modules/small/index.js": "small\n",
		"node_modules/.bin/dep": "dep\n", ".venv/bin/python": "python\n", "data/deep/model.bin": "model\n", ".env": "KEY=1\n",
	} {
		if got := readFile(t, in(path)); got != content {
			t.Errorf("%s holds %q", path, got)
		}
	}
	if !isLink(t, in("node_modules/dep")) || !isLink(t, in("node_modules/big")) || isLink(t, in("node_modules")) || isLink(t, in("web/node_modules/small")) {
		t.Error("what is large is linked, what is small is copied, and the directory itself is the tree's own")
	}
	for _, path := range []string{"build", "data/other", "x.pyc", "node_modules/.cache", "node_modules/.git"} {
		if _, err := os.Lstat(in(path)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is in the tree (%v)", path, err)
		}
	}
	// A workspace package is the tree's own code, never the user's.
	if real := resolved(t, in("node_modules/own")); real != in("packages/own") {
		t.Errorf("node_modules/own leads to %s", real)
	}
	want := contents(t, tree.Dir())
	files("node_modules/.cache/new", "n", "web/node_modules/small/index.js", "patched", "data/deep/left", "x", "node_modules/added/x", "x")(&userRepo{t, tree.Dir()})
	gone(".env")(&userRepo{t, tree.Dir()})
	gone("node_modules/dep")(&userRepo{t, tree.Dir()})
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	wantSame(t, want, contents(t, tree.Dir()))
	wantSame(t, before, everything(t, r.dir))
	if got := (&userRepo{t, tree.Dir()}).git("status", "--porcelain"); got != "" {
		t.Errorf("git status says %q", got)
	}
	missing, err := pool.IgnoredOnly(t.Context(), 10)
	if got := strings.Join(missing, " "); err != nil || got != "build/ data/" {
		t.Errorf("only in the user's tree: %q (%v)", got, err)
	}
}

func TestIgnoredOnlyIsBounded(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "*.log\n__pycache__/\n.pytest_cache/\n")
	r.commit("head")
	r.write("a.log", "", "b.log", "", "c.log", "", "__pycache__/x.pyc", "", "pkg/__pycache__/x.pyc", "", ".pytest_cache/x", "")
	got, err := r.open().IgnoredOnly(t.Context(), 2)
	if err != nil || strings.Join(got, " ") != "a.log b.log" {
		t.Errorf("got %q %v", got, err)
	}
}

func TestAPatternThatIsNoGlobIsRefused(t *testing.T) {
	r := newRepo(t)
	r.commit("head")
	for _, opts := range []worktree.Options{{Link: []string{"a["}}, {Copy: []string{"b/a["}}, {Keep: []string{"a["}}} {
		opts.CacheDir = options(t).CacheDir
		if _, err := worktree.NewPool(t.Context(), r.open(), head(t, r), 1, opts); err == nil || !strings.Contains(err.Error(), "a[") {
			t.Errorf("got %v", err)
		}
	}
}

func TestSubmodulesAreLentWhenTheUserHasThem(t *testing.T) {
	lib := newRepo(t)
	lib.write("lib.txt", "lib\n")
	lib.commit("lib")
	r := newRepo(t)
	r.write("a", "a\n")
	r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "third_party/sub")
	r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", lib.dir, "empty")
	r.commit("head")
	r.git("submodule", "deinit", "-q", "-f", "empty")
	tree := acquire(t, r.pool(1, worktree.DefaultOptions()))
	before := contents(t, tree.Dir())
	if got := readFile(t, filepath.Join(tree.Dir(), "third_party/sub/lib.txt")); got != "lib\n" {
		t.Errorf("got %q", got)
	}
	files("third_party/sub/lib.txt", "vandal", "third_party/sub/new", "x", "empty/new", "x")(&userRepo{t, tree.Dir()})
	if err := tree.Restore(); err != nil {
		t.Fatal(err)
	}
	wantSame(t, before, contents(t, tree.Dir()))
	if got := readFile(t, filepath.Join(r.dir, "third_party/sub/lib.txt")); got != "lib\n" {
		t.Errorf("the user's submodule holds %q", got)
	}
}

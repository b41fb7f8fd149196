package worktree_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/worktree"
)

// TestMain lets the test binary be the process that is killed while it holds
// trees.
func TestMain(m *testing.M) {
	if dir := os.Getenv("ASSAY_TEST_VICTIM"); dir != "" {
		beVictim(dir, os.Getenv("ASSAY_TEST_CACHE"))
	}
	os.Exit(m.Run())
}

// A userRepo is a repository with real git in a temporary directory.
type userRepo struct {
	t   *testing.T
	dir string
}

// gitEnv keeps the machine's own git settings out of the tests.
func gitEnv() []string {
	env := []string{"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com"}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			env = append(env, kv)
		}
	}
	return env
}

func newRepo(t *testing.T, initArgs ...string) *userRepo {
	t.Helper()
	dir := filepath.Join(resolved(t, t.TempDir()), "proj")
	r := &userRepo{t, dir}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	return r
}

func resolved(t *testing.T, dir string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

func (r *userRepo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, gitEnv()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// write puts files in the work tree: path, content, path, content.
func (r *userRepo) write(pairs ...string) {
	r.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		writeFile(r.t, filepath.Join(r.dir, pairs[i]), pairs[i+1])
	}
}

func (r *userRepo) remove(path string) {
	r.t.Helper()
	if err := os.RemoveAll(filepath.Join(r.dir, path)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *userRepo) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func (r *userRepo) open() *worktree.Repo {
	r.t.Helper()
	repo, err := worktree.Open(r.t.Context(), r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	return repo
}

// change reads a change of the repository.
func (r *userRepo) change(spec string) *change.Change {
	r.t.Helper()
	repo := r.open()
	base, head, err := repo.Resolve(r.t.Context(), spec)
	if err != nil {
		r.t.Fatal(err)
	}
	c, err := repo.Change(r.t.Context(), base, head)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// pool makes a pool of HEAD that ends with the test.
func (r *userRepo) pool(size int, opts worktree.Options) *worktree.Pool {
	r.t.Helper()
	repo := r.open()
	_, head, err := repo.Resolve(r.t.Context(), "HEAD")
	if err != nil {
		r.t.Fatal(err)
	}
	return newPool(r.t, repo, head, size, opts)
}

func newPool(t *testing.T, repo *worktree.Repo, head change.Revision, size int, opts worktree.Options) *worktree.Pool {
	t.Helper()
	if opts.CacheDir == "" {
		opts.CacheDir = resolved(t, t.TempDir())
	}
	p, err := worktree.NewPool(t.Context(), repo, head, size, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func acquire(t *testing.T, p *worktree.Pool) *worktree.Tree {
	t.Helper()
	tree, err := p.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// beVictim holds an edited tree until it is killed.
func beVictim(dir, cache string) {
	ctx := context.Background()
	fail := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	repo, err := worktree.Open(ctx, dir)
	fail(err)
	_, err = repo.Snapshot(ctx, worktree.Options{CacheDir: cache})
	fail(err)
	_, head, err := repo.Resolve(ctx, "HEAD")
	fail(err)
	pool, err := worktree.NewPool(ctx, repo, head, 1, worktree.Options{CacheDir: cache})
	fail(err)
	tree, err := pool.Acquire(ctx)
	fail(err)
	fail(tree.Apply([]change.Edit{{Path: "a.txt", Op: change.Remove}}))
	fmt.Println("ready", tree.Dir())
	select {}
}

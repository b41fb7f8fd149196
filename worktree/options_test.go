package worktree_test

import (
	"testing"

	"assay/worktree"
)

// options are the defaults with a cache directory of the test's own.
func options(t *testing.T) worktree.Options {
	t.Helper()
	opts := worktree.DefaultOptions()
	opts.CacheDir = resolved(t, t.TempDir())
	return opts
}

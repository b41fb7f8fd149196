package worktree

// Settled reports whether the next Restore may do with a walk of the tree.
func (t *Tree) Settled() bool { return t.seen != nil }

//go:build unix

package pytest

// canFork: a running interpreter can be forked here.
const canFork = true

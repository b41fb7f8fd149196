package prove

import (
	"context"

	"assay/change"
	"assay/harness"
	"assay/mutate"
	"assay/probe"
)

// A Language pairs what reads a language's source with what runs its tests.
// The pairs are listed in cmd/assay/languages.go; this package imports none.
type Language struct {
	Name    string          // "go", "python"
	Source  mutate.Source   // nil for a language that is only run, never read
	Ladder  mutate.Ladder   // finds how hunks are un-done that cannot be un-done alone; nil for none
	Mutator mutate.Mutator  // makes mutants of its source; nil for none
	Harness harness.Harness // runs its tests
	Flags   []string        // further flags for Harness, see harness.Options
	Prober  probe.Prober    // nil where deadlines are not probed
}

// Trees lends throwaway trees that hold head.
type Trees interface {
	// Acquire blocks until a tree is free or ctx ends.
	Acquire(ctx context.Context) (Tree, error)
	// Size is how many trees can be out at once.
	Size() int
}

// A Tree is one throwaway copy of head.
type Tree interface {
	Dir() string     // absolute; its base name is that of the user's repository
	Scratch() string // a directory of this tree's own, outside Dir
	// Apply puts edits on disk, head before, exactly the edited bytes after;
	// it fails, with nothing left applied, when either does not hold.
	Apply([]change.Edit) error
	// Restore brings head back, removing whatever a run left behind, and
	// verifies the bytes of every file that was edited.
	Restore() error
	// Release gives the tree back; it must hold head.
	Release()
}

package prove

import (
	"context"
	"errors"
	"fmt"

	"assay/change"
)

// WithEdits lends the trees of another pool with edits standing in them: what
// they hold in place of head is head with these edits, and that is what
// Restore brings back. It is how the tests of base meet the production code of
// head. Edits that are applied to such a tree are in coordinates of what it
// holds.
func WithEdits(trees Trees, standing []change.Edit) Trees { return &pastTrees{trees, standing} }

type pastTrees struct {
	Trees
	standing []change.Edit
}

// Acquire lends a tree in which the edits stand.
func (p *pastTrees) Acquire(ctx context.Context) (Tree, error) {
	tree, err := p.Trees.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	past := &pastTree{Tree: tree, standing: p.standing}
	if err := past.stand(); err != nil {
		err = errors.Join(fmt.Errorf("putting the base's tests into a tree: %w", err), tree.Restore())
		tree.Release()
		return nil, err
	}
	return past, nil
}

// A Holder is a Tree that can tell whether anything was written in it.
type Holder interface {
	// Hold remembers how the tree lies, edits included.
	Hold() error
	// Held reports whether it still lies so; false where that cannot be told.
	Held() bool
}

type pastTree struct {
	Tree
	standing []change.Edit
	upper    bool // further edits lie on top of those that stand
}

// stand puts the standing edits into a tree that holds head.
func (t *pastTree) stand() error {
	if err := t.Tree.Apply(t.standing); err != nil {
		return err
	}
	t.upper = false
	if h, ok := t.Tree.(Holder); ok {
		return h.Hold()
	}
	return nil
}

// Apply puts edits on top of those that stand. When it fails, these still do.
func (t *pastTree) Apply(edits []change.Edit) error {
	all, err := stacked(t.standing, edits)
	if err != nil {
		return err
	}
	if err := t.Tree.Restore(); err != nil {
		return err
	}
	t.upper = true
	if err := t.Tree.Apply(all); err != nil {
		return errors.Join(err, t.stand())
	}
	return nil
}

// Restore brings back head and the edits that stand. It costs one look at the
// tree where nothing was written in it.
func (t *pastTree) Restore() error {
	if h, ok := t.Tree.(Holder); ok && !t.upper && h.Held() {
		return nil
	}
	if err := t.Tree.Restore(); err != nil {
		return err
	}
	return t.stand()
}

// Release takes the standing edits out and gives the tree back. A tree that
// cannot be restored is made anew by its pool.
func (t *pastTree) Release() {
	_ = t.Tree.Restore() // the pool looks for itself what the tree holds
	t.Tree.Release()
}

// stacked is upper on top of lower as edits of head: upper is in coordinates
// of what lower leaves. lower edits a path as a whole, as File.ToBase does.
func stacked(lower, upper []change.Edit) ([]change.Edit, error) {
	all := make([]change.Edit, len(lower))
	copy(all, lower)
	over := map[string][]change.Edit{}
	for _, e := range upper {
		over[e.Path] = append(over[e.Path], e)
	}
	for i, e := range all {
		above, both := over[e.Path]
		if !both {
			continue
		}
		if e.Op == change.Remove {
			return nil, fmt.Errorf("%s is not there to be edited", e.Path)
		}
		text, err := change.Apply(e.Text, above)
		if err != nil {
			return nil, err
		}
		all[i].Text = text
		delete(over, e.Path)
	}
	for _, e := range upper {
		if _, free := over[e.Path]; free {
			all = append(all, e)
		}
	}
	return all, nil
}

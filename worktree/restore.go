package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A layout is the directories that head and the loans have, each with the
// entries that belong in it. The value says what an entry is.
type layout map[string]map[string]place

type place int

const (
	aFile place = iota
	aDir
	aLoan
)

// layout computes what belongs in a tree.
func (j *judge) layout(loans []loan) layout {
	l := layout{".": {".git": aLoan}}
	for p, leaf := range j.head {
		if leaf.mode == modeSubmodule {
			l.add(p, aDir)
			l[p] = map[string]place{}
			continue
		}
		l.add(p, aFile)
	}
	for _, loan := range loans {
		l.add(loan.path, aLoan)
		delete(l, loan.path)
	}
	return l
}

func (l layout) add(p string, what place) {
	dir := path.Dir(p)
	if l[dir] == nil {
		l[dir] = map[string]place{}
		l.add(dir, aDir)
	}
	l[dir][path.Base(p)] = what
}

// Restore brings head back: edited files get their bytes and are read back,
// what a run altered is checked out again, what it left behind is removed,
// except ignored build caches (Options.Keep) and what the tree was given of
// the user's. It also undoes what a test did to the tree's own .git. When that
// cannot be done piece by piece the tree is made anew, so an error means that
// the tree is of no use. A tree in which nothing was written since it was last
// found to hold head costs one walk of it and no process.
func (t *Tree) Restore() error {
	ctx := t.pool.ctx
	if err := ctx.Err(); err != nil {
		return err
	}
	err := t.guard()
	if err == nil && len(t.edited) == 0 && !t.broken {
		now, ok := look(t.dir)
		if ok && now.same(t.seen) {
			return nil
		}
		if err = t.tidy(ctx); err == nil {
			t.settle(now, ok)
		}
	} else if err == nil {
		err = t.tidy(ctx)
	}
	if err == nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	t.broken = true
	if again := t.make(ctx); again != nil {
		return cacheOr(ctx, t.pool.run.dir, errors.Join(fmt.Errorf("restore %s: %w", t.dir, err), again))
	}
	return nil
}

// settle remembers how the tree lay before it was tidied, provided that there
// was nothing to tidy.
func (t *Tree) settle(before seen, ok bool) {
	t.seen = nil
	if after, still := look(t.dir); ok && still && after.same(before) {
		t.seen = before
	}
}

func (t *Tree) tidy(ctx context.Context) error {
	if err := t.sweep(ctx); err != nil {
		return err
	}
	if err := t.unapply(); err != nil {
		return err
	}
	for _, l := range t.pool.loans {
		if !t.lent[l.path].same(filepath.Join(t.dir, filepath.FromSlash(l.path))) {
			if err := t.lend(l); err != nil {
				return err
			}
		}
	}
	if err := t.checkout(ctx); err != nil {
		return err
	}
	if !t.dotgit.same(filepath.Join(t.dir, ".git")) {
		return t.makeDotGit()
	}
	return nil
}

// sweep removes every entry that head and the loans do not have, and every
// entry that is not of the kind it should be.
func (t *Tree) sweep(ctx context.Context) error {
	for dir, entries := range t.known {
		listed, err := fs.ReadDir(t.root.FS(), dir)
		if errors.Is(err, fs.ErrNotExist) || isNotDir(t.root, dir) {
			continue // a run removed it; checkout brings it back
		}
		if err != nil {
			return err
		}
		for _, e := range listed {
			what, known := entries[e.Name()]
			if known && (what == aLoan || (what == aDir) == e.IsDir()) {
				continue
			}
			p := path.Join(dir, e.Name())
			if keep, err := t.keeps(ctx, p); err != nil || keep && !known {
				if err != nil {
					return err
				}
				continue
			}
			if err := t.remove(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// isNotDir reports whether a run put something else in the place of dir, or of
// a directory above it.
func isNotDir(root *os.Root, dir string) bool {
	for at := dir; at != "."; at = path.Dir(at) {
		info, err := root.Lstat(at)
		if err != nil || !info.IsDir() {
			return true
		}
	}
	return false
}

// keeps tells build caches: named by Options.Keep, and ignored by git.
func (t *Tree) keeps(ctx context.Context, p string) (bool, error) {
	for _, pattern := range t.pool.opts.Keep {
		subject := p
		if !strings.Contains(pattern, "/") {
			subject = path.Base(p)
		}
		if !doublestar.MatchUnvalidated(pattern, subject) {
			continue
		}
		// check-ignore refuses literal pathspecs, and reads its input literally.
		g := t.git().with("GIT_LITERAL_PATHSPECS=0")
		_, ignored, err := g.found(ctx, "check-ignore", "--quiet", "--", "./"+p)
		return ignored, err
	}
	return false, nil
}

func (t *Tree) remove(p string) error {
	if t.root.RemoveAll(p) == nil {
		return nil
	}
	if isNotDir(t.root, path.Dir(p)) {
		return fmt.Errorf("%s lies behind a link", p)
	}
	return removeAll(filepath.Join(t.dir, filepath.FromSlash(p)))
}

// checkout asks the judge which files differ from head and brings those back.
func (t *Tree) checkout(ctx context.Context) error {
	wrong, err := t.wrong(ctx)
	if err != nil || len(wrong) == 0 {
		return err
	}
	list := []byte(strings.Join(wrong, "\x00") + "\x00")
	if _, err := t.git().run(ctx, list, "checkout-index", "--force", "--index", "--quiet", "-z", "--stdin"); err != nil {
		return err
	}
	for _, p := range wrong {
		if info, err := t.root.Lstat(p); err != nil || !info.Mode().IsRegular() {
			continue // a link; one that is missing is found below
		}
		stamp := t.tick()
		if err := t.root.Chtimes(p, stamp, stamp); err != nil {
			return err
		}
	}
	if wrong, err = t.wrong(ctx); err == nil && len(wrong) > 0 {
		err = fmt.Errorf("%s still differs from head after it was checked out", wrong[0])
	}
	return err
}

// wrong lists the tracked files that differ from what was checked out first.
func (t *Tree) wrong(ctx context.Context) ([]string, error) {
	listed, err := status(ctx, t.git(), "no")
	if err != nil {
		return nil, err
	}
	differ := map[string]bool{}
	for _, path := range listed {
		differ[path] = true
	}
	for p, id := range t.odd {
		content, err := t.root.ReadFile(p)
		differ[p] = err != nil || blobID(t.pool.judge.format, content) != id
	}
	var wrong []string
	for p, does := range differ {
		if does {
			wrong = append(wrong, p)
		}
	}
	return wrong, nil
}

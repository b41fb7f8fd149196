package worktree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// What is copied rather than linked though it is listed under Link.
const (
	smallBytes = 16 << 20
	smallFiles = 1000
)

// A loan is something of the user's tree that git does not hold and tests
// need: an ignored file or directory, or a populated submodule.
type loan struct {
	path string // slash-separated, relative to both trees
	from string // absolute, symbolic links resolved
	copy bool
}

// loans matches the patterns with what is ignored in the user's tree.
func (r *Repo) loans(ctx context.Context, j *judge, opts Options) ([]loan, error) {
	ignored, err := r.ignored(ctx)
	if err != nil {
		return nil, err
	}
	var found []loan
	for _, list := range []struct {
		patterns []string
		copy     bool
	}{{opts.Copy, true}, {opts.Link, false}} {
		for _, pattern := range list.patterns {
			paths, err := r.match(pattern, ignored)
			if err != nil {
				return nil, err
			}
			for _, p := range paths {
				found = append(found, loan{path: p, copy: list.copy})
			}
		}
	}
	for p, l := range j.head {
		if l.mode == modeSubmodule {
			found = append(found, loan{path: p})
		}
	}
	return r.settle(found, j)
}

// match returns the ignored paths a pattern means. With a slash it may reach
// into a directory that git lists collapsed.
func (r *Repo) match(pattern string, ignored []string) ([]string, error) {
	if !doublestar.ValidatePattern(pattern) {
		return nil, badPattern(pattern)
	}
	var paths []string
	if !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		for _, p := range ignored {
			p = strings.TrimSuffix(p, "/")
			if doublestar.MatchUnvalidated(strings.TrimSuffix(pattern, "/"), path.Base(p)) {
				paths = append(paths, p)
			}
		}
		return paths, nil
	}
	found, err := doublestar.Glob(os.DirFS(r.root), strings.Trim(pattern, "/"))
	if err != nil {
		return nil, fmt.Errorf("look for %q in %s: %w", pattern, r.root, err)
	}
	for _, p := range found {
		for _, i := range ignored {
			if p == strings.TrimSuffix(i, "/") || strings.HasSuffix(i, "/") && strings.HasPrefix(p, i) {
				paths = append(paths, p)
				break
			}
		}
	}
	return paths, nil
}

func badPattern(pattern string) error {
	return fmt.Errorf("the pattern %q is not a glob; close each [ and {, or write \\\\ before one that is meant literally", pattern)
}

// settle drops what lies in another loan or what head holds itself, and
// decides what is copied.
func (r *Repo) settle(found []loan, j *judge) ([]loan, error) {
	slices.SortStableFunc(found, func(a, b loan) int { return strings.Compare(a.path, b.path) })
	var settled []loan
	for _, l := range found {
		if len(settled) > 0 && within(settled[len(settled)-1].path+"/", l.path+"/") || j.holds(l.path) {
			continue
		}
		from, err := filepath.EvalSymlinks(filepath.Join(r.root, filepath.FromSlash(l.path)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a submodule that is not checked out, a dangling link
		}
		if err != nil {
			return nil, err
		}
		if l.from = from; !l.copy {
			if l.copy, err = small(from); err != nil {
				return nil, err
			}
		}
		settled = append(settled, l)
	}
	return settled, nil
}

// holds reports whether head has a file at or below path.
func (j *judge) holds(path string) bool {
	if l, is := j.head[path]; is {
		return l.mode != modeSubmodule
	}
	for p := range j.head {
		if strings.HasPrefix(p, path+"/") {
			return true
		}
	}
	return false
}

var errLarge = errors.New("large")

// small reports whether a file or directory is so small that a copy costs
// nothing.
func small(dir string) (bool, error) {
	var size int64
	files := 0
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files++
		if size += info.Size(); files > smallFiles || size > smallBytes {
			return errLarge
		}
		return nil
	})
	if errors.Is(err, errLarge) {
		return false, nil
	}
	return err == nil, err
}

// isPrivate tells what tools write into a package directory while tests run:
// linked, it would be written in the user's tree.
func isPrivate(name string) bool { return name == ".cache" || name == ".vite" || name == ".vitest" }

// lend puts the loan at to. A directory that is not copied becomes a real
// directory of links, so that what is made in it stays out of the user's
// tree, and so that a relative link in it (a workspace package) leads to the
// tree's own code.
func (l loan) lend(to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	info, err := os.Stat(l.from)
	if err != nil {
		return err
	}
	switch {
	case l.copy && info.IsDir():
		return copyTree(l.from, to)
	case l.copy:
		return copyFile(l.from, to, info)
	case info.IsDir():
		return mirror(l.from, to, true)
	}
	return os.Symlink(l.from, to)
}

func mirror(from, to string, deep bool) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		source, target := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		switch {
		case deep && isPrivate(e.Name()) || e.Name() == ".git":
		case e.Type()&fs.ModeSymlink != 0:
			err = copyLink(source, target)
		case deep && e.IsDir() && (e.Name() == ".bin" || strings.HasPrefix(e.Name(), "@")):
			err = mirror(source, target, false)
		default:
			err = os.Symlink(source, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies a directory with its links and times. The copy of a file
// shares its blocks where the system can (io.Copy uses copy_file_range). A
// .git file or directory is left out: it would lead git into the user's.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(source string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, source)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" && d.IsDir():
			return filepath.SkipDir
		case d.Name() == ".git":
			return nil
		case d.IsDir():
			return os.MkdirAll(target, info.Mode().Perm()|0o700)
		case d.Type()&fs.ModeSymlink != 0:
			return copyLink(source, target)
		case d.Type().IsRegular():
			return copyFile(source, target, info)
		}
		return nil // a socket or device is nobody's source
	})
}

func copyLink(from, to string) error {
	target, err := os.Readlink(from)
	if err != nil {
		return err
	}
	return os.Symlink(target, to)
}

func copyFile(from, to string, info fs.FileInfo) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Close())
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

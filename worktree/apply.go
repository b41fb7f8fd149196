package worktree

import (
	"bytes"
	"crypto/sha1" // git's object ids, not a safeguard
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"strings"

	"assay/change"
)

// An edited is one file as Apply found it and as it left it.
type edited struct {
	path    string
	before  []byte
	after   []byte
	perm    fs.FileMode
	existed bool // false: created
	exists  bool // false: removed
}

// Apply puts edits on disk. Every file must hold head's bytes before; the
// edited bytes are read back after. When anything does not hold, nothing is
// left applied. It fails with ErrNotHead when a file does not hold head or
// edits are already applied, and with ErrUnsupported for what is no regular
// file or is checked out with other bytes than git holds. No later edit of a
// path has the modification time of an earlier one, in whole seconds.
func (t *Tree) Apply(edits []change.Edit) error {
	if err := t.pool.ctx.Err(); err != nil {
		return err
	}
	if len(t.edited) > 0 || t.broken {
		return &Error{Kind: ErrNotHead, Text: t.dir + " does not hold head; restore it before the next edit"}
	}
	if err := t.guard(); err != nil {
		return err
	}
	var plans []edited
	for _, group := range byPath(edits) {
		p, err := t.plan(group)
		if err != nil {
			return fmt.Errorf("apply an edit of %s: %w", group[0].Path, err)
		}
		plans = append(plans, p)
	}
	for _, p := range plans {
		t.edited = append(t.edited, p)
		t.touched[p.path] = true
		if err := t.put(p.path, p.after, p.perm, p.exists); err != nil {
			return errors.Join(fmt.Errorf("apply an edit of %s: %w", p.path, err), t.unapply())
		}
	}
	return nil
}

// unapply takes edits away again. When that fails the tree is broken.
func (t *Tree) unapply() error {
	for len(t.edited) > 0 {
		last := t.edited[len(t.edited)-1]
		if err := t.put(last.path, last.before, last.perm, last.existed); err != nil {
			t.broken = true
			return fmt.Errorf("put head's %s back: %w", last.path, err)
		}
		t.edited = t.edited[:len(t.edited)-1]
	}
	return nil
}

// byPath groups edits by their path, in order of first appearance.
func byPath(edits []change.Edit) [][]change.Edit {
	var groups [][]change.Edit
	at := map[string]int{}
	for _, e := range edits {
		i, seen := at[e.Path]
		if !seen {
			i = len(groups)
			at[e.Path] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// plan checks the edits of one path against head and the disk.
func (t *Tree) plan(edits []change.Edit) (edited, error) {
	e := edits[0]
	p := edited{path: e.Path, perm: 0o644, exists: true}
	first, _, _ := strings.Cut(e.Path, "/")
	// Valid but for its bytes: a name that git holds need not be UTF-8.
	if !fs.ValidPath(strings.ToValidUTF8(e.Path, "?")) || strings.EqualFold(first, ".git") {
		return p, fmt.Errorf("%q is no path of a file in the tree", e.Path)
	}
	if len(edits) > 1 {
		for _, other := range edits {
			if other.Op != change.Splice {
				return p, errors.New("a file that is created or removed cannot be edited as well")
			}
		}
	}
	if e.Op == change.Create {
		return t.planCreate(p, e)
	}
	info, content, err := t.headFile(e.Path)
	if err != nil {
		return p, err
	}
	p.before, p.perm, p.existed = content, info.Mode().Perm(), true
	if e.Op == change.Remove {
		p.exists = false
		return p, nil
	}
	p.after, err = change.Apply(content, edits)
	return p, err
}

func (t *Tree) planCreate(p edited, e change.Edit) (edited, error) {
	switch e.Mode {
	case 0, modeFile:
	case modeExecutable:
		p.perm = 0o755
	default:
		return p, &Error{Kind: ErrUnsupported, Text: fmt.Sprintf("%s is no regular file (mode %o); assay cannot make one", e.Path, e.Mode)}
	}
	if _, err := t.root.Lstat(e.Path); err == nil {
		return p, &Error{Kind: ErrNotHead, Text: e.Path + " is to be created, but is already there"}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return p, err
	}
	p.after = e.Text
	return p, nil
}

// headFile reads a file that must hold head's bytes.
func (t *Tree) headFile(path string) (fs.FileInfo, []byte, error) {
	leaf, tracked := t.pool.judge.head[path]
	if !tracked {
		return nil, nil, &Error{Kind: ErrNotHead, Text: path + " is not at head"}
	}
	if leaf.mode != modeFile && leaf.mode != modeExecutable {
		return nil, nil, &Error{Kind: ErrUnsupported, Text: fmt.Sprintf("%s is no regular file (mode %o); assay cannot edit it", path, leaf.mode)}
	}
	info, err := t.root.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &Error{Kind: ErrNotHead, Text: path + " is a regular file at head, but not in the tree"}
	}
	content, err := t.root.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	if id := blobID(t.pool.judge.format, content); id != leaf.id {
		return nil, nil, t.differs(path, leaf, id)
	}
	return info, content, nil
}

// differs says why a file does not have the bytes of its blob: because git
// converts it, or because a run altered it.
func (t *Tree) differs(path string, l leaf, id string) error {
	if t.odd[path] != id {
		g := t.pool.judge.on(t.dir, t.index)
		clean, err := g.line(t.pool.ctx, "hash-object", "--", path)
		if err != nil {
			return err
		}
		if clean != l.id {
			return &Error{Kind: ErrNotHead, Text: path + " no longer holds the bytes of head"}
		}
	}
	return &Error{Kind: ErrUnsupported, Text: path + " is checked out with other bytes than git holds (line-ending conversion or a filter), so assay cannot edit it byte by byte"}
}

// put makes name hold content, or not be there, and looks.
func (t *Tree) put(name string, content []byte, perm fs.FileMode, exists bool) error {
	if !exists {
		if isNotDir(t.root, path.Dir(name)) {
			return nil // nothing can be there
		}
		if err := t.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_, err := t.root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return errors.Join(err, errors.New("it is still there after it was removed"))
	}
	if err := t.write(name, content, perm); err != nil {
		return err
	}
	got, err := t.root.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, content) {
		return errors.New("it does not hold the bytes that were written")
	}
	return nil
}

// write replaces a file in one step, so that no process sees half of it.
func (t *Tree) write(name string, content []byte, perm fs.FileMode) error {
	dir := path.Dir(name)
	if err := t.root.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	part := path.Join(dir, ".assay-part")
	if err := t.root.WriteFile(part, content, perm); err != nil {
		return err
	}
	stamp := t.tick()
	err := errors.Join(t.root.Chmod(part, perm), t.root.Chtimes(part, stamp, stamp))
	if err == nil {
		err = t.root.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, t.root.Remove(part))
	}
	return nil
}

// blobID is the object id git gives content.
func blobID(format string, content []byte) string {
	var sum hash.Hash
	if format == "sha256" {
		sum = sha256.New()
	} else {
		sum = sha1.New()
	}
	_, _ = fmt.Fprintf(sum, "blob %d\x00", len(content)) // a hash never fails to write
	_, _ = sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

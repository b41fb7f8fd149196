package worktree

import (
	"bytes"
	"fmt"

	"assay/change"
)

// lfsPrefix starts every pointer file of Git LFS, which are under 1024 bytes
// (git-lfs docs/spec.md).
const (
	lfsPrefix = "version https://git-lfs.github.com/spec/"
	lfsSize   = 1024
)

func (e *entry) fileStatus() change.Status {
	switch e.status {
	case 'A':
		return change.Added
	case 'D':
		return change.Deleted
	case 'R':
		return change.Renamed
	}
	return change.Modified // M and T
}

// wanted lists the blobs that file will look at.
func wanted(entries []*entry) []string {
	var ids []string
	for _, e := range entries {
		if e.special() || e.section.binary {
			continue
		}
		if e.oldMode != 0 {
			ids = append(ids, e.oldID)
		}
		if e.newMode != 0 {
			ids = append(ids, e.newID)
		}
	}
	return ids
}

// special tells an entry one side of which is no regular file.
func (e *entry) special() bool {
	for _, mode := range []uint32{e.oldMode, e.newMode} {
		if mode == modeSymlink || mode == modeSubmodule {
			return true
		}
	}
	return false
}

// file turns an entry into a File with its hunks.
func (e *entry) file(contents map[string][]byte) (*change.File, error) {
	f := &change.File{Path: e.path, OldPath: e.oldPath, Status: e.fileStatus(), OldMode: e.oldMode, NewMode: e.newMode}
	if f.Status == change.Added {
		f.OldPath = ""
	}
	f.Form = e.form(contents)
	if f.Form == change.Text {
		if e.oldMode != 0 {
			f.Old = contents[e.oldID]
		}
		if e.newMode != 0 {
			f.New = contents[e.newID]
		}
		e.addHunks(f)
	}
	if len(f.Hunks) == 0 || (f.Status != change.Added && f.Status != change.Deleted && f.OldMode != f.NewMode) {
		e.addWhole(f)
	}
	if f.Form != change.Text {
		return f, nil
	}
	return f, splices(f)
}

func (e *entry) form(contents map[string][]byte) change.Form {
	switch {
	case e.oldMode == modeSubmodule || e.newMode == modeSubmodule:
		return change.Submodule
	case e.oldMode == modeSymlink || e.newMode == modeSymlink:
		return change.Symlink
	case e.section.binary:
		return change.Binary
	case isPointer(contents[e.oldID]) || isPointer(contents[e.newID]):
		return change.LFS
	}
	return change.Text
}

func isPointer(b []byte) bool { return len(b) < lfsSize && bytes.HasPrefix(b, []byte(lfsPrefix)) }

func (e *entry) addHunks(f *change.File) {
	seen := map[string]int{}
	for _, s := range e.section.hunks {
		old, neu := s.old.Of(f.Old), s.neu.Of(f.New)
		text := change.HunkID("", old, neu, 0)
		f.Hunks = append(f.Hunks, hunk(f, change.HunkID(f.Path, old, neu, seen[text]), s, false))
		seen[text]++
	}
}

// addWhole adds the hunk of what no line shows. Beside line hunks that is the
// mode alone, so that its ID does not depend on the text.
func (e *entry) addWhole(f *change.File) {
	old := fmt.Appendf(nil, "%o %s", e.oldMode, f.OldPath)
	neu := fmt.Appendf(nil, "%o", e.newMode)
	if len(f.Hunks) == 0 {
		old, neu = fmt.Appendf(old, " %s", e.oldID), fmt.Appendf(neu, " %s", e.newID)
	}
	f.Hunks = append(f.Hunks, hunk(f, change.HunkID(f.Path, old, neu, 0), spans{}, true))
}

func hunk(f *change.File, id string, s spans, whole bool) *change.Hunk {
	h := &change.Hunk{ID: id, File: f, Old: s.old, New: s.neu, Whole: whole}
	h.Units = []*change.Unit{{Hunk: h, Old: s.old, New: s.neu}}
	return h
}

// splices checks that the hunks of a file, put back together, turn head into
// base byte by byte.
func splices(f *change.File) error {
	var edits []change.Edit
	for _, h := range f.Hunks {
		if h.Whole {
			continue
		}
		start, end := h.New.Bytes(f.New)
		edits = append(edits, change.Edit{Path: f.Path, Start: start, End: end, Text: h.OldText()})
	}
	got, err := change.Apply(f.New, edits)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, f.Old) {
		return fmt.Errorf("%s: the hunks of git diff do not turn head into base", f.Path)
	}
	return nil
}

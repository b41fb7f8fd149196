// Package mutatetest makes Changes for the tests of the languages below
// package mutate: from two texts, or from a commit of a real repository.
package mutatetest

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/change"
)

// Change returns the change between two trees of files, cut into hunks as
// `git diff -U0` cuts them (without its heuristics for sliding hunks).
func Change(base, head map[string]string) *change.Change {
	c := &change.Change{}
	all := maps.Clone(base)
	maps.Copy(all, head)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		old, inBase := base[path]
		neu, inHead := head[path]
		if inBase && inHead && old == neu {
			continue
		}
		f := &change.File{Path: path, OldPath: path, OldMode: 0o100644, NewMode: 0o100644}
		if inBase {
			f.Old = []byte(old)
		} else {
			f.Status, f.OldPath = change.Added, ""
		}
		if inHead {
			f.New = []byte(neu)
		} else {
			f.Status = change.Deleted
		}
		hunks(f)
		c.Files = append(c.Files, f)
	}
	return c
}

// hunks finds a longest common subsequence of lines; the texts of tests are
// short.
func hunks(f *change.File) {
	a, b := lines(f.Old), lines(f.New)
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
			continue
		}
		i0, j0 := i, j
		for i < len(a) || j < len(b) {
			if i < len(a) && j < len(b) && a[i] == b[j] {
				break
			}
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		add(f, i0, i-i0, j0, j-j0)
	}
}

func lines(content []byte) []string {
	return slices.Collect(strings.Lines(string(content)))
}

func add(f *change.File, old, oldLines, neu, newLines int) {
	h := &change.Hunk{File: f, Old: span(old, oldLines), New: span(neu, newLines)}
	h.ID = change.HunkID(f.Path, h.OldText(), h.NewText(), len(f.Hunks))
	h.Units = []*change.Unit{{Hunk: h, Old: h.Old, New: h.New}}
	f.Hunks = append(f.Hunks, h)
}

func span(before, n int) change.Span {
	if n == 0 {
		return change.Span{Start: before}
	}
	return change.Span{Start: before + 1, Lines: n}
}

var hunkHeader = regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// Commit returns what a commit of the repository in dir changes in files with
// the given extension.
func Commit(dir, parent, commit, ext string) (*change.Change, error) {
	names, err := git(dir, "diff", "--no-renames", "--name-status", parent, commit, "--", "*"+ext)
	if err != nil {
		return nil, err
	}
	c := &change.Change{}
	for line := range strings.Lines(string(names)) {
		status, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		f := &change.File{Path: path, OldPath: path, OldMode: 0o100644, NewMode: 0o100644}
		switch status {
		case "A":
			f.Status = change.Added
		case "D":
			f.Status = change.Deleted
		}
		if err := fill(dir, parent, commit, f); err != nil {
			return nil, err
		}
		c.Files = append(c.Files, f)
	}
	return c, nil
}

func fill(dir, parent, commit string, f *change.File) (err error) {
	if f.Status != change.Added {
		if f.Old, err = git(dir, "show", parent+":"+f.Path); err != nil {
			return err
		}
	}
	if f.Status != change.Deleted {
		if f.New, err = git(dir, "show", commit+":"+f.Path); err != nil {
			return err
		}
	}
	diff, err := git(dir, "diff", "--no-renames", "-U0", parent, commit, "--", f.Path)
	if err != nil {
		return err
	}
	for _, m := range hunkHeader.FindAllStringSubmatch(string(diff), -1) {
		h := &change.Hunk{File: f, Old: parsed(m[1], m[2]), New: parsed(m[3], m[4])}
		h.ID = change.HunkID(f.Path, h.OldText(), h.NewText(), len(f.Hunks))
		f.Hunks = append(f.Hunks, h)
	}
	return nil
}

func parsed(start, count string) change.Span {
	s := change.Span{Lines: 1}
	s.Start, _ = strconv.Atoi(start) // the pattern holds digits only
	if count != "" {
		s.Lines, _ = strconv.Atoi(count)
	}
	return s
}

// Show returns a file of a commit.
func Show(dir, commit, path string) ([]byte, error) { return git(dir, "show", commit+":"+path) }

// List returns the files of a commit.
func List(dir, commit string) ([]string, error) {
	out, err := git(dir, "ls-tree", "-r", "--name-only", commit)
	return strings.Fields(string(out)), err
}

func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "core.quotePath=false"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s in %s: %w: %s", args[0], dir, err, stderr.String())
	}
	if out == nil {
		out = []byte{}
	}
	return out, nil
}

// CheckTiling reports in words how the units of a hunk fail to tile it, or
// fail to un-do together what the hunk un-does; "" when they do.
func CheckTiling(h *change.Hunk) string {
	old, neu := edge(h.Old), edge(h.New)
	var edits []change.Edit
	for _, u := range h.Units {
		if edge(u.Old) != old || edge(u.New) != neu {
			return fmt.Sprintf("unit %q (%v -> %v) does not follow the one before", u.Name, u.Old, u.New)
		}
		old, neu = u.Old.End(), u.New.End()
		edits = append(edits, u.Undo())
	}
	if old != h.Old.End() || neu != h.New.End() {
		return fmt.Sprintf("the units end at %d and %d, the hunk at %d and %d", old, neu, h.Old.End(), h.New.End())
	}
	if len(h.Units) == 1 || h.Undo().Op != change.Splice {
		return ""
	}
	want, err := change.Apply(h.File.New, []change.Edit{h.Undo()})
	if err != nil {
		return err.Error()
	}
	got, err := change.Apply(h.File.New, edits)
	if err != nil {
		return err.Error()
	}
	if !bytes.Equal(got, want) {
		return "all units un-done differ from the hunk un-done"
	}
	return ""
}

func edge(s change.Span) int {
	if s.Lines == 0 {
		return s.Start
	}
	return s.Start - 1
}

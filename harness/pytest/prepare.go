package pytest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"assay/change"
	"assay/harness"
)

// A warmth is what a session keeps for trials by fork.
type warmth struct {
	mu    sync.Mutex
	heads map[string][]byte // by path, what head holds of the prepared files
	// known are the prepared variants, and why one has to be on disk: "" while
	// that is not known.
	known map[string]string
	files map[string]bool         // the test files that the variants' tests lie in
	cold  map[harness.TestID]bool // tests that get at the disk
	slots map[string]*slot
	notes []string
}

// A slot is a tree with its zygote.
type slot struct {
	mu     sync.Mutex
	zygote *zygote
	deaths int
	off    bool // no zygote can be had here

	bare    *zygote
	runs    int  // how many runs were made of processes of their own
	bareOff bool // no bare process can be had here
}

// manyDeaths is how many zygotes may die, or have to be replaced, in a tree
// before it is left to plain runs.
const manyDeaths = 20

// Prepare keeps the variants that may be tried by fork: splices in Python
// sources that hold no tests. Whether one really may is found out at its first
// Try, by the interpreter itself. It starts no process.
func (s *session) Prepare(_ context.Context, dir string, variants [][]change.Edit) error {
	w := &s.warmth
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, edits := range variants {
		if len(edits) == 0 || !s.mayFork(edits) {
			continue
		}
		for _, e := range edits {
			if err := w.head(dir, e.Path); err != nil {
				return err
			}
		}
		w.keep(edits)
		s.await(edits)
	}
	return nil
}

// mayFork reports whether nothing speaks against a fork yet.
func (s *session) mayFork(edits []change.Edit) bool {
	return canFork && !slices.ContainsFunc(edits, func(e change.Edit) bool {
		return e.Op != change.Splice || !isPython(e.Path) || path.Base(e.Path) == "conftest.py" || s.holdsTests(e.Path)
	})
}

// head reads a file of head once.
func (w *warmth) head(dir, file string) error {
	if w.heads == nil {
		w.heads = map[string][]byte{}
	}
	if _, read := w.heads[file]; read {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		return fmt.Errorf("read a file that is to be edited: %w", err)
	}
	w.heads[file] = text
	return nil
}

func (w *warmth) keep(edits []change.Edit) {
	if w.known == nil {
		w.known = map[string]string{}
	}
	if key := keyOf(edits); w.known[key] == "" {
		w.known[key] = ""
	}
}

// await notes the test files that trials of the edits will want.
func (s *session) await(edits []change.Edit) {
	if s.warmth.files == nil {
		s.warmth.files = map[string]bool{}
	}
	for _, e := range edits {
		sel := s.Cover(e.Path, linesOf(s.warmth.heads[e.Path], e))
		for _, file := range s.files(sel.Tests) {
			s.warmth.files[file] = true
		}
	}
}

// linesOf are the lines that an edit touches.
func linesOf(text []byte, e change.Edit) change.Span {
	count := func(until int) (n int) {
		for _, b := range text[:min(until, len(text))] {
			if b == '\n' {
				n++
			}
		}
		return n
	}
	first := count(e.Start)
	return change.Span{Start: first + 1, Lines: max(1, count(e.End)-first)}
}

// keyOf identifies edits.
func keyOf(edits []change.Edit) string {
	sum := sha256.New()
	for _, e := range edits {
		_, _ = fmt.Fprintf(sum, "%q %v %d %d %q\n", e.Path, e.Op, e.Start, e.End, e.Text) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// stays returns why edits have to be on disk, or "".
func (w *warmth) stays(edits []change.Edit) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(edits) == 0 {
		return ""
	}
	why, prepared := w.known[keyOf(edits)]
	if !prepared {
		return "it was not prepared"
	}
	return why
}

// refuse keeps why edits have to be on disk.
func (w *warmth) refuse(edits []change.Edit, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(edits) > 0 {
		w.known[keyOf(edits)] = why
	}
}

// watched are the prepared files in a tree.
func (w *warmth) watched(dir string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	paths := []string{}
	for _, file := range slices.Sorted(maps.Keys(w.heads)) {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(file)))
	}
	return paths
}

// chill keeps that a test gets at the disk.
func (w *warmth) chill(id harness.TestID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cold == nil {
		w.cold = map[harness.TestID]bool{}
	}
	w.cold[id] = true
}

// note says something to the user, once.
func (w *warmth) note(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.notes, text) {
		w.notes = append(w.notes, text)
	}
}

// Notes are what a user should know of the trials by fork.
func (s *session) Notes() []string {
	s.warmth.mu.Lock()
	defer s.warmth.mu.Unlock()
	return slices.Clone(s.warmth.notes)
}

// slot returns the slot of a tree.
func (w *warmth) slot(dir string) *slot {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.slots == nil {
		w.slots = map[string]*slot{}
	}
	if w.slots[dir] == nil {
		w.slots[dir] = &slot{}
	}
	return w.slots[dir]
}

// Close ends the warm processes.
func (s *session) Close() error {
	w := &s.warmth
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, slot := range w.slots {
		slot.mu.Lock()
		for _, z := range []*zygote{slot.zygote, slot.bare} {
			if z != nil {
				errs = append(errs, z.close())
			}
		}
		slot.zygote, slot.off, slot.bare, slot.bareOff = nil, true, nil, true
		slot.mu.Unlock()
	}
	return errors.Join(errs...)
}

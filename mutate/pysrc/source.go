// Package pysrc knows the source text of Python. Python itself reads it: one
// helper process per proof, run by the project's own interpreter with nothing
// but the standard library, answers what the ast, tokenize and dis modules say
// of a file with and without a unit (helper/*.py). This package cuts hunks,
// decides which files of the project the helper needs to see, and turns its
// answers into Notes.
//
// No compiler stops a Python program that lost a name, and a run of it is red
// without proving anything. So a unit that would certainly break the program
// when un-done alone is Broken; what is not certain is simply run.
package pysrc

import (
	"context"
	"fmt"
	"path"
	"slices"
	"sync"

	"assay/change"
	"assay/mutate"
)

// Source implements mutate.Source for Python. It may be used from several
// goroutines. The helper of one call waits for the next, which then knows what
// was read before; Close ends it. A helper that nobody closes ends when this
// process does.
type Source struct {
	python    string
	readFile  func(string) ([]byte, error)
	listFiles func() ([]string, error)

	mu   sync.Mutex
	idle *helper
}

var _ mutate.Source = (*Source)(nil)

// New returns a Source that runs the given interpreter (3.8 or later).
// readFile and listFiles read the project at head by slash-separated paths
// relative to its root; they let the static check see who else uses a name.
func New(python string, readFile func(string) ([]byte, error), listFiles func() ([]string, error)) *Source {
	return &Source{python: python, readFile: readFile, listFiles: listFiles}
}

// Study starts a helper and returns a Note for every unit. It fails when the
// helper cannot be started or dies, when the project cannot be listed, and
// when ctx ends.
func (s *Source) Study(ctx context.Context, c *change.Change, files []*change.File) (map[*change.Unit]*mutate.Note, error) {
	notes := map[*change.Unit]*mutate.Note{}
	var source []*change.File
	for _, f := range files {
		if f.Form == change.Text && path.Ext(f.Path) == ".py" {
			source = append(source, f)
			continue
		}
		for _, h := range f.Hunks {
			mutate.Cut(h, nil, nil, nil)
			notes[h.Units[0]] = &mutate.Note{Body: h.New}
		}
	}
	if len(source) == 0 {
		return notes, nil
	}
	study := &study{source: s, notes: notes, seen: map[string]bool{}, contents: map[string][]byte{}}
	if err := study.run(ctx, c, source); err != nil {
		return nil, fmt.Errorf("reading Python source: %w", err)
	}
	return notes, nil
}

// A study is one conversation with the helper.
type study struct {
	source   *Source
	helper   *helper
	notes    map[*change.Unit]*mutate.Note
	paths    []string          // the project's Python files at head
	seen     map[string]bool   // files the helper has at head
	contents map[string][]byte // of s.paths, as far as read
	words    words             // of s.paths, once they were asked for
	ids      int
}

func (s *study) run(ctx context.Context, c *change.Change, files []*change.File) (err error) {
	all, err := s.source.listFiles()
	if err != nil {
		return fmt.Errorf("listing the project at head: %w", err)
	}
	for _, p := range all {
		if path.Ext(p) == ".py" {
			s.paths = append(s.paths, p)
		}
	}
	return s.source.with(ctx, func(h *helper) error {
		s.helper = h
		if err := h.ask(request{Op: "tree", Paths: s.paths}, &struct{}{}); err != nil {
			return err
		}
		return s.files(ctx, c, files)
	})
}

// files studies each file once the helper knows both sides of every changed
// one: what a change takes from one file may be what another needs.
func (s *study) files(ctx context.Context, c *change.Change, files []*change.File) error {
	sides := map[string]fileAnswer{}
	for _, f := range c.Files {
		if f.Form != change.Text || path.Ext(f.Path) != ".py" {
			continue
		}
		var a fileAnswer
		if err := s.helper.ask(request{Op: "file", Path: f.Path, Old: f.Old, New: f.New}, &a); err != nil {
			return err
		}
		sides[f.Path], s.seen[f.Path] = a, true
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, h := range f.Hunks {
			if err := s.hunk(h, sides[f.Path]); err != nil {
				return fmt.Errorf("%s: %w", h.Name(), err)
			}
		}
	}
	return nil
}

func (s *study) hunk(h *change.Hunk, a fileAnswer) error {
	var failed error
	stands := func(u *change.Unit) bool {
		var ok struct{ OK bool }
		if err := s.helper.ask(request{Op: "parses", Path: u.Hunk.File.Path, Source: undone(u)}, &ok); err != nil {
			failed = err
		}
		return ok.OK
	}
	mutate.Cut(h, a.Old.sections(), a.New.sections(), stands)
	if failed != nil {
		return failed
	}
	for _, u := range h.Units {
		n, err := s.unit(u)
		if err != nil {
			return err
		}
		n.Ignore(u, a.remarks())
		n.UsedBy(u, a.New.sections())
		s.notes[u] = n
	}
	return nil
}

func (s *study) unit(u *change.Unit) (*mutate.Note, error) {
	if u.Hunk.Whole {
		return &mutate.Note{Body: u.New}, nil
	}
	s.ids++
	f := u.Hunk.File
	ask := request{Op: "unit", ID: s.ids, Path: f.Path, OldSpan: pair(u.Old), NewSpan: pair(u.New), Undone: undone(u)}
	var a unitAnswer
	if err := s.helper.ask(ask, &a); err != nil {
		return nil, err
	}
	n := a.note(f)
	if len(a.Words) == 0 && len(a.Files) == 0 {
		return n, nil
	}
	return n, s.rest(n, a)
}

// rest shows the helper every file of the project that mentions one of the
// names the unit takes away, and asks whether one of them certainly breaks.
func (s *study) rest(n *mutate.Note, a unitAnswer) error {
	mentioning, err := s.mentioning(a.Words)
	if err != nil {
		return err
	}
	var paths []string
	for i, p := range s.paths {
		if !slices.Contains(a.Files, p) && !mentioning[i] {
			continue
		}
		paths = append(paths, p)
		content, err := s.content(p)
		if err != nil {
			return err
		}
		if err := s.show(p, content); err != nil {
			return err
		}
	}
	var v struct{ Broken, Missing string }
	if err := s.helper.ask(request{Op: "rest", ID: s.ids, Paths: paths}, &v); err != nil {
		return err
	}
	if v.Broken != "" {
		n.Broken, n.Missing = "un-doing it alone breaks other code: "+v.Broken, v.Missing
	}
	return nil
}

// content is a file of the project at head, read once.
func (s *study) content(p string) ([]byte, error) {
	if c, ok := s.contents[p]; ok {
		return c, nil
	}
	c, err := s.source.readFile(p)
	if err != nil {
		return nil, fmt.Errorf("reading the project at head: %w", err)
	}
	s.contents[p] = c
	return c, nil
}

// show hands the helper a file it does not have yet.
func (s *study) show(p string, content []byte) error {
	if s.seen[p] {
		return nil
	}
	s.seen[p] = true
	return s.helper.ask(request{Op: "read", Path: p, Source: content}, &struct{}{})
}

// undone is head's text with only u un-done; nil when the file is then gone.
// Splicing one unit cannot fail: its span was cut from this very text.
func undone(u *change.Unit) []byte {
	e := u.Undo()
	switch e.Op {
	case change.Remove:
		return nil
	case change.Create:
		return e.Text
	}
	head := u.Hunk.File.New
	return slices.Concat(head[:e.Start], e.Text, head[e.End:])
}

func pair(s change.Span) [2]int { return [2]int{s.Start, s.Lines} }

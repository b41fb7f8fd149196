package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
	"assay/harness/command"
	"assay/harness/gotest"
	"assay/harness/pytest"
	"assay/mutate"
	"assay/mutate/gosrc"
	"assay/mutate/gosrc/ops"
	"assay/mutate/pysrc"
	"assay/probe/goprobe"
	"assay/probe/pyprobe"
	"assay/prove"
)

// A pairing is a language as assay knows it: how it is recognised, and how its
// source reader and its test runner are made for one project.
type pairing struct {
	name  string
	marks []string // extensions and base names whose presence at head calls for it
	open  func(ctx context.Context, p *project, head headTree) (prove.Language, error)
	// operators lists what its mutator makes mutants with; none for a language
	// without one.
	operators func() []mutate.Operator
}

// pairings is the one table of languages. A new language is a Source, a
// Harness, and a line here.
func pairings() []pairing {
	return []pairing{
		{"go", []string{".go", "go.mod"}, openGo, ops.All},
		{"python", []string{".py"}, openPython, pysrc.Operators},
	}
}

// languages opens those of the table that head, or a deleted file of the
// change, calls for, and the test command when there is one.
func (p *project) languages(ctx context.Context, c *change.Change, trees prove.Trees) ([]prove.Language, error) {
	head, err := readHead(ctx, p.env, trees)
	if err != nil {
		return nil, err
	}
	paths := slices.Clone(head.files)
	for _, f := range c.Files {
		paths = append(paths, f.Path)
	}
	var langs []prove.Language
	for _, pair := range pairings() {
		if !slices.ContainsFunc(paths, pair.marked) {
			continue
		}
		l, err := pair.open(ctx, p, head)
		if err != nil {
			return nil, fmt.Errorf("setting up %s: %w", pair.name, err)
		}
		langs = append(langs, l)
	}
	if p.cfg.TestCommand != "" {
		langs = append(langs, prove.Language{Name: "command", Harness: command.New(command.Config{Command: p.cfg.TestCommand, JUnit: p.cfg.JUnit})})
	}
	return langs, nil
}

func (p pairing) marked(file string) bool {
	return slices.Contains(p.marks, path.Ext(file)) || slices.Contains(p.marks, path.Base(file))
}

func openGo(_ context.Context, p *project, _ headTree) (prove.Language, error) {
	return prove.Language{Name: "go", Source: gosrc.Source{}, Ladder: gosrc.NewLadder(p.env, p.cfg.Go.BuildFlags()),
		Mutator: gosrc.NewMutator(p.env, p.cfg.Go.BuildFlags()), Harness: gotest.New(), Flags: p.cfg.Go.BuildFlags(), Prober: goprobe.New()}, nil
}

// openPython reads sources with the interpreter that runs the tests. An
// interpreter that the user named must work. Where none was named and none is
// found, the files still count as Python: the harness then says in the report
// why nothing of them could be proven, and other languages go on.
func openPython(ctx context.Context, p *project, head headTree) (prove.Language, error) {
	l := prove.Language{Name: "python", Harness: pytest.New(pytest.Config{Python: p.cfg.Python}), Prober: pyprobe.New()}
	python, err := pytest.Interpreter(ctx, p.repo.Root(), p.env, p.cfg.Python)
	source := pysrc.New(python, head.read, head.list)
	l.Source, l.Ladder, l.Mutator = source, source, source
	var setup *harness.SetupError
	switch {
	case errors.As(err, &setup) && p.cfg.Python != "":
		return l, userError{err}
	case errors.As(err, &setup):
		l.Source, l.Ladder, l.Mutator, err = unread{source}, nil, nil, nil
	}
	return l, err
}

// unread is a Source whose files cannot be studied: they keep their kinds, and
// each hunk is one unit of which nothing is known.
type unread struct{ mutate.Source }

// Study knows nothing.
func (unread) Study(context.Context, *change.Change, []*change.File) (map[*change.Unit]*mutate.Note, error) {
	return nil, nil
}

// A headTree reads the files of head from a throwaway tree. It is good until
// the first edit is applied, which is after every source was studied.
type headTree struct {
	dir   string
	files []string // tracked, slash-separated
}

func readHead(ctx context.Context, env []string, trees prove.Trees) (headTree, error) {
	tree, err := trees.Acquire(ctx)
	if err != nil {
		return headTree{}, err
	}
	defer tree.Release()
	var out strings.Builder
	end, err := harness.Start(ctx, harness.Process{Argv: []string{"git", "ls-files", "-z"}, Dir: tree.Dir(), Env: env, Stdout: &out})
	if err == nil && end.Code != 0 {
		err = errors.New(strings.TrimSpace(end.Tail))
	}
	if err != nil {
		return headTree{}, fmt.Errorf("listing the files of head: %w", err)
	}
	return headTree{tree.Dir(), strings.FieldsFunc(out.String(), func(r rune) bool { return r == 0 })}, nil
}

func (h headTree) read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name)))
}

func (h headTree) list() ([]string, error) { return h.files, nil }

package gotest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"assay/change"
	"assay/harness"
)

var _ harness.CodeComparer = (*session)(nil)

// SameCode implements harness.CodeComparer. Beside each function that a variant
// edits, one build of its package holds a copy of it as it is and one as the
// variant has it; what the compiler lists of the two is compared. Generic
// functions and what stands outside of functions cannot be told.
func (s *session) SameCode(ctx context.Context, dir, scratch string, variants [][]change.Edit) ([]bool, error) {
	same := make([]bool, len(variants))
	if s.trouble != "" || s.flags.overlaid {
		return same, nil
	}
	twins := map[string]*twins{} // by directory of the package
	for k, edits := range variants {
		if err := s.addTwin(dir, k, edits, twins); err != nil {
			return same, err
		}
	}
	for _, t := range twins {
		equal, err := s.compareTwins(ctx, dir, scratch, t)
		if err != nil {
			return same, err
		}
		for _, k := range equal {
			same[k] = true
		}
	}
	return same, nil
}

// addTwin puts a variant among the twins of its package, when it edits the body
// of one plain function.
func (s *session) addTwin(dir string, k int, edits []change.Edit, all map[string]*twins) error {
	if len(edits) == 0 || slices.ContainsFunc(edits, func(e change.Edit) bool { return e.Op != change.Splice || e.Path != edits[0].Path }) {
		return nil
	}
	parts := s.graph.parts[edits[0].Path]
	if len(parts) != 1 || parts[0].role != compiled || len(s.graph.pkgs[parts[0].dir].listed.CgoFiles) > 0 {
		return nil
	}
	at := parts[0].dir
	if all[at] == nil {
		all[at] = &twins{dir: at, files: map[string]*twinFile{}, headOf: map[int]int{}}
	}
	file := all[at].files[edits[0].Path]
	if file == nil {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(edits[0].Path)))
		if err != nil {
			return fmt.Errorf("read a file to compare what it compiles to: %w", err)
		}
		file = newTwinFile(text)
		all[at].files[edits[0].Path] = file
	}
	all[at].add(k, edits, file)
	return nil
}

// compareTwins compiles a package with its twins and returns the variants that
// compile to what head does. A build that fails tells nothing.
func (s *session) compareTwins(ctx context.Context, dir, scratch string, t *twins) ([]int, error) {
	m, ok := s.moduleOf(t.dir)
	if !ok || len(t.headOf) == 0 {
		return nil, nil
	}
	own, err := os.MkdirTemp(scratch, "twins")
	if err != nil {
		return nil, fmt.Errorf("make room to compare what mutants compile to: %w", err)
	}
	files := map[string][]byte{}
	for path, f := range t.files {
		files[filepath.Join(dir, filepath.FromSlash(path))] = f.text
	}
	overlay, err := writeOverlay(filepath.Join(own, "overlay"), files)
	if err != nil {
		return nil, err
	}
	moved, err := s.relocate(dir, m, own)
	if err != nil {
		return nil, err
	}
	tmp, err := tempDir(own)
	if err != nil {
		return nil, err
	}
	args := slices.Concat([]string{"build", "-o", os.DevNull}, s.flags.build, moved.flags,
		[]string{"-gcflags=-S -dwarf=false", "-overlay=" + overlay, s.graph.pkgs[t.dir].importPath})
	list := newListing()
	at := filepath.Join(dir, filepath.FromSlash(m.rel))
	end, err := harness.Start(ctx, harness.Process{Argv: append([]string{s.gocmd.path}, args...), Dir: at, Merged: list,
		Env: s.gocmd.environ(at, append(moved.vars, "TMPDIR="+tmp, "GOTMPDIR="+tmp)...)})
	if err != nil || end.Code != 0 {
		return nil, err
	}
	return t.equal(list.code()), nil
}

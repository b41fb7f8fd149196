package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// listFields are the fields of go list that this package reads.
const listFields = "ImportPath,Dir,Name,ForTest,Export,Standard,Module,ImportMap,Deps,Imports,TestImports,Incomplete,Error," +
	"GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles," +
	"IgnoredGoFiles,IgnoredOtherFiles,TestGoFiles,XTestGoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles"

// A listed is one package as go list prints it.
type listed struct {
	ImportPath, Dir, Name, ForTest string
	Export                         string // the file of its export data, where that was asked for
	Standard                       bool
	Module                         *struct{ Path, Dir, GoVersion string }
	ImportMap                      map[string]string
	Deps, Imports, TestImports     []string
	Incomplete                     bool
	Error                          *struct{ Err string }

	GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles []string
	SwigFiles, SwigCXXFiles, SysoFiles                                  []string
	IgnoredGoFiles, IgnoredOtherFiles                                   []string
	TestGoFiles, XTestGoFiles                                           []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles                         []string
}

// list fills the graph of packages. A module that go list cannot read is a
// note; when no module can be read that is the trouble of the session.
func (s *session) list(ctx context.Context) error {
	b := newGraphBuilder(s.dir)
	listed := 0
	var troubles []string
	for _, m := range s.modules {
		all, err := s.listModule(ctx, m)
		if err == nil {
			listed++
			b.add(m, all)
			continue
		}
		if failed := isGoFailure(err); failed == nil {
			return err
		}
		troubles = append(troubles, fmt.Sprintf("the module in %s cannot be listed: %v", m.rel, err))
	}
	s.graph = b.graph().focused(s.opts.Focus)
	s.notes = append(troubles, b.notes...)
	if listed == 0 {
		s.trouble = strings.Join(troubles, "; ")
	}
	return nil
}

func (s *session) listModule(ctx context.Context, m module) ([]listed, error) {
	return s.goList(ctx, s.dir, m, filepath.Join(s.opts.Scratch, "go", "list", slug(m.rel)), "-deps", "-test", "./...")
}

// goList is what go list says in a module of the tree in dir.
func (s *session) goList(ctx context.Context, dir string, m module, scratch string, what ...string) ([]listed, error) {
	moved, err := s.relocate(dir, m, scratch)
	if err != nil {
		return nil, err
	}
	args := slices.Concat([]string{"list", "-e", "-json=" + listFields}, s.flags.build, moved.flags, what)
	out, err := s.gocmd.output(ctx, filepath.Join(dir, filepath.FromSlash(m.rel)), moved.vars, args...)
	if err != nil {
		return nil, err
	}
	return parseList(bytes.NewReader(out))
}

// parseList reads the stream of objects that go list -json prints.
func parseList(r io.Reader) ([]listed, error) {
	var all []listed
	for d := json.NewDecoder(r); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read what go list printed: %w", err)
		}
		all = append(all, p)
	}
}

// plainPath drops what go list adds to the import path of a package that is
// compiled anew for a test: "a [b.test]".
func plainPath(importPath string) string {
	path, _, _ := strings.Cut(importPath, " ")
	return path
}

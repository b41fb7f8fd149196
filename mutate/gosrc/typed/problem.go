package typed

import (
	"bytes"
	"slices"
)

// A Place is somewhere in the text of a file.
type Place struct {
	Path      string // slash-separated, relative to the tree; absolute outside it
	Line, Col int    // from 1; Col counts bytes
	Offset    int    // in bytes from 0
}

// A Problem is one reason why a tree does not compile.
type Problem struct {
	Place     // in the edited text
	End   int // offset after the text it is about; at least Offset
	// Head is the offset in head's text of what stands at Offset, -1 when
	// the edits put it there. The head path is the same.
	Head     int
	Code     Code
	Message  string
	Soft     bool    // it follows from what is used and not, such as an unused variable; often from another Problem
	Name     string  // the symbol it is about (the import path, for an import); "" when it is about none
	Selector bool    // Name is a field, a method, or qualified by a package
	Receiver string  // the type Name was looked up in, as the package would write it
	Test     bool    // it stands in a _test.go file, or in code that only tests compile
	Package  string  // import path of the package that does not compile
	Related  []Place // other declarations of the name, the steps of a cycle
}

// A Result is what Check found.
type Result struct {
	// Problems that head does not have, in order: production before tests,
	// by import path, by position. Packages that import one that does not
	// compile are not looked at, as the compiler would not.
	Problems []Problem
	// TestsUnchecked is true when production does not compile, so that no
	// test was looked at.
	TestsUnchecked bool
	// Broken are the packages the edits reach that did not compile at head
	// either. That no Problem is new says little of them.
	Broken []string
	Stats  Stats
}

// Stats count the work of one Check.
type Stats struct {
	Packages int // type checked, test variants counted apart
	Whole    int // of these, with every function body
	Bodies   int // functions whose bodies were checked in the others
	Cached   int // known from an earlier Check
}

// Builds reports whether production compiles, as far as the edits reach.
func (r Result) Builds() bool { return len(r.Problems) == 0 || r.Problems[0].Test }

// fresh drops what was wrong at head already.
func (r *run) fresh(in *instance) []finding {
	head := r.w.counterpart(in.id)
	if head == nil || len(head.findings) == 0 {
		return in.findings
	}
	return freshOf(in.findings, head.findings, r.edited)
}

func freshOf(found, head []finding, edited map[string]*fileEdit) []finding {
	known := func(f finding) bool {
		at := headOffset(edited, f.file.path, f.offset)
		return slices.ContainsFunc(head, func(h finding) bool {
			same := h.file.path == f.file.path && h.message == f.message
			return same && (h.offset == at || at < 0 && replaced(edited[f.file.path], h.offset))
		})
	}
	return slices.DeleteFunc(slices.Clone(found), known)
}

// replaced reports whether the byte at a head offset is gone: what was wrong
// there may be wrong in the text that took its place.
func replaced(e *fileEdit, offset int) bool {
	_, kept := e.splices.toEdited(offset)
	return !kept
}

// counterpart is the instance of head that a node is compared with.
func (w *World) counterpart(id nodeID) *instance {
	if in := w.head[id]; in != nil {
		return in
	}
	return w.head[nodeID{u: id.u, path: id.path, kind: production}]
}

func headOffset(edited map[string]*fileEdit, path string, offset int) int {
	e := edited[path]
	switch {
	case e == nil:
		return offset
	case e.old == nil:
		return -1
	}
	return e.splices.toHead(offset)
}

// problems presents findings of one node.
func problemsOf(id nodeID, found []finding, edited map[string]*fileEdit) []Problem {
	var out []Problem
	for _, f := range found {
		p := Problem{
			Place: placeIn(f.file, f.offset), End: f.end, Head: headOffset(edited, f.file.path, f.offset),
			Code: f.code, Message: f.message, Soft: f.soft, Name: f.name, Selector: f.selector, Receiver: f.receiver,
			Test: id.test(), Package: id.path,
		}
		for _, m := range f.related {
			p.Related = append(p.Related, placeIn(m.file, m.offset))
		}
		out = append(out, p)
	}
	return out
}

func placeIn(f *file, offset int) Place {
	before := f.src[:min(offset, len(f.src))]
	line := bytes.Count(before, []byte{'\n'})
	return Place{Path: f.path, Line: line + 1, Col: len(before) - bytes.LastIndexByte(before, '\n'), Offset: len(before)}
}

// appendNew appends the problems that are not there yet: a file is compiled
// once for production and again for tests.
func appendNew(all, more []Problem) []Problem {
	for _, p := range more {
		same := func(q Problem) bool { return q.Place == p.Place && q.Message == p.Message }
		if !slices.ContainsFunc(all, same) {
			all = append(all, p)
		}
	}
	return all
}

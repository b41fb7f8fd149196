package ops

import (
	"go/ast"
	"go/token"
	"go/types"

	"assay/mutate"
)

// returnsError returns an error where there is none.
var returnsError = operator{
	mutate.Operator{Name: "returns-error", Doc: "a nil error that is returned becomes an error, where the file imports a package that has one"},
	func(s *Site) {
		ret, ok := s.node().(*ast.ReturnStmt)
		if !ok {
			return
		}
		for _, e := range ret.Results {
			if !s.isNil(e) || !s.returnsError(e) {
				continue
			}
			if text := s.someError(e.Pos()); text != "" {
				s.propose(e, "return nil becomes return "+text, s.instead(e, text))
			}
		}
	},
}

// someError is an expression for an error, by what the file imports and what
// the names stand for at pos.
func (s *Site) someError(pos token.Pos) string {
	for _, way := range [][2]string{
		{"errors", `errors.New("assay")`}, {"fmt", `fmt.Errorf("assay")`}, {"io", "io.ErrUnexpectedEOF"}, {"os", "os.ErrInvalid"},
	} {
		if s.imported(way[0], pos) {
			return way[1]
		}
	}
	return ""
}

// imported reports whether name stands for the package of that path at pos.
func (s *Site) imported(path string, pos token.Pos) bool {
	scope := s.file.Package.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(path, pos)
	name, ok := obj.(*types.PkgName)
	return ok && name.Imported().Path() == path
}

package schema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// A run is statements that were parsed by themselves.
type run struct {
	list []ast.Stmt
	tok  *token.File
	text []byte
}

// around is what statements are parsed in.
const around = "package p;func _(){"

// parseStatements parses text as the inside of a body; ok is false when it is
// none by itself, such as `} else {`.
func parseStatements(text []byte) (run, bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", string(append([]byte(around), text...))+"\n}", parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return run{}, false
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || fn.Body == nil {
		return run{}, false
	}
	tok := fset.File(f.FileStart)
	if tok.Offset(fn.Body.Rbrace) != len(around)+len(text)+1 {
		return run{}, false
	}
	return run{list: fn.Body.List, tok: tok, text: text}, true
}

// An insertion is text that goes in at an offset.
type insertion struct {
	at   int
	text string
}

// ready returns the statements as a copy for variant k: labels declared in it
// are renamed, since a function may declare each once, and its loops count
// their rounds.
func (r run) ready(k int) []byte {
	var ins []insertion
	declared := map[string]bool{}
	for _, stmt := range r.list {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if at, ok := n.(*ast.LabeledStmt); ok {
				declared[at.Label.Name] = true
			}
			return true
		})
	}
	rename := func(id *ast.Ident) {
		if id != nil && declared[id.Name] {
			ins = append(ins, insertion{r.tok.Offset(id.End()) - len(around), fmt.Sprintf("_assay%d", k)})
		}
	}
	for _, stmt := range r.list {
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch at := n.(type) {
			case *ast.LabeledStmt:
				rename(at.Label)
			case *ast.BranchStmt:
				rename(at.Label)
			case *ast.ForStmt:
				ins = append(ins, insertion{r.tok.Offset(at.Body.Lbrace) + 1 - len(around), tick})
			case *ast.RangeStmt:
				ins = append(ins, insertion{r.tok.Offset(at.Body.Lbrace) + 1 - len(around), tick})
			}
			return true
		})
	}
	return inserted(r.text, ins)
}

// tick counts one round of a loop.
const tick = RuntimePath + ".Tick();"

func inserted(text []byte, ins []insertion) []byte {
	slices.SortStableFunc(ins, func(a, b insertion) int { return a.at - b.at })
	var out []byte
	at := 0
	for _, i := range ins {
		out = append(append(out, text[at:i.at]...), i.text...)
		at = i.at
	}
	return append(out, text[at:]...)
}

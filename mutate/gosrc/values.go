package gosrc

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"assay/change"
)

// groupOf is the parenthesised declaration of a spec.
func (a addition) groupOf(spec *ast.ValueSpec) *ast.GenDecl {
	for _, d := range a.syn.File.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Rparen.IsValid() && slices.Contains(g.Specs, ast.Spec(spec)) {
			return g
		}
	}
	return nil
}

// apart takes a constant that repeats the expression before it out of its
// group, so that those after it have the values they had, and declares it zero
// behind the group.
func (a addition) apart(spec *ast.ValueSpec, g *ast.GenDecl) (neutral, bool) {
	obj := a.syn.Info.Defs[spec.Names[0]]
	if len(spec.Names) != 1 || obj == nil || spec == g.Specs[0] {
		return neutral{}, false
	}
	zero, ok := a.zeroOf(obj)
	t, known := a.typeText(obj.Type())
	if !ok || !known {
		return neutral{}, false
	}
	if basic, isBasic := obj.Type().(*types.Basic); isBasic && basic.Info()&types.IsUntyped != 0 {
		t = ""
	}
	from, to, behind := a.syn.Offset(spec.Pos()), a.syn.Offset(spec.End()), a.syn.Offset(g.Rparen)+1
	return neutral{
		words: "taken out of its group, zero",
		decls: []types.Object{obj},
		edits: []change.Edit{{Path: a.path, Start: from, End: to}, a.insert(behind, "; const "+spec.Names[0].Name+" "+t+" = "+zero)},
	}, true
}

// values takes the initialisers of variables and constants away.
func (a addition) values(spec *ast.ValueSpec) (neutral, bool) {
	out := neutral{words: "initialised with zero"}
	if len(spec.Values) == 0 || len(spec.Values) != len(spec.Names) {
		return neutral{}, false
	}
	for i, name := range spec.Names {
		obj := a.syn.Info.Defs[name]
		if obj == nil {
			return neutral{}, false // the blank identifier asserts something
		}
		zero, ok := a.zeroOf(obj)
		if !ok {
			return neutral{}, false
		}
		v := spec.Values[i]
		out.decls = append(out.decls, obj)
		out.edits = append(out.edits, change.Edit{Path: a.path, Start: a.syn.Offset(v.Pos()), End: a.syn.Offset(v.End()), Text: []byte(zero)})
	}
	return out, true
}

// zeroOf is an expression for the zero value of what a spec declares.
func (a addition) zeroOf(obj types.Object) (string, bool) {
	if _, isConst := obj.(*types.Const); !isConst {
		t, ok := a.typeText(obj.Type())
		return "*new(" + t + ")", ok
	}
	basic, ok := obj.Type().Underlying().(*types.Basic)
	if !ok {
		return "", false
	}
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		return "false", true
	case info&types.IsString != 0:
		return `""`, true
	case basic.Kind() == types.UntypedRune:
		return `'\x00'`, true
	case basic.Kind() == types.UntypedFloat:
		return "0.0", true
	case info&types.IsNumeric != 0:
		return "0", true
	}
	return "", false
}

// typeText writes a type as the file would; false when it names a package that
// the file does not import.
func (a addition) typeText(t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == a.syn.Package {
			return ""
		}
		for _, spec := range a.syn.File.Imports {
			if name := importName(a.syn, spec); importPath(spec) == p.Path() && name != "_" && name != "" {
				return strings.TrimPrefix(name, ".")
			}
		}
		ok = false
		return p.Name()
	})
	return text, ok
}

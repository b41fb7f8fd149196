package typed_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

const lookedAt = `package lib

import "strings"

type T struct{ field int }

func (t *T) Method(arg int) string {
	local := t.field + arg
	_ = local
	return strings.Repeat("x", helper(arg))
}
`

func lookupWorld(t *testing.T) *typed.World {
	t.Helper()
	dir := t.TempDir()
	writeTree(t, dir, map[string][]byte{
		"go.mod":          []byte("module example.com/m\n\ngo 1.22\n"),
		"lib/lib.go":      []byte(lookedAt),
		"lib/helper.go":   []byte("package lib\n\nfunc helper(n int) int { return n }\n"),
		"lib/lib_test.go": []byte("package lib\n\nvar _ = helper(1)\n"),
	})
	w, err := typed.Load(context.Background(), typed.Config{Dir: dir, Env: os.Environ()})
	if err != nil || len(w.Broken()) > 0 {
		t.Fatal(err, w.Broken())
	}
	return w
}

func TestIdentifiersOfALineLeadToTheirDeclarations(t *testing.T) {
	s, ok := lookupWorld(t).Syntax("lib/lib.go")
	if !ok {
		t.Fatal("lib/lib.go is not found")
	}
	type found struct {
		name, decl string
		line       int
		inTree     bool
	}
	var got []found
	for _, id := range append(s.Line(8), s.Line(10)...) {
		decl := id.Decl.Path
		if !id.InTree && decl != "" {
			decl = "elsewhere"
		}
		got = append(got, found{id.Name, decl, id.Decl.Line, id.InTree})
	}
	want := []found{
		{"local", "lib/lib.go", 8, true}, {"t", "lib/lib.go", 7, true}, {"field", "lib/lib.go", 5, true}, {"arg", "lib/lib.go", 7, true},
		{"strings", "lib/lib.go", 3, true}, {"Repeat", "elsewhere", 0, false}, {"helper", "lib/helper.go", 3, true}, {"arg", "lib/lib.go", 7, true},
	}
	if len(got) != len(want) {
		t.Fatalf("got %v\nwant %v", got, want)
	}
	for i := range want {
		if want[i].decl == "elsewhere" {
			got[i].line = 0 // depends on the Go release
		}
		if got[i] != want[i] {
			t.Errorf("identifier %d: got %v, want %v", i, got[i], want[i])
		}
	}
	if first := s.Line(8)[0]; !first.Defines || first.Col != 2 || first.Offset != strings.Index(lookedAt, "local") {
		t.Errorf("the first identifier of line 8 is %+v", first)
	}
}

func TestFuncIsTheDeclarationAroundAnOffset(t *testing.T) {
	s, _ := lookupWorld(t).Syntax("lib/lib.go")
	if fn := s.Func(strings.Index(lookedAt, "return")); fn == nil || fn.Name.Name != "Method" {
		t.Errorf("around return: %v", fn)
	}
	if fn := s.Func(strings.Index(lookedAt, "struct")); fn != nil {
		t.Errorf("around a type: %v", fn.Name)
	}
	if fn := s.Func(len(lookedAt)); fn != nil {
		t.Errorf("at the end of the file: %v", fn.Name)
	}
}

func TestSyntaxKnowsTestsAndNothingElse(t *testing.T) {
	w := lookupWorld(t)
	if s, ok := w.Syntax("lib/lib_test.go"); !ok || s.Package.Path() != "example.com/m/lib" {
		t.Errorf("the test file: %v %v", s, ok)
	}
	if _, ok := w.Syntax("lib/none.go"); ok {
		t.Error("a file that is not there is found")
	}
	if w.Package("example.com/m/lib").Scope().Lookup("T") == nil || w.Package("strings") != nil {
		t.Error("Package must find the tree's packages and no others")
	}
}

func TestBaseIsAWorldOfItsOwn(t *testing.T) {
	w := lookupWorld(t)
	at := strings.Index(lookedAt, "helper(arg)")
	base, err := w.Base(context.Background(), []change.Edit{
		{Path: "lib/lib.go", Start: at, End: at + len("helper(arg)"), Text: []byte("older(arg)")},
		{Path: "lib/helper.go", Op: change.Remove},
		{Path: "lib/older.go", Op: change.Create, Text: []byte("package lib\n\nfunc older(n int) int { return n + 1 }\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if b := base.Broken(); len(b) != 1 || !b[0].Test || b[0].Problems[0].Name != "helper" {
		t.Errorf("only the tests of head must not fit base: %v", b)
	}
	s, _ := base.Syntax("lib/lib.go")
	ids := s.Line(10)
	if ids[2].Name != "older" || ids[2].Decl.Path != "lib/older.go" {
		t.Errorf("at base line 10 uses %v", ids[2])
	}
	if string(w.Content("lib/lib.go")) != lookedAt || base.Content("lib/helper.go") != nil {
		t.Error("head and base share contents that differ")
	}
	res, err := base.Check(context.Background(), []change.Edit{{Path: "lib/older.go", Op: change.Remove}})
	if err != nil || len(res.Problems) != 1 || res.Problems[0].Name != "older" {
		t.Errorf("an edit of base: %v %v", res, err)
	}
}

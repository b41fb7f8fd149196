package gosrc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/change"
)

// generatedMark is the line that marks generated Go files
// (https://go.dev/s/generatedcode); it must stand before the package clause's
// declarations, and we accept it anywhere at the start of a line as the go
// command's documentation does.
var generatedMark = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// helperPackage matches the names of packages that exist for tests.
var helperPackage = regexp.MustCompile(`^(test|tests|testing[a-z]*|test(util|utils|helper|helpers|support|kit|lib|env|data)|.+(test|testutil|testutils|testing|testhelper|testhelpers))$`)

// notHelpers end in "test" by accident.
var notHelpers = []string{"latest", "contest", "attest", "protest", "greatest", "fastest", "manifest"}

// Kind implements mutate.Source.
func (Source) Kind(f *change.File) (change.Kind, string, bool) {
	switch base := path.Base(f.Path); base {
	case "go.sum", "go.work.sum":
		return change.Inert, "checksums", true
	case "go.mod", "go.work":
		return change.Data, "module file", true
	}
	if path.Ext(f.Path) != ".go" {
		return 0, "", false
	}
	if !isSource(f.Path) {
		return change.Data, "Go source below testdata/", true
	}
	src := f.New
	if src == nil {
		src = f.Old
	}
	kind, why := sourceKind(f.Path, src)
	return kind, why, true
}

func sourceKind(name string, src []byte) (change.Kind, string) {
	if generatedMark.Match(src) {
		return change.Generated, `"Code generated … DO NOT EDIT."`
	}
	// A file that does not parse still yields what came before the error.
	file, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if strings.HasSuffix(name, "_test.go") {
		if file != nil && !hasTests(file) {
			return change.Support, "_test.go without a test"
		}
		return change.Test, "_test.go"
	}
	if file != nil && file.Name != nil && helperPackage.MatchString(file.Name.Name) && !slices.Contains(notHelpers, file.Name.Name) {
		return change.Support, "package " + file.Name.Name + " serves tests"
	}
	return change.Production, "Go source"
}

func hasTests(file *ast.File) bool {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && isTestName(fn.Name.Name) {
			return true
		}
	}
	return false
}

func isTestName(name string) bool {
	if name == "TestMain" {
		return false
	}
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return true
		}
	}
	return false
}

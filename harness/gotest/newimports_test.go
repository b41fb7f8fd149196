package gotest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/change"
)

// Lists of strings look like imports line by line; only import declarations
// count. With the lines taken for imports, go list was asked to build the tests
// of the standard library.
func TestOnlyImportDeclarationsOfVariantsAreImports(t *testing.T) {
	dir := t.TempDir()
	head := "package a\n\nimport (\n\t\"fmt\"\n)\n\nvar kinds = []string{}\n\nfunc f() { fmt.Print(kinds) }\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(head), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(text string, start, end int) []change.Edit {
		return []change.Edit{{Path: "a.go", Start: start, End: end, Text: []byte(text)}}
	}
	for name, tt := range map[string]struct {
		edits []change.Edit
		want  []string
	}{
		"a list of strings":        {at("var kinds = []string{\n\t\"os\",\n\t\"io\"\n}\n\nvar _ = `\n\"text\"\n`\n", 30, 53), []string{"fmt"}},
		"an import of its own":     {at("; import \"os\"", 9, 9), []string{"fmt", "os"}},
		"an import of the group":   {at("\n\tjs \"encoding/json\"", 19, 19), []string{"encoding/json", "fmt"}},
		"neither":                  {at("x", 30, 30), nil},
		"text that does not fit":   {at("\n\t\"os\"\n", 900, 901), nil},
		"a package of another":     {[]change.Edit{{Path: "b/b.go", Text: []byte("import \"os\"\n")}}, nil},
		"C, which is no package":   {at("; import \"C\"", 9, 9), []string{"fmt"}},
		"text that does not parse": {at("\n\t\"os\"\n", 0, 9), nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := &warming{dir: dir, variants: map[int][]change.Edit{1: tt.edits}}
			got, err := w.newImports([]string{"."})
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// A variant may bring back a file that head does not have: it was left to the
// disk, and there is nothing to read.
func TestVariantsThatWereLeftAreNotRead(t *testing.T) {
	back := []change.Edit{{Path: "gone.go", Op: change.Create, Text: []byte("package a\n\nimport \"os\"\n")}}
	w := &warming{dir: t.TempDir(), variants: map[int][]change.Edit{1: back}, left: map[int]string{1: "a file that is added or removed"}}
	if got, err := w.newImports([]string{"."}); err != nil || len(got) > 0 {
		t.Errorf("got %q, %v", got, err)
	}
}

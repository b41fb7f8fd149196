package schema_test

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay/change"
	"assay/harness/gotest/schema"
)

// compose composes variants of one file, each given as old and new text.
func compose(t *testing.T, text string, rewrites ...[2]string) (string, schema.Result) {
	t.Helper()
	variants := map[int][]change.Edit{}
	for i, r := range rewrites {
		at := strings.Index(text, r[0])
		if at < 0 || strings.Count(text, r[0]) != 1 {
			t.Fatalf("%q must occur once", r[0])
		}
		variants[i+1] = []change.Edit{{Path: "p/p.go", Start: at, End: at + len(r[0]), Text: []byte(r[1])}}
	}
	return composed(t, text, variants)
}

func composed(t testing.TB, text string, variants map[int][]change.Edit) (string, schema.Result) {
	t.Helper()
	result, err := schema.Compose(schema.Package{
		ImportPath: "ex/p", Rel: "p", Dir: "p", Files: []schema.File{{Path: "p/p.go", Name: "p.go", Text: []byte(text)}},
		Importer: importer.ForCompiler(token.NewFileSet(), "gc", nil), Sizes: types.SizesFor("gc", "amd64"), Bare: true,
	}, variants)
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Files["p.go"]), result
}

func TestAGuardIsPutAtTheSmallestSoundPlace(t *testing.T) {
	const head = `package p

func f(a, b int) int {
	x := a + 1
	if a < b {
		x = 2
		x++
	}
	y := x * 3
	for i := 0; i < b; i++ {
		y += i
	}
	return y
}
`
	for _, c := range []struct{ old, new, want string }{
		{"a < b", "a > b", "if (zzassay.On(1)&&(a > b)||zzassay.Off(1)&&(a < b)) {"},
		{"x = 2", "x = 4", "if zzassay.On(1) {x = 4\n} else {x = 2\n}\n\t\tx++"},
		{"x++", "", "x = 2\n\t\tif zzassay.On(1) {\n} else {x++\n}"},
		{"x * 3", "x / 3", "var y assayT0;if zzassay.On(1) {y =x / 3\n} else {y =x * 3\n}"},
		{"x := a + 1", "var x = a + 2", "if zzassay.On(1) {var x = a + 2\n"}, // and all that follows
		{"y += i", "y -= i", "{zzassay.Tick();\n\t\tif zzassay.On(1) {y -= i\n} else {y += i\n}"},
		{"i := 0", "i := 1", "if zzassay.On(1) {for i := 1; i < b; i++ {zzassay.Tick();\n"},
	} {
		got, result := compose(t, head, [2]string{c.old, c.new})
		if !strings.Contains(got, c.want) || len(result.Left) > 0 {
			t.Errorf("%q for %q: left %v\n%s\nlacks\n%s", c.new, c.old, result.Left, got, c.want)
		}
	}
}

func TestWhatWouldNotBuildOnDiskIsLeftOutAndTheRestIsNot(t *testing.T) {
	const head = `package p

type t struct{ n int }

const c = 1

func f(a int) int {
	x := a
	a = x + c
	return g(a)
}

func g(a int) int {
	return a
}

func spare() {}
`
	rewrites := [][2]string{
		{"return a\n", "return a + 1\n"},
		{"a = x + c", "a = 3"},                                                  // x is then unused
		{"a = x + c", "a = x + missing"},                                        // no such name
		{"return g(a)", ""},                                                     // no return
		{"return g(a)", "return g(a"},                                           // does not parse
		{"n int }", "n, m int }"},                                               // a declaration
		{"const c = 1", "const c = 2"},                                          // a declaration
		{"func g(a int) int", "func g(a, b int) int"},                           // a signature
		{"func g(a int) int {\n\treturn a\n}", ""},                              // still used
		{"func spare() {}", ""},                                                 // not used
		{"func spare() {}", "func Spare() {}"},                                  // exported
		{"func spare() {}", "func spare() {}\n\n//go:noinline\nfunc more() {}"}, // a directive
	}
	_, result := compose(t, head, rewrites...)
	if got, want := fmt.Sprint(slices.Sorted(maps.Keys(result.Left))), "[2 3 4 5 6 7 8 9 11 12]"; got != want {
		t.Errorf("left out %s, want %s: %v", got, want, result.Left)
	}
}

// big is a file of n functions with a loop of statements each, and its
// variants: one for each statement.
func big(n int) (string, map[int][]change.Edit) {
	var text strings.Builder
	text.WriteString("package p\n")
	variants := map[int][]change.Edit{}
	for i := range n {
		fmt.Fprintf(&text, "\nfunc f%d(a int) int {\n\tfor i := range a {\n", i)
		for range 20 {
			at := text.Len() + len("\t\ta += i * ")
			text.WriteString("\t\ta += i * 2\n")
			variants[len(variants)+1] = []change.Edit{{Path: "p/p.go", Start: at, End: at + 1, Text: []byte("3")}}
		}
		text.WriteString("\t}\n\treturn a\n}\n")
	}
	return text.String(), variants
}

func TestTheProgramGrowsByTheSameForEachVariant(t *testing.T) {
	perVariant := func(n int) int {
		text, variants := big(n)
		got, result := composed(t, text, variants)
		if len(result.Left) > 0 {
			t.Fatalf("left out %v", result.Left)
		}
		return (len(got) - len(text)) / len(variants)
	}
	few, many := perVariant(2), perVariant(40)
	if many > few+8 || many > 120 { // 8 for more digits of the number
		t.Errorf("%d bytes for each of 40 variants, %d for each of 800", few, many)
	}
}

func BenchmarkCompose(b *testing.B) {
	text, variants := big(100)
	for b.Loop() {
		composed(b, text, variants)
	}
}

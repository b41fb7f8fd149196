package typed_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

// writeBig writes a module with one package of 5,000 lines in five files, as
// many lines of in-package tests, and a package that imports it.
func writeBig(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	write("go.mod", "module example.com/big\n\ngo 1.22\n")
	for i := range 5 {
		write(fmt.Sprintf("big/file%d.go", i), bigFile(i, "", 100))
		write(fmt.Sprintf("big/file%d_test.go", i), bigFile(i, "Test", 100))
	}
	write("user/user.go", "package user\n\nimport \"example.com/big/big\"\n\nvar Sum = big.Sum0x0([]int{1}, \"a\")\n")
	return dir
}

// bigFile is a file of n functions of ten lines each.
func bigFile(file int, prefix string, n int) string {
	var out strings.Builder
	out.WriteString("package big\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n")
	for i := range n {
		fmt.Fprintf(&out, `
func %sSum%dx%d(list []int, name string) int {
	total := 0
	for i, v := range list {
		if strings.HasPrefix(name, fmt.Sprint(i)) {
			total += v * len(name)
		}
	}
	return total
}
`, prefix, file, i)
	}
	return out.String()
}

// editAfter replaces the first old after marker in a file of dir by neu.
func editAfter(b *testing.B, dir, path, marker, old, neu string) change.Edit {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		b.Fatal(err)
	}
	from := strings.Index(string(text), marker)
	at := from + strings.Index(string(text[from:]), old)
	return change.Edit{Path: path, Start: at, End: at + len(old), Text: []byte(neu)}
}

func benchCheck(b *testing.B, path, marker, old, format string) {
	dir := writeBig(b)
	w, err := typed.Load(context.Background(), typed.Config{Dir: dir, Env: os.Environ()})
	if err != nil {
		b.Fatal(err)
	}
	var stats typed.Stats
	n := 0
	for b.Loop() {
		n++ // another text each time, so that nothing is known from before
		res, err := w.Check(context.Background(), []change.Edit{editAfter(b, dir, path, marker, old, fmt.Sprintf(format, n))})
		if err != nil || len(res.Problems) > 0 {
			b.Fatal(res.Problems, err)
		}
		stats.Packages += res.Stats.Packages
		stats.Bodies += res.Stats.Bodies
	}
	b.ReportMetric(float64(stats.Packages)/float64(n), "packages/op")
	b.ReportMetric(float64(stats.Bodies)/float64(n), "bodies/op")
}

// BenchmarkCheckBody changes one statement.
func BenchmarkCheckBody(b *testing.B) {
	benchCheck(b, "big/file2.go", "func Sum2x50", "total := 0", "total := %d")
}

// BenchmarkCheckDeclaration adds an unexported function: the package and its
// tests are checked, its importers are not.
func BenchmarkCheckDeclaration(b *testing.B) {
	benchCheck(b, "big/file2.go", "func Sum2x50", "func ", "func helper%d() {}\n\nfunc ")
}

// BenchmarkCheckAPI adds an exported function: importers are checked too.
func BenchmarkCheckAPI(b *testing.B) {
	benchCheck(b, "big/file2.go", "func Sum2x50", "func ", "func Helper%d() {}\n\nfunc ")
}

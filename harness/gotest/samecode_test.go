package gotest_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest"
)

const twinned = `package a

import "fmt"

const debug = false

// Limit is seen by importers.
const Limit = 7

type list struct{ xs []int }

func (l *list) sum() (total int) {
	for _, x := range l.xs {
		total += x
	}
	if debug && total > 1 {
		fmt.Println("sum", total)
	}
	return total + 0
}

func walk(n int) int {
	if n <= 0 {
		return 0
	}
	step := func() int { return n * 1 }
	return walk(n-1) + step()
}

func any2[T any](xs []T) bool { return len(xs) >= 0 && true }

func long() int { return len([]string{"a", "b"}[0]) + 0 }

func data() []string { return []string{"one", "two"} }

func init() { _ = any2([]int{walk(2) | 0}) }
`

// Each mutant of the file is the same code as head, or is not, or cannot be
// told.
func TestSameCode(t *testing.T) {
	cases := []struct {
		old, neu string
		same     bool
	}{
		{"debug && total > 1", "debug && total >= 1", true},
		{`fmt.Println("sum", total)`, "", true},
		{"return total + 0", "return total - 0", true},
		{"return total + 0", "return total + 1", false},
		{"total += x", "total -= x", false},
		{"return n * 1", "return n / 1", true},
		{"return n * 1", "return n", true},
		{"n <= 0", "n < 0", false},
		{"n <= 0", "n < 1", true},
		{"walk(n-1) + step()", "step() + walk(n-1)", true}, // step is inlined
		{"walk(2) | 0", "walk(2) ^ 0", true},
		{`"one", "two"`, `"two", "one"`, false},
		{"len(xs) >= 0 && true", "true", false},                      // compiled where it is used
		{"Limit = 7", "Limit = 8", false},                            // compiled into importers
		{"func walk(n int) int {", "func walk(n int) int { ", false}, // not in a body
	}
	for i, c := range cases {
		if strings.Count(twinned, c.old) != 1 {
			t.Fatalf("%d: %q must occur once", i, c.old)
		}
	}
	dir := t.TempDir()
	write(t, dir, "go.mod", []byte("module ex\n\ngo 1.24\n"))
	write(t, dir, "a/a.go", []byte(twinned))
	write(t, dir, "a/a_test.go", []byte("package a\n\n"+oneTest))
	session, err := gotest.New().Open(t.Context(), dir, harness.Options{Origin: dir, Env: os.Environ(), Scratch: t.TempDir(), Hang: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	comparer, ok := session.(harness.CodeComparer)
	if !ok {
		t.Fatal("the session compares no code")
	}
	var variants [][]change.Edit
	var want []bool
	for _, c := range cases {
		at := strings.Index(twinned, c.old)
		variants = append(variants, []change.Edit{{Path: "a/a.go", Start: at, End: at + len(c.old), Text: []byte(c.neu)}})
		want = append(want, c.same)
	}
	got, err := comparer.SameCode(t.Context(), dir, t.TempDir(), variants)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range variants {
		if got[i] != want[i] {
			t.Errorf("%q as %q: same %v, want %v", twinned[v[0].Start:v[0].End], v[0].Text, got[i], want[i])
		}
	}
	at := strings.Index(twinned, "total += x")
	broken := []change.Edit{{Path: "a/a.go", Start: at, End: at + len("total += x"), Text: []byte("total += nowhere")}}
	got, err = comparer.SameCode(t.Context(), dir, t.TempDir(), [][]change.Edit{variants[0], broken})
	if err != nil || got[0] || got[1] {
		t.Errorf("a build that fails: %v, %v; want that nothing can be told", got, err)
	}
}

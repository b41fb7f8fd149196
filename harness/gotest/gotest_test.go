package gotest_test

import (
	"testing"

	"assay/change"
	"assay/harness"
	"assay/harness/gotest"
	"assay/harness/harnesstest"
)

func TestConformance(t *testing.T) {
	const calc = `package calc

import (
	"os"
	"strconv"
	"time"
)

// Version is looked at by no test.
const Version = "1"

func Add(a, b int) int {
	return a + b
}

func Twice(p *int) int {
	return *p * 2
}

func Wait() bool {
	return true
}

func pid() []byte {
	time.Sleep(0)
	return []byte(strconv.Itoa(os.Getpid()) + "\n")
}
`
	const calcTest = `package calc

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAdd(t *testing.T) {
	t.Log("about to add")
	t.Run("small", func(t *testing.T) {
		if got := Add(1, 2); got != 3 {
			t.Errorf("Add(1, 2) = %d", got)
		}
	})
	t.Run("red", func(t *testing.T) { t.Error("always") })
}

func TestTwice(t *testing.T) {
	n := 2
	if Twice(&n) != 4 {
		t.Fatal("not twice")
	}
}

func TestWait(t *testing.T) {
	if !Wait() {
		t.Fatal("did not wait")
	}
}

func TestFlaky(t *testing.T) {
	state := filepath.Join(os.Getenv("HARNESSTEST_STATE"), "flaky")
	if os.Remove(state) == nil {
		t.Fatal("every other time")
	}
	if err := os.WriteFile(state, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestSkipped(t *testing.T) { t.Skip("not here") }
`
	harnesstest.Run(t, harnesstest.Fixture{
		Harness: gotest.New(),
		Files: map[string]string{
			"go.mod":            "module ex\n\ngo 1.24\n",
			"calc/calc.go":      calc,
			"calc/calc_test.go": calcTest,
		},
		Target:  harness.Target{Path: "calc/calc.go", Kind: change.Production, Lines: []change.Span{{Start: 13, Lines: 1}}},
		Green:   []harness.TestID{"ex/calc.TestAdd", "ex/calc.TestAdd/small", "ex/calc.TestTwice", "ex/calc.TestWait"},
		Red:     "ex/calc.TestAdd/red",
		Flaky:   "ex/calc.TestFlaky",
		Skipped: "ex/calc.TestSkipped",
		Assertion: harnesstest.Break{Path: "calc/calc.go", Old: "a + b", New: "a - b",
			Test: "ex/calc.TestAdd/small", Kind: harness.RedAssertion},
		Panic: harnesstest.Break{Path: "calc/calc.go", Old: "*p * 2", New: "*(*int)(nil) * 2",
			Test: "ex/calc.TestTwice", Kind: harness.RedPanic},
		NoBuild: harnesstest.Break{Path: "calc/calc.go", Old: "a + b", New: "a + b + c",
			Phase: harness.PhaseBuild, Missing: "c"},
		Hang: harnesstest.Break{Path: "calc/calc.go", Old: "return true",
			New:  "_ = os.WriteFile(os.Getenv(\"HARNESSTEST_STARTED\"), pid(), 0o644)\n\tselect {}",
			Test: "ex/calc.TestWait", Kind: harness.RedHang},
		Exit: harnesstest.Break{Path: "calc/calc.go", Old: "return true", New: "os.Exit(0)\n\treturn true",
			Test: "ex/calc.TestWait", Kind: harness.RedExit},
		Unnoticed: harnesstest.Break{Path: "calc/calc.go", Old: `Version = "1"`, New: `Version = "2"`},
	})
}

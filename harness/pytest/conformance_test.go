package pytest_test

import (
	"os"
	"testing"

	"assay/change"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/harness/pytest"
)

// python is the interpreter that the tests use. They fail without one: a
// harness that was never run is not tested.
func python(t *testing.T) string {
	t.Helper()
	path := os.Getenv("ASSAY_TEST_PYTHON")
	if path == "" {
		t.Fatal("ASSAY_TEST_PYTHON is not set: run `make venv` and set it to .cache/venv/bin/python, or run `make test`, which does both")
	}
	return path
}

const calc = `import os
import time


def add(a, b):
    return a + b


def halve(n):
    return n // 2


def boot():
    ready = True
    return None
`

const calcTests = `import os
import pathlib

import pytest

import calc


@pytest.fixture(autouse=True)
def booted():
    calc.boot()


def test_add():
    assert calc.add(1, 2) == 3


def test_halve():
    assert calc.halve(4) == 2


def test_red():
    assert calc.add(1, 1) == 3


def test_flaky():
    calc.add(0, 0)
    mark = pathlib.Path(os.environ["HARNESSTEST_STATE"], "flaky")
    if mark.exists():
        mark.unlink()
        pytest.fail("every other time")
    mark.touch()


@pytest.mark.skip
def test_skipped():
    calc.add(0, 0)
`

func TestPytestConforms(t *testing.T) {
	id := func(name string) harness.TestID { return harness.TestID("test_calc.py::" + name) }
	edit := func(old, neu string, test string, kind harness.RedKind) harnesstest.Break {
		return harnesstest.Break{Path: "calc.py", Old: old, New: neu, Test: id(test), Kind: kind}
	}
	noBuild := edit("return a + b", "return a + (", "test_add", "")
	noBuild.Phase = harness.PhaseCollect
	harnesstest.Run(t, harnesstest.Fixture{
		Harness: pytest.New(pytest.Config{Python: python(t)}),
		Files:   map[string]string{"calc.py": calc, "test_calc.py": calcTests},
		Target:  harness.Target{Path: "calc.py", Lines: []change.Span{{Start: 5, Lines: 10}}},
		Green:   []harness.TestID{id("test_add"), id("test_halve")},
		Red:     id("test_red"), Flaky: id("test_flaky"), Skipped: id("test_skipped"),
		Assertion: edit("return a + b", "return a - b", "test_add", harness.RedAssertion),
		Panic:     edit("return n // 2", "return n // 0", "test_halve", harness.RedError),
		NoBuild:   noBuild,
		Hang: edit("ready = True", `open(os.environ["HARNESSTEST_STARTED"], "w").write("%d\n" % os.getpid()); time.sleep(1000)`,
			"test_add", harness.RedHang),
		Exit:      edit("ready = True", "os._exit(0)", "test_add", harness.RedExit),
		Unnoticed: edit("ready = True", "ready = False", "", ""),
	})
}

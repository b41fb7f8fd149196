//go:build unix

package main

import (
	"bytes"
	"log"
	"os"
	"path/filepath"
	"testing"
)

const sample = `import functools
import threading


class Ledger:
    limit = 100

    def __init__(self, start=0):
        self.total = start
        self.log = []

    def add(self, amount):
        if amount < 0 or self.total + amount > self.limit:
            raise ValueError("amount %d does not fit" % amount)
        self.total = self.total + amount
        self.log.append(amount)
        return self.total

    @property
    def mean(self):
        if not self.log:
            return 0
        return self.total / len(self.log)


@functools.lru_cache(maxsize=None)
def steps(n):
    return 1 if n == 0 else steps(n - 1) + 1


def pairs(items):
    for i, a in enumerate(items):
        for b in items[i + 1:]:
            yield a, b


def apart(work):
    done = []
    thread = threading.Thread(target=lambda: done.append(work() + 1))
    thread.start()
    thread.join(5)
    return done[0]
`

const sampleTests = `import pytest

from ledger import Ledger, apart, pairs, steps


def test_add(tmp_path):
    ledger = Ledger()
    assert ledger.add(40) == 40
    assert ledger.add(1) == 41
    assert ledger.log == [40, 1]
    (tmp_path / "total").write_text(str(ledger.total))


@pytest.mark.parametrize("amount", [-1, 101])
def test_refused(amount):
    with pytest.raises(ValueError, match="does not fit"):
        Ledger().add(amount)


def test_mean():
    assert Ledger().mean == 0
    ledger = Ledger()
    ledger.add(4)
    ledger.add(6)
    assert ledger.mean == 5


def test_steps():
    assert steps(5) == 6


def test_pairs(capsys):
    print(list(pairs("abc")))
    assert "('b', 'c')" in capsys.readouterr().out


def test_apart():
    assert apart(lambda: 1) == 2
`

func TestRandomEditsComeOutTheSameBothWays(t *testing.T) {
	python := os.Getenv("ASSAY_TEST_PYTHON")
	if python == "" {
		t.Fatal("ASSAY_TEST_PYTHON is not set: run `make test`")
	}
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"ledger.py": sample, "test_ledger.py": sampleTests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	said := new(bytes.Buffer)
	c := &comparison{python: python, origin: dir, dir: t.TempDir(), files: []string{"ledger.py"}, out: log.New(said, "", 0)}
	if err := c.run(t.Context(), 15, 7); err != nil {
		t.Fatal(err)
	}
	if c.disagree > 0 || c.forked < 10 {
		t.Errorf("%d of %d forked edits disagree, %d were left to a fresh process\n%s", c.disagree, c.forked, c.left, said)
	}
}

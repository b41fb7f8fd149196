package harnesstest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/change"
	"assay/harness"
)

// hang is the least limit of a hanging test in the suite. It is short, so that
// the suite is, yet long enough that a slow machine starts a process in it.
const hang = 2 * time.Second

// A suite is one session on one fixture.
type suite struct {
	Fixture
	session  harness.Session
	dir      string
	started  string
	baseline harness.Baseline
}

// Run checks that the harness of f keeps the contract of package harness.
func Run(t *testing.T, f Fixture) {
	s := open(t, f)
	t.Run("baseline", s.baselineNamesEveryTest)
	if s.baseline.Trouble != "" {
		t.Fatalf("baseline: %s\n%s", s.baseline.Trouble, s.baseline.Output)
	}
	t.Run("cover", s.coverHoldsGreenTestsOnly)
	t.Run("head is green", s.headIsGreen)
	t.Run("assertion", func(t *testing.T) { s.turnsRed(t, s.Assertion) })
	t.Run("panic", func(t *testing.T) { s.turnsRed(t, s.Panic) })
	t.Run("no build", s.doesNotBuild)
	t.Run("hang", s.hangs)
	if s.Exit.Path != "" {
		t.Run("exit 0 is not green", s.exitIsNotGreen)
	}
	t.Run("unnoticed", s.staysGreen)
	t.Run("head is green again", s.headIsGreen)
	t.Run("unreported", s.unreportedIsIncomplete)
	t.Run("two directories at once", s.directoriesDoNotMix)
	t.Run("cancel", s.cancelLeavesNothing)
}

func open(t *testing.T, f Fixture) *suite {
	t.Helper()
	s := &suite{Fixture: f, dir: write(t, f.Files), started: filepath.Join(t.TempDir(), "started")}
	env := f.Env
	if env == nil {
		env = os.Environ()
	}
	env = harness.Setenv(env, StateVar+"="+t.TempDir(), StartedVar+"="+s.started)
	session, err := f.Harness.Open(t.Context(), s.dir, harness.Options{
		Origin: s.dir, Env: env, Scratch: t.TempDir(), MaxRun: 10 * time.Minute, Hang: hang})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	s.session = session
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func (s *suite) baselineNamesEveryTest(t *testing.T) {
	b, err := s.session.Baseline(t.Context(), s.dir, []harness.Target{s.Target})
	if err != nil {
		t.Fatalf("baseline: %v", err)
	}
	s.baseline = b
	want := slices.Sorted(slices.Values(s.Green))
	if got := slices.Sorted(slices.Values(b.Green)); !slices.Equal(got, want) {
		t.Errorf("green:\n got %q\nwant %q", got, want)
	}
	var red []harness.TestID
	for _, r := range b.Red {
		red = append(red, r.ID)
		if r.Status != harness.Failed || r.Red == nil || r.Red.Message == "" {
			t.Errorf("red at head without saying why: %+v", r)
		}
	}
	only(t, "red at head", red, s.Red)
	only(t, "flaky", b.Flaky, s.Flaky)
	only(t, "skipped", b.Skipped, s.Skipped)
	if b.Toolchain == "" || b.Limit < hang {
		t.Errorf("toolchain %q, limit %v", b.Toolchain, b.Limit)
	}
}

// only checks that got is want alone, or nothing when want is "".
func only(t *testing.T, what string, got []harness.TestID, want harness.TestID) {
	t.Helper()
	if want == "" && len(got) == 0 || len(got) == 1 && got[0] == want {
		return
	}
	t.Errorf("%s: got %q, want %q alone", what, got, want)
}

func (s *suite) coverHoldsGreenTestsOnly(t *testing.T) {
	cover, widest := s.cover(), s.session.Widest(s.Target.Path)
	for _, id := range []harness.TestID{s.Assertion.Test, s.Panic.Test} {
		if !covers(cover, id) {
			t.Errorf("the cover lacks %s: %q", id, cover.Tests)
		}
	}
	for _, sel := range []harness.Selection{cover, widest} {
		if sel.Basis == "" {
			t.Error("a selection without a basis")
		}
		for _, id := range sel.Tests {
			if !slices.Contains(s.Green, id) {
				t.Errorf("%s selects %s, which is not green", sel.Basis, id)
			}
		}
	}
	for _, id := range cover.Tests {
		if !slices.Contains(widest.Tests, id) {
			t.Errorf("the widest selection lacks %s", id)
		}
	}
}

// cover is the selection of the target's first lines.
func (s *suite) cover() harness.Selection {
	return s.session.Cover(s.Target.Path, s.Target.Lines[0])
}

// covers reports whether sel runs id: by its own name or by that of a test
// that it is part of (Go subtests).
func covers(sel harness.Selection, id harness.TestID) bool {
	return slices.ContainsFunc(sel.Tests, func(have harness.TestID) bool {
		return id == have || len(id) > len(have) && id[:len(have)+1] == have+"/"
	})
}

// run applies b (if any) in the suite's directory and runs sel.
func (s *suite) run(t *testing.T, b Break, sel harness.Selection) harness.Outcome {
	t.Helper()
	job := s.job(t, s.dir, sel)
	if b.Path != "" {
		e := b.edit(t, s.Files)
		onDisk(t, s.dir, s.Files, e)
		job.Edits = []change.Edit{e}
	}
	o, err := s.session.Run(t.Context(), job)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return o
}

func (s *suite) job(t *testing.T, dir string, sel harness.Selection) harness.Job {
	t.Helper()
	return harness.Job{Dir: dir, Selection: sel, Scratch: t.TempDir()}
}

// result returns the result of id, the zero Result when there is none.
func result(o harness.Outcome, id harness.TestID) harness.Result {
	for _, r := range o.Tests {
		if r.ID == id {
			return r
		}
	}
	return harness.Result{}
}

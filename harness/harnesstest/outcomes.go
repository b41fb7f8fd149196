package harnesstest

import (
	"testing"

	"assay/harness"
)

func (s *suite) headIsGreen(t *testing.T) {
	s.isGreen(t, s.run(t, Break{}, s.cover()), s.cover())
	widest := s.session.Widest(s.Target.Path)
	s.isGreen(t, s.run(t, Break{}, widest), widest)
}

// isGreen checks that every test of sel passed.
func (s *suite) isGreen(t *testing.T, o harness.Outcome, sel harness.Selection) {
	t.Helper()
	if o.Phase != harness.PhaseRun || !o.Complete || len(o.Red()) > 0 || o.TimedOut {
		t.Errorf("want a complete green run, got %s", show(o))
	}
	for _, id := range sel.Tests {
		if got := result(o, id).Status; got != harness.Passed {
			t.Errorf("%s is %q, want passed", id, got)
		}
	}
	if len(o.Argv) == 0 || o.Duration <= 0 {
		t.Errorf("argv %q, duration %v: the run cannot be told to a person", o.Argv, o.Duration)
	}
}

// turnsRed runs the cover with b on disk, twice, since a second run may take
// another way through the harness (a kept build) and must say the same.
func (s *suite) turnsRed(t *testing.T, b Break) {
	e := b.edit(t, s.Files)
	onDisk(t, s.dir, s.Files, e)
	for range 2 {
		job := s.job(t, s.dir, s.cover())
		job.Edits = append(job.Edits, e)
		o, err := s.session.Run(t.Context(), job)
		if err != nil {
			t.Fatalf("run: %v", err)
		}
		s.isRed(t, o, b)
	}
}

func (s *suite) isRed(t *testing.T, o harness.Outcome, b Break) {
	t.Helper()
	r := result(o, b.Test)
	if o.Phase != harness.PhaseRun || r.Status != harness.Failed || r.Red == nil {
		t.Fatalf("%s is %q, want failed; %s", b.Test, r.Status, show(o))
	}
	if r.Red.Kind != b.Kind || r.Red.Message == "" || len(r.Red.Message) > 1<<10 {
		t.Errorf("red is %+v, want kind %s with a message", *r.Red, b.Kind)
	}
	if b.Kind == harness.RedCommand {
		return // a command's text is not read for places
	}
	if len(r.Red.Frames) == 0 {
		t.Errorf("red names no place inside the tree: %+v", *r.Red)
	}
	for _, f := range r.Red.Frames {
		if _, ours := s.Files[f.Path]; !ours || f.Line <= 0 {
			t.Errorf("frame %+v is not inside the tree", f)
		}
	}
}

func (s *suite) doesNotBuild(t *testing.T) {
	o := s.run(t, s.NoBuild, s.cover())
	if o.Phase != s.NoBuild.Phase || o.Trouble == "" || o.Missing != s.NoBuild.Missing {
		t.Errorf("want phase %s about %q, got %s", s.NoBuild.Phase, s.NoBuild.Missing, show(o))
	}
	if o.Complete || len(o.Red()) > 0 || o.Ran() > 0 {
		t.Errorf("tests have results though nothing was built: %s", show(o))
	}
}

func (s *suite) hangs(t *testing.T) {
	o := s.run(t, s.Hang, s.alone(s.Hang))
	r := result(o, s.Hang.Test)
	if s.HangUnnamed {
		if !o.TimedOut || o.Complete || r.Status != harness.Unreported {
			t.Errorf("want a timed out run without a result of %s, got %+v in %s", s.Hang.Test, r, show(o))
		}
		return
	}
	if !o.TimedOut || r.Status != harness.Failed || r.Red == nil || r.Red.Kind != harness.RedHang {
		t.Errorf("want a hang of %s, got %+v in %s", s.Hang.Test, r, show(o))
	}
}

// alone selects the test of b and nothing else.
func (s *suite) alone(b Break) harness.Selection {
	return harness.Selection{Basis: harness.Hit, Tests: []harness.TestID{b.Test}}
}

func (s *suite) exitIsNotGreen(t *testing.T) {
	o := s.run(t, s.Exit, s.cover())
	r := result(o, s.Exit.Test)
	if o.Complete || r.Status == harness.Passed {
		t.Errorf("a process that ended inside %s reads as %q: %s", s.Exit.Test, r.Status, show(o))
	}
	if r.Status == harness.Failed && r.Red.Kind != harness.RedExit {
		t.Errorf("red is %+v, want kind exit", *r.Red)
	}
}

func (s *suite) staysGreen(t *testing.T) {
	s.isGreen(t, s.run(t, s.Unnoticed, s.cover()), s.cover())
}

func (s *suite) unreportedIsIncomplete(t *testing.T) {
	const bogus = "harnesstest/no/such.TestAtAll"
	sel := s.cover()
	sel.Tests, sel.Baselined = append([]harness.TestID{bogus}, sel.Tests...), false
	o := s.run(t, Break{}, sel)
	if got := result(o, bogus).Status; o.Complete || got != harness.Unreported {
		t.Errorf("a test that does not exist is %q: %s", got, show(o))
	}
}

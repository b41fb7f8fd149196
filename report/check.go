package report

import (
	"errors"
	"fmt"
	"slices"

	"assay/change"
	"assay/prove"
)

// check refuses what has the schema's name but is no report: a renderer would
// draw nonsense from it. It looks at what renderers and replay stand on; the
// schema says the rest.
func check(r *prove.Report) error {
	if r.Base == "" || r.Head == "" {
		return errors.New("it names no base or no head")
	}
	var counted prove.Counts
	for i, f := range r.Findings {
		if err := checkFinding(f); err != nil {
			return fmt.Errorf("finding %d: %w", i+1, err)
		}
		counted.Add(f)
	}
	if counted != r.Counts {
		return fmt.Errorf("its counts are %q, but its findings are %q", Totals(r.Counts), Totals(counted))
	}
	for i, l := range r.Baseline.Languages {
		if l.Name == "" {
			return fmt.Errorf("language %d of the baseline has no name", i+1)
		}
	}
	if r.Whole != nil {
		if err := oneOf("result of the whole change", r.Whole.Result, "red", "green", "cannot-tell"); err != nil {
			return err
		}
		if err := checkTrials(r.Whole.Trials); err != nil {
			return fmt.Errorf("whole change: %w", err)
		}
	}
	return checkClaim(r.Claim)
}

func checkFinding(f prove.Finding) error {
	switch {
	case f.ID == "":
		return errors.New("it has no id")
	case f.File == "":
		return errors.New("it has no file")
	case negative(f.Old, f.New):
		return fmt.Errorf("its lines are %s and %s", f.Old, f.New)
	}
	if err := checkReason(f.Verdict, f.Reason); err != nil {
		return err
	}
	for _, u := range f.Units {
		if err := checkReason(u.Verdict, u.Reason); err != nil {
			return fmt.Errorf("unit %q: %w", u.Name, err)
		}
	}
	return checkTrials(f.Trials)
}

// checkReason also finds a verdict that is not there: it reads as INCONCLUSIVE,
// to which no empty reason belongs.
func checkReason(v prove.Verdict, r prove.Reason) error {
	if !slices.Contains(prove.ReasonsOf(v), r) {
		return fmt.Errorf("%q is no reason for %s", r, v)
	}
	return nil
}

func checkTrials(trials []prove.TrialReport) error {
	for i, t := range trials {
		if t.ID == "" || t.Purpose == "" || t.Language == "" {
			return fmt.Errorf("trial %d has no id, purpose or language", i+1)
		}
	}
	return nil
}

func checkClaim(c prove.Claim) error {
	if err := oneOf("verdict of the claim", c.Verdict, prove.ClaimConfirmed, prove.ClaimRefuted, prove.ClaimCannotTell); err != nil {
		return err
	}
	for _, t := range c.Tests {
		if t.ID == "" {
			return errors.New("a test of the claim has no id")
		}
		if err := oneOf("claim on "+string(t.ID), t.Verdict, prove.FailsWithout, prove.PassesEitherWay, prove.ClaimCannotTell); err != nil {
			return err
		}
	}
	return nil
}

func oneOf(what, word string, known ...string) error {
	if !slices.Contains(known, word) {
		return fmt.Errorf("the %s is %q", what, word)
	}
	return nil
}

func negative(spans ...change.Span) bool {
	return slices.ContainsFunc(spans, func(s change.Span) bool { return s.Start < 0 || s.Lines < 0 })
}

package beside

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assay/change"
	"assay/prove"
)

// An End is how a plain test run ended.
type End string

// The ends.
const (
	Green End = "stays green"
	Red   End = "fails"
	Stuck End = "passes the limit"
	Dead  End = "does not come to run tests"
)

// A Subject is a project whose mutants are compared.
type Subject struct {
	Name, Dir string
	// Mutants runs assay on a sample of n mutants.
	Mutants func(ctx context.Context, n int) (*prove.MutationReport, error)
	// Plain runs every test as anybody would, with a mutant on disk.
	Plain func(ctx context.Context) (End, error)
}

// An Agreement compares the fates that assay gives mutants with a plain run of
// all tests, the mutant on disk.
type Agreement struct {
	Runner, Kind string // what disagreements and totals call the plain runner and the subjects
	Agrees       func(prove.Fate, End) bool
	Say          func(format string, args ...any)
}

// Compare compares total mutants, spread over the subjects, prints each
// disagreement, and fails when there is one. Where a subject has fewer than its
// share, those behind it have more.
func (a Agreement) Compare(ctx context.Context, subjects []Subject, total int) error {
	compared, wrong, err := a.each(ctx, subjects, total)
	for _, w := range wrong {
		a.Say("DISAGREEMENT %s", w)
	}
	a.Say("agreement %d of %d mutants over %d %s", compared-len(wrong), compared, len(subjects), a.Kind)
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("%d disagreements", len(wrong))
	}
	return err
}

func (a Agreement) each(ctx context.Context, subjects []Subject, total int) (compared int, wrong []string, err error) {
	for i, s := range subjects {
		left := len(subjects) - i
		n := (total - compared + left - 1) / left // what earlier ones fell short of is made up for
		r, err := s.Mutants(ctx, n)
		if err != nil {
			return compared, wrong, err
		}
		here := 0
		for _, m := range r.Mutants {
			if m.Status == prove.Suppressed {
				continue
			}
			got, err := s.with(ctx, m)
			if err != nil {
				return compared, wrong, err
			}
			here++
			if !a.Agrees(m.Status, got) {
				wrong = append(wrong, fmt.Sprintf("%s %s:%d %s: assay says %s (%s), %s %s\n%s",
					s.Name, m.File, m.Start.Line, m.Operator, m.Status, m.Detail, a.Runner, got, m.Edit))
			}
		}
		compared += here
		a.Say("agreement %s: %d mutants, %+v, disagreements so far %d", s.Name, here, r.Counts, len(wrong))
	}
	return compared, wrong, nil
}

// with is the plain run with a mutant on disk; the file is put back after it.
func (s Subject) with(ctx context.Context, m prove.MutantReport) (e End, err error) {
	file := filepath.Join(s.Dir, filepath.FromSlash(m.File))
	head, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	mutated, err := change.Apply(head, m.Edits)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, mutated, 0o644); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, head, 0o644)) }()
	return s.Plain(ctx)
}

package prove

import (
	"context"
	"testing"

	"assay/change"
	"assay/harness"
)

// A fakePreparer is a language whose session prepares all it is given. Its Try
// does what Run does, but for tests that hang there only.
type fakePreparer struct {
	*fakeLanguage
	prepared int
	tried    [][]change.Edit
	onDisk   [][]change.Edit
	hangs    bool
	hits     []harness.TestID
}

func (l *fakePreparer) Open(context.Context, string, harness.Options) (harness.Session, error) {
	return l, nil
}

func (l *fakePreparer) Prepare(_ context.Context, _ string, variants [][]change.Edit) error {
	l.prepared += len(variants)
	return nil
}

func (l *fakePreparer) Try(ctx context.Context, job harness.Job) (harness.Outcome, bool, error) {
	l.tried = append(l.tried, job.Edits)
	o, err := l.fakeLanguage.Run(ctx, job)
	o.TimedOut = l.hangs && len(job.Edits) > 0
	return o, true, err
}

func (l *fakePreparer) Run(ctx context.Context, job harness.Job) (harness.Outcome, error) {
	l.onDisk = append(l.onDisk, job.Edits)
	return l.fakeLanguage.Run(ctx, job)
}

func (l *fakePreparer) Hits([]change.Edit) ([]harness.TestID, bool) { return l.hits, l.hits != nil }

func provePrepared(t *testing.T, cfg Config, l *fakePreparer, words ...string) *Report {
	t.Helper()
	c := libChange(words...)
	l.head = map[string]string{"lib.x": string(c.Files[0].New)}
	r, err := Run(t.Context(), cfg, c, []Language{{Name: "fake", Source: l, Harness: l}}, newTrees(1), Discard{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// preparer has a test that needs "one" and a test that looks at nothing but a
// planted failure.
func preparer() *fakePreparer {
	return &fakePreparer{fakeLanguage: &fakeLanguage{
		rules: map[string]func(string) *harness.Red{"a": needs("one"), "b": needs("")}, cover: []harness.TestID{"a", "b"}}}
}

func TestTrialsRunPreparedAndWhatNothingNoticesIsConfirmedOnDisk(t *testing.T) {
	l := preparer()
	expect(t, provePrepared(t, Config{}, l, "one", "two"), Assertion, Survived)
	if l.prepared != 4 { // an undo and a planted failure of each
		t.Errorf("%d variants were prepared", l.prepared)
	}
	// The undo of one twice, head once more; the undo and the failure of two.
	if len(l.tried) != 5 {
		t.Errorf("tried %d: %+v", len(l.tried), l.tried)
	}
	// The whole twice, and the confirmation.
	if len(l.onDisk) != 3 {
		t.Errorf("on disk %d: %+v", len(l.onDisk), l.onDisk)
	}
}

func TestPlainPreparesNothing(t *testing.T) {
	l := preparer()
	expect(t, provePrepared(t, Config{Plain: true}, l, "one", "two"), Assertion, Survived)
	if l.prepared+len(l.tried) > 0 {
		t.Errorf("%d prepared, %d tried", l.prepared, len(l.tried))
	}
}

func TestAPreparedRunThatPassesALimitIsMadeAgainOnDisk(t *testing.T) {
	l := preparer()
	l.hangs = true
	expect(t, provePrepared(t, Config{}, l, "one"), Assertion)
	if len(l.onDisk) != 4 { // the whole twice, the undo twice
		t.Errorf("on disk %d: %+v", len(l.onDisk), l.onDisk)
	}
}

func TestOnlyTheTestsThatComeByAreRunUntilConfirming(t *testing.T) {
	l := preparer()
	l.rules["c"], l.rules["d"] = never, never
	l.cover = []harness.TestID{"a", "b", "c", "d"}
	l.hits = []harness.TestID{"b"}
	r := provePrepared(t, Config{}, l, "one")
	expect(t, r, Assertion) // by "a", when confirming
	f := r.Findings[0]
	if first := f.Trials[0]; first.Basis != harness.Hit || len(first.Tests) != 1 || f.Killers[0] != "a" {
		t.Errorf("first trial by %s of %v, killers %v", first.Basis, first.Tests, f.Killers)
	}
}

// Package prove tells the story of a proof: it studies a change, runs the
// tests at head, un-does the whole change and then every piece of it in
// throwaway trees, and judges the facts.
//
// Phases: study (no process of the project), baseline (each language twice),
// whole (the control of the whole change), units (on a pool, one tree per
// worker), report. Facts are gathered in Evidence; Next says which fact is
// wanted and Decide judges, both pure. Results are stored by index and come
// out in the order of the change.
//
// The package knows no language, no git and no terminal: it is handed
// Languages, Trees and an Observer.
package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"assay/change"
	"assay/harness"
	"assay/mutate"
)

// A proof is the state of one Run.
type proof struct {
	cfg    Config
	change *change.Change
	langs  []Language
	trees  Trees
	obs    Observer

	subjects []*subject
	kinds    map[string]change.Kind
	names    Names
	lanes    []*lane
	whole    *Whole
	claim    Claim
	notes    []string
	stopped  Reason // Budget or Interrupted once the proof was cut short

	mu         sync.Mutex // guards observer calls, done and components
	done       int
	components map[string]*componentRun
}

// Run proves a change and returns its report. Cancelling ctx, or running out
// of cfg.Budget, yields a full report in which the hunks that were not
// reached are INCONCLUSIVE by cause; for a cancelled ctx the error is ctx's
// as well. Any other error means that assay itself could not work.
func Run(ctx context.Context, cfg Config, c *change.Change, langs []Language, trees Trees, obs Observer) (*Report, error) {
	p := &proof{
		cfg: cfg, change: c, langs: langs, trees: trees, obs: obs,
		kinds: map[string]change.Kind{}, names: Names{}, components: map[string]*componentRun{},
	}
	began := time.Now()
	within, cancel := ctx, func() {}
	if cfg.Budget > 0 {
		within, cancel = context.WithTimeout(ctx, cfg.Budget)
	}
	defer cancel()
	err := p.stages(within)
	closing := p.close()
	switch {
	case ctx.Err() != nil:
		p.stopped, err = Interrupted, ctx.Err()
	case within.Err() != nil:
		p.stopped, err = Budget, nil
	}
	r := p.report(began)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return r, errors.Join(err, closing)
}

func (p *proof) stages(ctx context.Context) error {
	if err := p.study(ctx); err != nil {
		return err
	}
	if !p.needsTests() {
		return nil
	}
	if err := p.baseline(ctx); err != nil {
		return err
	}
	if err := p.wholeControl(ctx); err != nil {
		return err
	}
	return p.judge(ctx)
}

// study reads the source of the change and settles what needs no run.
func (p *proof) study(ctx context.Context) error {
	notes := map[*change.Unit]*mutate.Note{}
	for _, l := range p.langs {
		var files []*change.File
		for _, f := range p.change.Files {
			if f.Language == l.Name && f.Form == change.Text {
				files = append(files, f)
			}
		}
		if l.Source == nil || len(files) == 0 {
			continue
		}
		studied, err := l.Source.Study(ctx, p.change, files)
		if err != nil {
			return fmt.Errorf("reading the %s files of the change: %w", l.Name, err)
		}
		for u, n := range studied {
			notes[u] = n
		}
	}
	for _, f := range p.change.Files {
		p.kinds[f.Path] = f.Kind
		for _, h := range f.Hunks {
			for _, u := range h.Units {
				n := notes[u]
				if n == nil {
					n = &mutate.Note{}
				}
				p.subjects = append(p.subjects, &subject{hunk: h, unit: u, note: n})
			}
		}
	}
	p.settleAll()
	return nil
}

func (p *proof) settleAll() {
	var coupling []*subject
	for _, s := range p.subjects {
		if s.file().Kind != change.Test {
			for _, name := range s.note.Defines {
				p.names.Add(name)
			}
		}
		if s.revertible() {
			coupling = append(coupling, s)
		}
		if s.note.IgnoredBare {
			p.notes = append(p.notes, s.name()+": assay:ignore without a reason ignores nothing; write assay:ignore and why")
		}
		s.settleByText()
	}
	couple(coupling)
}

// needsTests reports whether anything is left that only a run can tell. Test
// hunks ask for the baseline too: they are the claim's tests, and a change
// that only edits tests should at least be told that they are green.
func (p *proof) needsTests() bool {
	return slices.ContainsFunc(p.subjects, func(s *subject) bool {
		return !s.settled || s.decision.Reason == TestHunk
	})
}

// baseline opens a lane for every language that judges something.
func (p *proof) baseline(ctx context.Context) error {
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return err
	}
	defer tree.Release()
	for _, l := range p.langs {
		targets := p.targets(l)
		if len(targets) == 0 {
			continue
		}
		p.event(Event{Stage: "baseline", What: l.Name})
		ln, err := p.open(ctx, l, tree, targets)
		if ln != nil {
			p.lanes = append(p.lanes, ln)
		}
		if err != nil {
			return err
		}
		for _, n := range ln.base.Notes {
			p.notes = append(p.notes, l.Name+": "+n)
		}
		if err := tree.Restore(); err != nil {
			return fmt.Errorf("bringing head back after the baseline: %w", err)
		}
	}
	return nil
}

// targets are the files of the change that a language's tests may notice.
func (p *proof) targets(l Language) []harness.Target {
	var targets []harness.Target
	for _, f := range p.change.Files {
		if !(&lane{Language: l}).serves(f) || f.Form != change.Text || f.Kind == change.Inert {
			continue
		}
		t := harness.Target{Path: f.Path, Kind: f.Kind}
		for _, h := range f.Hunks {
			t.Lines = append(t.Lines, h.New)
		}
		targets = append(targets, t)
	}
	return targets
}

// judge tries every open subject, one tree per worker.
func (p *proof) judge(ctx context.Context) error {
	open := p.order()
	workers := pool.New().WithMaxGoroutines(max(1, p.trees.Size())).WithContext(ctx).WithCancelOnError().WithFirstError()
	for _, s := range open {
		workers.Go(func(ctx context.Context) error {
			if ctx.Err() != nil {
				return nil
			}
			p.event(Event{Stage: "hunk", What: s.name(), Total: len(open)})
			if err := p.decide(ctx, s); err != nil {
				return err
			}
			p.decided(s, len(open))
			return nil
		})
	}
	return workers.Wait()
}

// order is the open subjects, best first: production before support before
// data, so that a budget is spent where a verdict matters most.
func (p *proof) order() []*subject {
	var open []*subject
	for _, s := range p.subjects {
		if !s.settled {
			open = append(open, s)
		}
	}
	slices.SortStableFunc(open, func(a, b *subject) int { return int(a.file().Kind) - int(b.file().Kind) })
	return open
}

// decide tries a subject with every lane that serves it and keeps the
// decision that outranks the others.
func (p *proof) decide(ctx context.Context, s *subject) error {
	var best *Decision
	for _, l := range p.lanes {
		if !l.serves(s.file()) {
			continue
		}
		d, err := p.decideWith(ctx, s, l)
		if err != nil {
			return err
		}
		if best == nil || outranks(d, *best) {
			best = &d
		}
	}
	if best == nil {
		none := settle(NoTests, "no test runner of this project is known to run this file")
		best = &none
	}
	s.decision, s.settled = *best, true
	return nil
}

// outranks orders decisions of several lanes on one subject: a proof in one is
// a proof; a doubt in one is a doubt; survived outranks uncovered.
func outranks(a, b Decision) bool {
	rank := func(d Decision) int {
		switch {
		case d.Verdict == Proven:
			return 4
		case d.Verdict == Inconclusive && d.Reason != NoTests:
			return 3
		case d.Reason == Survived:
			return 2
		case d.Reason == Uncovered:
			return 1
		}
		return 0
	}
	return rank(a) > rank(b)
}

func (p *proof) decideWith(ctx context.Context, s *subject, l *lane) (Decision, error) {
	e := Evidence{
		Broken: s.note.Broken, Missing: s.note.Missing, Names: p.names, Kind: p.kindOf,
		Data: s.file().Kind == change.Data, HangInconclusive: p.cfg.HangInconclusive,
		NoPlant: len(s.control()) == 0, Coupled: len(s.coupled),
		WholeGreen: p.whole != nil && p.whole.Result == "green",
	}
	if l.trouble != "" {
		if l.redAtHead() {
			e.RedAtHead = len(l.base.Red) + len(l.base.Flaky)
		} else {
			e.Trouble, e.Phase = l.trouble, l.phase()
		}
		return Decide(e), nil
	}
	if e.Broken != "" {
		return Decide(e), nil
	}
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return Decision{}, err
	}
	defer tree.Release()
	b := &bench{p: p, lane: l, tree: tree, subject: s, evidence: e}
	if err := b.choose(ctx); err != nil {
		return Decision{}, err
	}
	if err := b.try(ctx); err != nil {
		return Decision{}, err
	}
	return b.conclude(), nil
}

// choose picks the selections and learns what is green in them at head.
func (b *bench) choose(ctx context.Context) (err error) {
	path, e := b.subject.file().Path, &b.evidence
	b.widest = b.lane.session.Widest(path)
	b.sel = b.lane.session.Cover(path, b.subject.lines())
	e.Direct, e.Basis = len(b.sel.Tests), b.sel.Basis
	if len(b.sel.Tests) == 0 {
		b.sel = b.widest
	}
	e.Wide = sameTests(b.sel, b.widest)
	if e.Widest, err = b.lane.expected(ctx, b.tree, b.widest); err != nil {
		return err
	}
	if e.Expected, err = b.lane.expected(ctx, b.tree, b.sel); err != nil {
		return err
	}
	if len(e.Expected) == 0 && !e.Wide {
		e.Expected, b.sel, e.Wide = e.Widest, b.widest, true
	}
	e.RedAtHead = len(b.lane.base.Red) + len(b.lane.base.Flaky)
	b.subject.basis = b.sel.Basis
	return nil
}

// conclude decides, and counts the tests that saw the subject.
func (b *bench) conclude() Decision {
	d := Decide(b.evidence)
	b.subject.covering = len(b.sel.Tests)
	if d.Reason == Uncovered {
		b.subject.covering = 0
	}
	if d.Verdict == NotProven && b.evidence.Data && testData(b.subject.file().Path) && b.vanished() > 0 {
		return settle(TestHunk, fmt.Sprintf("the file is a test case: without it %d tests do not exist", b.vanished()))
	}
	return d
}

// vanished counts the tests green at head that the un-done run never had: for
// a directory of test cases they are the file's own.
func (b *bench) vanished() int {
	seen := map[harness.TestID]bool{}
	for _, t := range b.evidence.Undo[0].Tests {
		seen[t.ID] = true
	}
	n := 0
	for _, id := range b.evidence.Expected {
		if !seen[id] {
			n++
		}
	}
	return n
}

// kindOf is the kind of a path: the change's own files as classified, other
// files by the languages.
func (p *proof) kindOf(path string) change.Kind {
	if k, ok := p.kinds[path]; ok {
		return k
	}
	for _, l := range p.langs {
		if l.Source == nil {
			continue
		}
		if k, _, ok := l.Source.Kind(&change.File{Path: path, OldPath: path}); ok {
			return k
		}
	}
	k, _ := mutate.GenericKind(path)
	return k
}

func (p *proof) close() error {
	var errs []error
	for _, l := range p.lanes {
		if l.session != nil {
			errs = append(errs, l.session.Close())
		}
	}
	return errors.Join(errs...)
}

func (p *proof) event(e Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e.Done = p.done
	p.obs.Event(e)
}

func (p *proof) decided(s *subject, total int) {
	f := p.finding(s.hunk, []*subject{s})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.obs.Event(Event{Stage: "decided", What: s.name(), Done: p.done, Total: total, Finding: &f})
}

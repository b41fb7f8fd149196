// Package prove tells the story of a proof: it studies a change, runs the
// tests at head, un-does the whole change and then every piece of it in
// throwaway trees, and judges the facts.
//
// Phases: study (no process of the project), baseline (each language twice),
// ladder (how each piece is un-done; nothing is run), whole (the control of the
// whole change), prepare (what the trials to come can share), units (on a pool,
// one tree per worker), report. Facts are gathered in Evidence; Next says which
// fact is wanted and Decide judges, both pure. Results are stored by index and
// come out in the order of the change.
//
// The package knows no language, no git and no terminal: it is handed
// Languages, Trees and an Observer.
package prove

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

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
	dropped  map[harness.TestID]bool // tests that the whole's control ran without
	claim    Claim
	notes    []string
	stopped  Reason        // Budget or Interrupted once the proof was cut short
	standing []change.Edit // of a proof whose trees hold more than head
	gates    map[*change.Hunk]*TestGate
	deep     map[*change.Hunk]*MutantScore // with Config.Deep

	// What is found out ahead, by language; see ahead.go.
	plans  map[string]func() (map[*change.Unit]*mutate.Plan, error)
	crops  map[string]func() (mutate.Crop, error)
	pasts  map[string]*pastAhead // by language; nil for none
	opened func(*lane)           // called once a lane's session is open; may be nil
	ahead  *aheadOf

	mu         sync.Mutex // guards observer calls, done and components
	done       int
	components map[string]*componentRun
}

// Run proves a change and returns its report. Cancelling ctx, or running out
// of cfg.Budget, yields a full report in which the hunks that were not
// reached are INCONCLUSIVE by cause; for a cancelled ctx the error is ctx's
// as well. Any other error means that assay itself could not work.
func Run(ctx context.Context, cfg Config, c *change.Change, langs []Language, trees Trees, obs Observer) (*Report, error) {
	p := newProof(cfg, c, langs, trees, obs)
	began := time.Now()
	within, cancel := ctx, func() {}
	if cfg.Budget > 0 {
		within, cancel = context.WithTimeout(ctx, cfg.Budget)
	}
	defer cancel()
	err := p.stages(within)
	p.attribute()
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

func newProof(cfg Config, c *change.Change, langs []Language, trees Trees, obs Observer) *proof {
	return &proof{
		cfg: cfg, change: c, langs: langs, trees: trees, obs: obs,
		kinds: map[string]change.Kind{}, names: Names{}, dropped: map[harness.TestID]bool{}, components: map[string]*componentRun{},
		gates: map[*change.Hunk]*TestGate{}, deep: map[*change.Hunk]*MutantScore{},
	}
}

func (p *proof) stages(ctx context.Context) error {
	if err := p.study(ctx); err != nil {
		return err
	}
	if !p.needsTests() {
		return nil
	}
	if p.cfg.TestsOnly {
		return p.judgeTests(ctx)
	}
	defer p.planAhead(ctx)()
	if err := p.baseline(ctx); err != nil {
		return err
	}
	if err := p.climb(ctx); err != nil {
		return err
	}
	return p.try(ctx)
}

// judgeTests runs the gate alone.
func (p *proof) judgeTests(ctx context.Context) (err error) {
	wait := p.pastsAhead(ctx)
	defer func() { err = errors.Join(err, wait()) }()
	if err := p.baseline(ctx); err != nil {
		return err
	}
	return p.gate(ctx)
}

// try un-does the change, as a whole and hunk by hunk, and weighs its tests.
func (p *proof) try(ctx context.Context) error {
	ready := p.prepareAhead(ctx)
	if !p.cfg.ClaimOnly {
		defer func() { _ = ready() }() // judge has asked, or a greater fault ended all
	}
	if err := p.wholeControl(ctx); err != nil {
		return err
	}
	if err := p.repeatAdded(ctx); err != nil {
		return err
	}
	if p.cfg.ClaimOnly && !p.claimWantsHunks() {
		return p.review(ctx)
	}
	if err := p.judge(ctx, ready); err != nil {
		return err
	}
	if err := p.review(ctx); err != nil {
		return err
	}
	if err := p.deepen(ctx); err != nil {
		return err
	}
	if p.cfg.ClaimOnly {
		return nil
	}
	return p.gate(ctx)
}

// close ends the sessions, and the sources that keep something open, and takes
// in what the sessions learned for the user.
func (p *proof) close() error {
	var errs []error
	for _, l := range p.langs {
		if c, ok := l.Source.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	for _, l := range p.lanes {
		if l.session != nil {
			errs = append(errs, l.session.Close())
			if n, ok := l.session.(harness.Noter); ok {
				for _, note := range n.Notes() {
					p.notes = append(p.notes, l.Name+": "+note)
				}
			}
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
	p.obs.Event(Event{Stage: "decided", What: s.name(), Done: p.done, Total: total, Finding: &f, Provisional: s.waits()})
}

// changed tells the observer that a decision it has heard is another one now.
func (p *proof) changed(s *subject) {
	f := p.finding(s.hunk, []*subject{s})
	p.event(Event{Stage: "changed", What: s.name(), Finding: &f})
}

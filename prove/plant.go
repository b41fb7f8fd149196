package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/change"
	"assay/harness"
)

// A Plant is an un-doing that is to be proven for ever: with its edits in head
// each of its tests must turn red.
type Plant struct {
	Name  string
	Edits []change.Edit
	Tests []string // test IDs, or for Go the last part of one ("TestTrim")
}

// ErrNoSuchTest is the error of Plants for a test that no language has.
var ErrNoSuchTest = errors.New("no such test")

// Plants runs every plant against the tests it names and reports each as a
// finding on the file it is planted in, in the given order. c holds the planted
// files as head has them. It fails with ErrNoSuchTest when a plant names a test
// that is not there; whatever ends ctx is its error too.
func Plants(ctx context.Context, cfg Config, plants []Plant, c *change.Change, langs []Language, trees Trees, obs Observer) (*Report, error) {
	p := newProof(cfg, c, langs, trees, obs)
	began := time.Now()
	for _, f := range c.Files {
		p.kinds[f.Path] = f.Kind
	}
	findings, err := p.plantAll(ctx, plants)
	closing := p.close()
	if err = errors.Join(err, closing); err != nil {
		return nil, err
	}
	r := p.blank(began)
	r.Findings, r.Claim.Reason = findings, "a plant is no change"
	for _, f := range findings {
		r.Counts.Add(f)
	}
	return r, nil
}

func (p *proof) plantAll(ctx context.Context, plants []Plant) ([]Finding, error) {
	if err := p.baseline(ctx); err != nil {
		return nil, err
	}
	findings := []Finding{}
	for i, plant := range plants {
		p.event(Event{Stage: "plant", What: plant.Name, Done: i, Total: len(plants)})
		l, tests, err := p.plantTests(plant)
		if err != nil {
			return nil, err
		}
		f, err := p.plantOne(ctx, plant, l, tests)
		if err != nil {
			return nil, fmt.Errorf("plant %q: %w", plant.Name, err)
		}
		findings = append(findings, f)
	}
	return findings, nil
}

// plantTests finds the lane of a plant's tests, and their IDs.
func (p *proof) plantTests(plant Plant) (*lane, []harness.TestID, error) {
	for _, l := range p.lanes {
		var ids []harness.TestID
		missing := ""
		for _, name := range plant.Tests {
			id, ok := l.find(name)
			if !ok {
				missing = name
				break
			}
			ids = append(ids, id)
		}
		if missing == "" {
			return l, ids, nil
		}
		if len(ids) > 0 || len(p.lanes) == 1 {
			return nil, nil, fmt.Errorf("plant %q wants %q to turn red: %w", plant.Name, missing, ErrNoSuchTest)
		}
	}
	return nil, nil, fmt.Errorf("plant %q wants %q to turn red: %w", plant.Name, plant.Tests[0], ErrNoSuchTest)
}

// find is the test of a name, whatever its outcome at head.
func (l *lane) find(name string) (harness.TestID, bool) {
	all := slices.Concat(l.base.Green, l.base.Flaky, l.base.Skipped)
	for _, r := range l.base.Red {
		all = append(all, r.ID)
	}
	for _, id := range all {
		if string(id) == name || strings.HasSuffix(string(id), "."+name) {
			return id, true
		}
	}
	return "", false
}

// plantOne runs a plant twice, on disk.
func (p *proof) plantOne(ctx context.Context, plant Plant, l *lane, tests []harness.TestID) (Finding, error) {
	f := p.plantFinding(plant)
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return f, err
	}
	defer tree.Release()
	sel := harness.Selection{Basis: harness.All}
	for _, id := range tests {
		if top := selectable(l.session.Widest(""), id); !slices.Contains(sel.Tests, top) {
			sel.Tests = append(sel.Tests, top)
		}
	}
	e := Evidence{Kind: p.kindOf}
	if e.Expected, err = l.expected(ctx, p, tree, sel, onDisk, prepared); err != nil {
		return f, err
	}
	f.Covering, f.Selection, f.Language = len(sel.Tests), sel.Basis, l.Name
	var runs []harness.Outcome
	for range 2 {
		o, err := p.run(ctx, onDisk, l, tree, plant.Edits, sel)
		if err != nil {
			return f, err
		}
		runs = append(runs, o)
		f.Trials = p.addRun(f.Trials, trialOf{f.ID, "plant", l.Name, l.under.Name, plant.Edits, sel}, o)
	}
	d := judgePlant(e, tests, runs)
	f.Verdict, f.Reason, f.Detail, f.Killers = d.Verdict, d.Reason, plant.Name, append([]harness.TestID{}, d.Killers...)
	if d.Detail != "" {
		f.Detail += ": " + d.Detail
	}
	if d.Red != nil {
		f.RedKind, f.Message = string(d.Red.Kind), d.Red.Message
	}
	return f, nil
}

// plantFinding is the finding of a plant before it is run.
func (p *proof) plantFinding(plant Plant) Finding {
	e := plant.Edits[0]
	text := []byte(p.headOf(e.Path))
	old := text[e.Start:e.End]
	span := change.Span{Start: positionOf(text, e.Start).Line, Lines: change.CountLines(old)}
	return Finding{ID: change.HunkID(plant.Name+"\x00"+e.Path, old, e.Text, 0), File: e.Path, Kind: p.kindOf(e.Path), Old: span, New: span,
		Rung: "none", Units: []UnitReport{}, Partners: []string{}, Killers: []harness.TestID{}, Trials: []TrialReport{}}
}

// judgePlant says whether every test that must turn red did, in every run and
// by a red that is evidence. It is pure.
func judgePlant(e Evidence, tests []harness.TestID, runs []harness.Outcome) Decision {
	for _, id := range tests {
		if !slices.ContainsFunc(e.Expected, func(x harness.TestID) bool { return x == id }) {
			return settle(BaselineRed, string(id)+" is not green without it")
		}
	}
	d := Decision{Verdict: Proven}
	for _, o := range runs {
		r := e.read(o)
		if r.reason != "" && r.reason.Of() != Proven {
			return settle(r.reason, r.words)
		}
		for _, id := range tests {
			i := slices.IndexFunc(r.killers, func(k harness.Result) bool { return within(k.ID, map[harness.TestID]bool{id: true}) })
			if i < 0 {
				return settle(Survived, string(id)+" stays green")
			}
			if d.Red == nil {
				d.Red, d.Reason = r.killers[i].Red, e.weigh(r.killers[i].Red).reason
			}
		}
	}
	d.Killers = tests
	return d
}

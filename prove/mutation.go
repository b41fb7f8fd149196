package prove

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"assay/change"
	"assay/mutate"
)

// A Question says which mutants of a change are wanted.
type Question struct {
	Operators []string // names; nil for all
	// Sample is how many mutants are run at most, drawn at random with Seed;
	// 0 runs all. With a budget the order is drawn with Seed too, so that what
	// was reached is a fair sample.
	Sample int
	Seed   uint64
	// OnDisk runs each survivor once more with its edit on disk.
	OnDisk bool
}

// Mutate runs the mutants of the lines that a change adds, or of whole files
// when they are given as added, and reports what became of each. Only
// production and generated files have mutants. Cancelling ctx or running out
// of cfg.Budget yields a full report, as Run does. Mutants are run in the plain
// environment: cfg.EnvSets are noted and otherwise left alone.
func Mutate(ctx context.Context, cfg Config, q Question, c *change.Change, langs []Language, trees Trees, obs Observer) (*MutationReport, error) {
	langs = slices.DeleteFunc(slices.Clone(langs), func(l Language) bool { return l.Mutator == nil })
	sets := cfg.EnvSets
	cfg.EnvSets = nil
	p := newProof(cfg, c, langs, trees, obs)
	for _, set := range sets {
		p.notes = append(p.notes, plainOnly("[[env]] "+set.Name))
	}
	began := time.Now()
	within, cancel := ctx, func() {}
	if cfg.Budget > 0 {
		within, cancel = context.WithTimeout(ctx, cfg.Budget)
	}
	defer cancel()
	for _, f := range c.Files {
		p.kinds[f.Path] = f.Kind
	}
	r := p.newMutationReport(q, began)
	all, err := p.mutation(within, q, r)
	closing := p.close()
	p.tellAll(r, all)
	r.Seconds = round(time.Since(began))
	switch {
	case ctx.Err() != nil:
		return r, errors.Join(ctx.Err(), closing)
	case within.Err() != nil:
		err = nil
	}
	if err != nil {
		return nil, errors.Join(err, closing)
	}
	return r, closing
}

// mutation runs the baseline, makes the mutants and runs them.
func (p *proof) mutation(ctx context.Context, q Question, r *MutationReport) ([]*grist, error) {
	fields := p.fields()
	wait := p.mutantsAhead(ctx, fields, q)
	defer wait()
	if err := p.baseline(ctx); err != nil {
		return nil, err
	}
	all, err := p.crop(ctx, fields, q.Operators)
	if err != nil {
		return all, err
	}
	open := slices.DeleteFunc(slices.Clone(all), func(g *grist) bool { return g.Suppressed != "" })
	taken := draw(open, q, p.cfg.Budget > 0)
	r.Sample.Of, r.Sample.Taken = len(open), len(taken)
	kept := map[*grist]bool{}
	for _, g := range taken {
		kept[g] = true
	}
	all = slices.DeleteFunc(all, func(g *grist) bool { return g.Suppressed == "" && !kept[g] })
	wait()
	return all, (&mill{p: p, onDisk: q.OnDisk, ahead: p.ahead}).grind(ctx, taken)
}

// plainOnly notes that mutants are not run in an environment.
func plainOnly(where string) string {
	return where + ": mutants are run in the plain environment only; tests may notice a survivor here"
}

// draw takes the sample that the question asks for. Without a budget it keeps
// the order of the text.
func draw(open []*grist, q Question, shuffled bool) []*grist {
	random := rand.New(rand.NewPCG(q.Seed, 0)) //nolint:gosec // a sample that can be drawn again, no secret
	order := random.Perm(len(open))
	if q.Sample > 0 && q.Sample < len(open) {
		order = order[:q.Sample]
	}
	if !shuffled {
		slices.Sort(order)
	}
	drawn := make([]*grist, len(order))
	for i, n := range order {
		drawn[i] = open[n]
	}
	return drawn
}

// fields are the lines of the change that mutants are made of, per language.
func (p *proof) fields() map[string][]mutate.Target {
	fields := map[string][]mutate.Target{}
	for _, f := range p.change.Files {
		if f.Form != change.Text || f.Status == change.Deleted || f.Kind != change.Production && f.Kind != change.Generated {
			continue
		}
		t := mutate.Target{Path: f.Path, Lines: []change.Span{}}
		for _, h := range f.Hunks {
			t.Lines = append(t.Lines, h.New)
		}
		fields[f.Language] = append(fields[f.Language], t)
	}
	return fields
}

// crop makes the mutants of the fields, in the order of the change's files.
func (p *proof) crop(ctx context.Context, fields map[string][]mutate.Target, operators []string) ([]*grist, error) {
	var all []*grist
	for _, l := range p.lanes {
		if l.Mutator == nil || len(fields[l.Name]) == 0 {
			continue
		}
		if l.under.Name != "" {
			p.notes = append(p.notes, plainOnly(l.title()))
			continue
		}
		p.event(Event{Stage: "mutants", What: l.Name})
		made := p.crops[l.Name]
		if made == nil {
			made = func() (mutate.Crop, error) { return p.cropOf(ctx, l.Language, fields[l.Name], operators) }
		}
		crop, err := made()
		if err != nil {
			return nil, err
		}
		for _, n := range crop.Notes {
			p.notes = append(p.notes, l.Name+": "+n)
		}
		for _, m := range crop.Mutants {
			all = append(all, &grist{Mutant: m, lane: l})
		}
	}
	p.name(all)
	return all, nil
}

func (p *proof) cropOf(ctx context.Context, l Language, targets []mutate.Target, operators []string) (mutate.Crop, error) {
	tree, err := p.trees.Acquire(ctx)
	if err != nil {
		return mutate.Crop{}, err
	}
	defer tree.Release()
	crop, err := l.Mutator.Mutants(ctx, tree.Dir(), targets, operators)
	if err != nil {
		return crop, fmt.Errorf("making the %s mutants: %w", l.Name, err)
	}
	return crop, nil
}

// name gives each mutant its ID.
func (p *proof) name(all []*grist) {
	nth := map[string]int{}
	for _, g := range all {
		head := []byte(p.headOf(g.Path()))
		var old, neu []byte
		for _, e := range g.Edits {
			old = append(old, head[e.Start:e.End]...)
			neu = append(neu, e.Text...)
		}
		key := g.Path() + "\x00" + g.Function
		n := nth[key+string(old)+"\x00"+string(neu)]
		nth[key+string(old)+"\x00"+string(neu)]++
		g.id = "m" + change.HunkID(key, old, neu, n)
	}
}

func (p *proof) newMutationReport(q Question, began time.Time) *MutationReport {
	return &MutationReport{
		Schema: MutationSchema, Tool: Tool{Version: p.cfg.Version}, Started: began.UTC().Truncate(time.Second),
		Base: p.change.Base.Commit, Head: p.change.Head.Commit, Repo: p.change.Repo, Uncommitted: p.change.Head.Uncommitted,
		Baseline: Baseline{Languages: []LanguageBaseline{}}, Sample: Sample{Seed: q.Seed},
		Functions: []FunctionReport{}, Mutants: []MutantReport{},
	}
}

// tellAll fills the report with the mutants, in order of the text, and what
// they add up to.
func (p *proof) tellAll(r *MutationReport, all []*grist) {
	for _, l := range p.lanes {
		r.Baseline.Languages = append(r.Baseline.Languages, l.report())
	}
	byFunction := map[[2]string]int{}
	for _, g := range all {
		m := p.mutantReport(g)
		r.Mutants = append(r.Mutants, m)
		r.Counts.count(m.Status)
		key := [2]string{m.File, m.Function}
		at, known := byFunction[key]
		if !known {
			at = len(r.Functions)
			byFunction[key] = at
			r.Functions = append(r.Functions, FunctionReport{File: m.File, Name: m.Function, Line: m.Start.Line})
		}
		r.Functions[at].Counts.count(m.Status)
	}
	r.Score = r.Counts.score()
	for i := range r.Functions {
		r.Functions[i].Score = r.Functions[i].Counts.score()
	}
	for _, f := range p.change.Files {
		if slices.ContainsFunc(r.Mutants, func(m MutantReport) bool { return m.File == f.Path }) {
			r.Sources = append(r.Sources, MutatedFile{Path: f.Path, Language: f.Language, Source: f.New})
		}
	}
	r.Notes = p.notes
}

package gosrc

import (
	"context"
	"fmt"
	"go/types"
	"path"
	"slices"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc/typed"
)

// A Ladder plans how the units of Go files are un-done, by type check alone.
type Ladder struct {
	env, flags []string
}

var _ mutate.Ladder = (*Ladder)(nil)

// NewLadder returns a Ladder that runs the go command in env with those of the
// flags of the test run that select files.
func NewLadder(env, flags []string) mutate.Ladder { return &Ladder{env: env, flags: flags} }

// Plans implements mutate.Ladder. It loads head from dir, which costs two runs
// of `go list`; then each unit costs a few type checks of what it can reach.
// Units of tests and of other files than Go source, and those that Study or a
// comment settled, are planned as a plain revert without being looked at;
// whole-file hunks get no plan. It fails when the tree cannot be listed or read
// and when ctx ends.
func (l *Ladder) Plans(ctx context.Context, dir string, c *change.Change, notes map[*change.Unit]*mutate.Note) (map[*change.Unit]*mutate.Plan, error) {
	plans := map[*change.Unit]*mutate.Plan{}
	found := false
	for _, h := range c.Hunks() {
		for _, u := range h.Units {
			if notes[u] != nil && !h.Whole {
				plans[u] = &mutate.Plan{Rung: mutate.RungRevert, Edits: []change.Edit{u.Undo()}}
			}
			found = found || isOpen(u, notes[u])
		}
	}
	if !found {
		return plans, nil
	}
	s, err := openSides(ctx, typed.Config{Dir: dir, Env: l.env, Flags: l.flags}, c, notes)
	if err != nil {
		return nil, fmt.Errorf("planning how to un-do Go source: %w", err)
	}
	on := newClimb(s)
	for _, m := range s.members {
		p, err := on.plan(ctx, m)
		if err != nil {
			return nil, fmt.Errorf("planning how to un-do %s: %w", m.unit.Hunk.Name(), err)
		}
		plans[m.unit] = p
	}
	return plans, nil
}

// A climb is the search for the plans of one change.
type climb struct {
	s     *sides
	moved map[*member][]*member
	tried map[string]trial
	core  *member // of a search that may keep what the change adds; see forward
}

func newClimb(s *sides) *climb {
	return &climb{s: s, moved: movedLines(s.members), tried: map[string]trial{}}
}

// plan climbs until a rung holds.
func (l *climb) plan(ctx context.Context, m *member) (*mutate.Plan, error) {
	if p := l.unseen(m); p != nil {
		return p, nil
	}
	if only, api := m.onlyRenamed(l.s.renames); only {
		p := &mutate.Plan{Rung: mutate.RungNone, Nothing: mutate.RenamedTo}
		if api {
			p.Note = "API changed"
		}
		return p, nil
	}
	if alone, err := l.alone(ctx, m); alone != nil || err != nil {
		return alone, err
	}
	if l.s.carried(m) {
		p := &mutate.Plan{Rung: mutate.RungNone, Nothing: mutate.Carried, Users: l.s.users(m)}
		if m.exposes() {
			p.Note = "exported fields are seen by reflection"
		}
		return p, nil
	}
	core := l.s.joined(m)
	if len(l.companions(core)) == 1 {
		if p, err := l.glued(ctx, m); p != nil || err != nil {
			return p, err
		}
	}
	return l.beyond(ctx, m, core)
}

// unseen plans units that type checking here says nothing about.
func (l *climb) unseen(m *member) *mutate.Plan {
	if !l.s.compiled(m) {
		return &mutate.Plan{Rung: mutate.RungNone, Why: "no module or build on this platform compiles " + m.file.Path}
	}
	if p, bad := broken(l.s.head, path.Dir(m.file.Path)); bad {
		return &mutate.Plan{Rung: mutate.RungNone, Why: "head does not build: " + says(p)}
	}
	return nil
}

// alone plans a plain revert, nil when it does not build or would leave a
// companion behind. A carried declaration that nothing else needs stays
// carried, unless reflection can see it.
func (l *climb) alone(ctx context.Context, m *member) (*mutate.Plan, error) {
	if len(l.companions([]*member{m})) > 1 {
		return nil, nil
	}
	d := l.s.undo([]*member{m})
	res, err := l.s.head.Check(ctx, d.edits())
	if err != nil || len(res.Problems) > 0 {
		return nil, err
	}
	if l.s.carried(m) && !m.exposes() {
		return nil, nil
	}
	p := &mutate.Plan{Rung: mutate.RungRevert, Edits: d.edits()}
	if !m.code[atBase] && cameFrom(m, l.s.members) {
		p.Note = "lines that it adds are taken away elsewhere in the change: a red may be theirs"
	}
	return p, nil
}

// glued plans a revert with glue, nil when it does not build.
func (l *climb) glued(ctx context.Context, m *member) (*mutate.Plan, error) {
	t, err := l.try(ctx, []*member{m})
	if err != nil || !t.builds() {
		return nil, err
	}
	return l.planOf(m, t), nil
}

// planOf is the plan of a trial that builds.
func (l *climb) planOf(m *member, t trial) *mutate.Plan {
	p := &mutate.Plan{Rung: mutate.RungPartners, Edits: t.gluer.d.edits(), Glue: t.gluer.said, Partners: l.s.unitsOf(t.set, m)}
	if len(p.Partners) > 0 {
		return p
	}
	p.Rung = mutate.RungGlue
	if len(p.Glue) == 0 {
		p.Rung = mutate.RungRevert
	}
	if l.s.sameAsHead(t.gluer.d) {
		p.Nothing = mutate.Formatting
	}
	return p
}

// beyond plans what needs more than glue: a neutral form, partners, or nothing
// honest. The neutral form of an addition that replaced text needs, and the zero
// for a parameter that such text uses, come last: they can take old behaviour
// away.
func (l *climb) beyond(ctx context.Context, m *member, core []*member) (*mutate.Plan, error) {
	n, neutral := l.s.neutralise(m)
	neutral = neutral && !cameFrom(m, l.s.members) && !l.s.replaces(m)
	entangled := ""
	if neutral {
		entangled = l.s.entangled(m, n)
	}
	if neutral && entangled == "" {
		if p, err := l.neutral(ctx, n); p != nil || err != nil {
			return p, err
		}
	}
	t, err := l.partners(ctx, core)
	if err != nil {
		return nil, err
	}
	zero, zeroed := l.s.zeros(m)
	if zeroed && len(t.set) != 2 && !l.s.keptUses(zero.decls) { // a pair is a call and its signature: nothing but the hunk
		if p, err := l.neutral(ctx, zero); p != nil || err != nil {
			return p, err
		}
	}
	if t.builds() && len(t.set)-1 <= mutate.MostPartners {
		return l.planOf(m, t), nil
	}
	if neutral {
		if p, err := l.neutral(ctx, n); p != nil || err != nil {
			return noted(p, entangled+": a red may be the old behaviour's"), err
		}
	}
	if zeroed {
		if p, err := l.neutral(ctx, zero); p != nil || err != nil {
			return p, err
		}
	}
	if t.builds() { // a wide group: green it says as much as the whole change
		return l.planOf(m, t), nil
	}
	f, err := l.forward(ctx, m, core)
	if err != nil {
		return nil, err
	}
	if f.builds() && len(f.set)-1 <= mutate.MostPartners {
		return l.planOf(m, f), nil
	}
	return l.none(m, t), nil
}

func noted(p *mutate.Plan, note string) *mutate.Plan {
	if p != nil {
		p.Note = note
	}
	return p
}

// neutral plans a neutral form, nil when it does not build.
func (l *climb) neutral(ctx context.Context, n neutral) (*mutate.Plan, error) {
	d := newDraft(l.s.content)
	for _, e := range n.edits {
		d.put(e)
	}
	g, problem, err := l.s.glue(ctx, d, nil)
	if err != nil || problem != nil {
		return nil, err
	}
	return &mutate.Plan{Rung: mutate.RungNeutralise, Edits: d.edits(), Glue: append([]string{n.words}, g.said...)}, nil
}

// none says in words why a unit cannot honestly be un-done.
func (l *climb) none(m *member, t trial) *mutate.Plan {
	p := &mutate.Plan{Rung: mutate.RungNone}
	switch {
	case l.s.isTest(t.problem.Path):
		p.Why, p.Missing = "tests need what it changes: "+says(*t.problem), symbol(*t.problem)
		if p.Missing != "" {
			p.Why = "tests need " + p.Missing
		}
	default:
		p.Why, p.Missing = l.reason(m, *t.problem), symbol(*t.problem)
	}
	return p
}

// reason is why production does not build, in words.
func (l *climb) reason(m *member, p typed.Problem) string {
	if at, bad := broken(l.s.base, path.Dir(m.file.OldPath)); bad && m.file.OldPath != "" {
		return "base does not build: " + says(at)
	}
	module := func(f *change.File) bool { return path.Base(f.Path) == "go.mod" || path.Base(f.Path) == "go.work" }
	if slices.ContainsFunc(l.s.change.Files, module) && (p.Code == typed.ImportNotFound || p.Selector) {
		return "needs go.mod: " + says(p)
	}
	return "does not build without it: " + says(p)
}

func says(p typed.Problem) string {
	return fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Message)
}

// symbol is the name that a problem is about when something declares it.
func symbol(p typed.Problem) string {
	switch p.Code {
	case typed.Undefined, typed.UnknownMember, typed.UnknownField, typed.MissingMethod, typed.ImportNotFound, typed.ArgMismatch:
		if types.Universe.Lookup(p.Name) == nil {
			return p.Name
		}
	}
	return ""
}

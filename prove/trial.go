package prove

import (
	"context"
	"fmt"
	"slices"

	"assay/change"
	"assay/harness"
)

// A bench is where one subject is tried with one lane: its tree, and the two
// selections its runs use.
type bench struct {
	p        *proof
	lane     *lane
	tree     Tree
	subject  *subject
	sel      harness.Selection
	widest   harness.Selection
	evidence Evidence
	decision Decision
}

// try gathers the facts that Next asks for, until it asks for none. The tree
// holds head before and after.
func (b *bench) try(ctx context.Context) error {
	for steps := 0; ; steps++ {
		step := Next(b.evidence)
		if step == Done {
			return nil
		}
		if steps > int(RunComponent)+2 {
			return fmt.Errorf("%s: step %d is asked for again and again", b.subject.name(), step)
		}
		if err := b.take(ctx, step); err != nil {
			return err
		}
	}
}

func (b *bench) take(ctx context.Context, step Step) error {
	e, undo := &b.evidence, b.subject.undo()
	plant, _ := b.subject.control()
	switch step {
	case WidenControl, RunConfirm, RunComponent: // the first steps over the widest selection
		if err := b.widen(ctx); err != nil {
			return err
		}
	}
	switch step {
	case RunUndo, RepeatUndo:
		return b.record(ctx, prepared, "undo", undo, b.sel, &e.Undo)
	case RunControl:
		return b.record(ctx, preparedIfRed, "control", plant, b.sel, &e.Control)
	case WidenControl:
		return b.record(ctx, preparedIfRed, "control", plant, b.widest, &e.Control)
	case RunConfirm, RepeatConfirm:
		return b.record(ctx, onDisk, "confirm", undo, b.widest, &e.Confirm)
	case RunHead:
		if len(e.Confirm) > 0 {
			return b.after(ctx, b.widest, &e.HeadWide)
		}
		return b.after(ctx, b.sel, &e.Head)
	case RunHang:
		return b.hang(ctx, undo)
	case AskReach:
		return b.reach(ctx)
	case RunComponent:
		o, err := b.p.component(ctx, b)
		e.Component = &o
		return err
	}
	return fmt.Errorf("%s: unknown step %d", b.subject.name(), step)
}

// record runs a selection with edits in force and keeps the outcome, as a fact
// and as part of the report.
func (b *bench) record(ctx context.Context, how way, purpose string, edits []change.Edit, sel harness.Selection, into *[]harness.Outcome) error {
	o, err := b.p.run(ctx, how, b.lane, b.tree, edits, sel)
	if err != nil {
		return err
	}
	*into = append(*into, o)
	b.subject.trials = b.p.addRun(b.subject.trials, trialOf{b.subject.id(), purpose, b.lane.Name, b.lane.under.Name, edits, sel}, o)
	return nil
}

// A way is how edits come into force for a run.
type way int

// The ways. What was not prepared, or cannot be run so, goes to the disk.
const (
	onDisk way = iota
	prepared
	preparedIfRed // prepared, but a green is only believed of the disk
)

// run runs the selection with edits in force in a tree that holds head, and
// brings head back.
func (p *proof) run(ctx context.Context, how way, l *lane, tree Tree, edits []change.Edit, sel harness.Selection) (harness.Outcome, error) {
	if how != onDisk {
		o, done, err := p.tryPrepared(ctx, l, tree, edits, sel)
		if err != nil || done && (how == prepared || len(o.Red()) > 0) {
			return o, err
		}
	}
	return p.runOnDisk(ctx, l, tree, harness.Job{Dir: tree.Dir(), Edits: edits, Selection: sel, Scratch: tree.Scratch()})
}

// runOnDisk applies the job's edits to the tree first. A tree that cannot take the edits
// is an Outcome of phase apply.
func (p *proof) runOnDisk(ctx context.Context, l *lane, tree Tree, job harness.Job) (harness.Outcome, error) {
	if err := tree.Apply(job.Edits); err != nil {
		if ctx.Err() != nil {
			return harness.Outcome{}, ctx.Err()
		}
		if err := diskFull(err.Error()); err != nil {
			return harness.Outcome{}, err
		}
		return harness.Outcome{Phase: harness.PhaseApply, Trouble: err.Error()}, nil
	}
	o, err := l.session.Run(ctx, job)
	if restored := tree.Restore(); err == nil && restored != nil {
		err = fmt.Errorf("bringing head back after a trial: %w", restored)
	}
	if err == nil {
		err = outcomeDiskFull(o)
	}
	return o, err
}

// hang runs the hanging test alone: un-done, at head, un-done. Each fact is
// true when it is as a real hang would have it.
func (b *bench) hang(ctx context.Context, undo []change.Edit) error {
	id := hanging(b.evidence.Undo[0])
	alone := harness.Selection{Basis: b.sel.Basis, Tests: []harness.TestID{b.owner(id)}}
	for i, edits := range [][]change.Edit{undo, nil, undo} {
		var runs []harness.Outcome
		purpose := "hang"
		if edits == nil {
			purpose = "head"
		}
		if err := b.record(ctx, onDisk, purpose, edits, alone, &runs); err != nil {
			return err
		}
		hung := hanging(runs[0]) != ""
		green := runs[0].Complete && len(runs[0].Red()) == 0
		b.evidence.Hang = append(b.evidence.Hang, i == 1 && green || i != 1 && hung)
	}
	return nil
}

// owner is the selectable test that id belongs to: itself or a parent.
func (b *bench) owner(id harness.TestID) harness.TestID {
	if owner := selectable(b.sel, id); owner != id {
		return owner
	}
	return selectable(b.widest, id)
}

// selectable is the test of the selection that id is or is a part of; id itself
// when there is none.
func selectable(sel harness.Selection, id harness.TestID) harness.TestID {
	for _, t := range sel.Tests {
		if within(id, map[harness.TestID]bool{t: true}) {
			return t
		}
	}
	return id
}

// reach asks the session, where it can tell, whether tests run the lines.
func (b *bench) reach(ctx context.Context) error {
	b.evidence.Reach = ReachUnknown
	r, ok := b.lane.session.(harness.Reach)
	if !ok || b.subject.file().Status == change.Deleted {
		return nil
	}
	hit, known, err := r.Reached(ctx, b.tree.Dir(), b.subject.file().Path, b.subject.lines())
	if err != nil {
		return fmt.Errorf("asking which lines tests execute: %w", err)
	}
	switch {
	case known && hit:
		b.evidence.Reach = ReachYes
	case known:
		b.evidence.Reach = ReachNo
	}
	return nil
}

// sameTests reports whether two selections run the same tests.
func sameTests(a, b harness.Selection) bool {
	x, y := slices.Clone(a.Tests), slices.Clone(b.Tests)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

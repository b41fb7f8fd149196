package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/change"
	"assay/harness"
)

// A lane is one language of the proof: its open session, what its tests do at
// head, and the selections that were already found green by themselves.
type lane struct {
	Language
	under   EnvSet // the zero value for the plain environment
	session harness.Session
	base    harness.Baseline
	trouble string // why no test can be used; "" when the lane serves
	// confined is set when only the tests that a change edits were run.
	confined bool
	green    map[harness.TestID]bool

	mu       sync.Mutex
	isolated map[string]*isolation
	afters   map[string]*afterRun
	flaky    map[harness.TestID]bool // found since the baseline
	probing  probing
}

// An isolation is a selection run by itself at head in one way, once: the tests
// that passed.
type isolation struct {
	once   sync.Once
	passed []harness.TestID
	err    error
}

// open starts the lane's session in tree and runs its baseline. A project that
// cannot be run is a lane with trouble; an error is our own.
//
// focus confines it; see harness.Options.
func (p *proof) open(ctx context.Context, l Language, under EnvSet, tree Tree, targets []harness.Target, focus []harness.Focus) (*lane, error) {
	ln := &lane{Language: l, under: under, green: map[harness.TestID]bool{}, isolated: map[string]*isolation{}, afters: map[string]*afterRun{}, flaky: map[harness.TestID]bool{}}
	p.event(Event{Stage: "baseline", What: ln.title()})
	session, err := l.Harness.Open(ctx, tree.Dir(), harness.Options{
		Origin: p.cfg.Origin, Env: slices.Concat(p.cfg.Env, under.Env), Scratch: p.cfg.Scratch, MaxRun: p.cfg.MaxRun, Hang: p.cfg.hang(),
		Flags: l.Flags, AllTests: p.cfg.AllTests, Fresh: p.cfg.Plain, Targets: targets, Focus: focus,
	})
	var setup *harness.SetupError
	switch {
	case errors.As(err, &setup):
		ln.trouble = setup.Error()
		return ln, nil
	case err != nil:
		return nil, fmt.Errorf("opening the %s harness: %w", l.Name, err)
	}
	ln.session = session
	if p.opened != nil {
		p.opened(ln)
	}
	ln.base, err = session.Baseline(ctx, tree.Dir(), targets)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("running the %s tests at head: %w", l.Name, err), session.Close())
	}
	if err := baselineDiskFull(ln.base); err != nil {
		return nil, errors.Join(err, session.Close())
	}
	for _, id := range ln.base.Green {
		ln.green[id] = true
	}
	ln.trouble = ln.base.Trouble
	if ln.trouble == "" && len(ln.green) == 0 {
		ln.trouble = "no test is green at head"
	}
	return ln, nil
}

// phase is how far the baseline of a troubled lane came.
func (l *lane) phase() harness.Phase { return l.base.Phase }

// redAtHead reports whether the baseline ran tests but left none to use, be it
// that the harness calls that trouble or not.
func (l *lane) redAtHead() bool {
	ran := l.base.Trouble == "" || l.base.Phase == harness.PhaseRun
	return l.session != nil && ran && len(l.base.Green) == 0 && len(l.base.Red)+len(l.base.Flaky) > 0
}

// empty reports whether the baseline came to its end and found no test at all:
// nothing is broken, and nothing would be noticed.
func (l *lane) empty() bool {
	return l.session != nil && l.trouble != "" && l.base.Phase == harness.PhaseRun &&
		len(l.base.Green)+len(l.base.Red)+len(l.base.Flaky)+len(l.base.Skipped)+len(l.base.Uncollected) == 0
}

// expected returns the tests of sel that are green at head in that very
// selection, each way: known from the baseline when it ran just this one, else
// found by runs in tree, which holds head. Once each way, where a trial may turn
// out to need the disk after all: what is green in the one may be red in the
// other.
func (l *lane) expected(ctx context.Context, p *proof, tree Tree, sel harness.Selection, ways ...way) ([]harness.TestID, error) {
	if sel.Baselined || len(sel.Tests) == 0 {
		return l.family(sel.Tests), nil
	}
	green := map[harness.TestID]int{}
	for _, how := range ways {
		iso := l.isolation(sel, how)
		iso.once.Do(func() { iso.passed, iso.err = l.isolate(ctx, p, tree, sel, how) })
		if iso.err != nil {
			return nil, iso.err
		}
		for _, id := range iso.passed {
			green[id]++
		}
	}
	var ids []harness.TestID
	for _, id := range l.family(sel.Tests) {
		switch green[id] {
		case 0:
		case len(ways):
			ids = append(ids, id)
		default:
			l.mu.Lock()
			l.flaky[id] = true
			l.mu.Unlock()
		}
	}
	return ids, nil
}

func (l *lane) isolation(sel harness.Selection, how way) *isolation {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := fmt.Sprint(how) + selectionKey(sel)
	if l.isolated[key] == nil {
		l.isolated[key] = &isolation{}
	}
	return l.isolated[key]
}

func (l *lane) isolate(ctx context.Context, p *proof, tree Tree, sel harness.Selection, how way) ([]harness.TestID, error) {
	o, err := p.run(ctx, how, l, tree, nil, sel)
	if err != nil {
		return nil, fmt.Errorf("running a selection at head: %w", err)
	}
	var passed []harness.TestID
	for _, t := range o.Tests {
		if t.Status == harness.Passed {
			passed = append(passed, t.ID)
		}
	}
	return passed, nil
}

// family returns the green tests among ids together with their green
// sub-tests (whose IDs go on with "/" after the parent's), sorted.
func (l *lane) family(ids []harness.TestID) []harness.TestID {
	want := make(map[harness.TestID]bool, len(ids))
	for _, id := range ids {
		want[id] = true
	}
	var all []harness.TestID
	for id := range l.green {
		if within(id, want) {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

// within reports whether id or one of its parents is in want.
func within(id harness.TestID, want map[harness.TestID]bool) bool {
	_, ok := ancestor(id, want)
	return ok
}

// ancestor is the first of id and its parents that is in want.
func ancestor(id harness.TestID, want map[harness.TestID]bool) (harness.TestID, bool) {
	for s := string(id); ; {
		if want[harness.TestID(s)] {
			return harness.TestID(s), true
		}
		i := strings.LastIndexByte(s, '/')
		if i < 0 {
			return "", false
		}
		s = s[:i]
	}
}

func selectionKey(sel harness.Selection) string {
	parts := make([]string, len(sel.Tests))
	for i, id := range sel.Tests {
		parts[i] = string(id)
	}
	return strings.Join(parts, "\x00")
}

// serves reports whether the lane judges f: its own code, data of any origin,
// and for a test command whatever no language owns.
func (l *lane) serves(f *change.File) bool {
	return f.Language == l.Name || f.Language == "" && (f.Kind == change.Data || l.Source == nil)
}

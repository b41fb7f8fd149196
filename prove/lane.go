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
	green   map[harness.TestID]bool

	mu       sync.Mutex
	isolated map[string]*isolation
	afters   map[string]*afterRun
	flaky    map[harness.TestID]bool // found since the baseline
	probing  probing
}

// An isolation is a selection run by itself at head, once per selection.
type isolation struct {
	once sync.Once
	ids  []harness.TestID
	err  error
}

// open starts the lane's session in tree and runs its baseline. A project that
// cannot be run is a lane with trouble; an error is our own.
func (p *proof) open(ctx context.Context, l Language, under EnvSet, tree Tree, targets []harness.Target) (*lane, error) {
	ln := &lane{Language: l, under: under, green: map[harness.TestID]bool{}, isolated: map[string]*isolation{}, afters: map[string]*afterRun{}, flaky: map[harness.TestID]bool{}}
	p.event(Event{Stage: "baseline", What: ln.title()})
	session, err := l.Harness.Open(ctx, tree.Dir(), harness.Options{
		Origin: p.cfg.Origin, Env: slices.Concat(p.cfg.Env, under.Env), Scratch: p.cfg.Scratch, MaxRun: p.cfg.MaxRun, Hang: p.cfg.hang(),
		Flags: l.Flags, AllTests: p.cfg.AllTests,
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

// expected returns the tests of sel that are green at head in that very
// selection: known from the baseline when it ran just this one, else found by
// two runs in tree, which holds head.
func (l *lane) expected(ctx context.Context, p *proof, tree Tree, sel harness.Selection) ([]harness.TestID, error) {
	if sel.Baselined || len(sel.Tests) == 0 {
		return l.family(sel.Tests), nil
	}
	l.mu.Lock()
	key := selectionKey(sel)
	iso := l.isolated[key]
	if iso == nil {
		iso = &isolation{}
		l.isolated[key] = iso
	}
	l.mu.Unlock()
	iso.once.Do(func() { iso.ids, iso.err = l.isolate(ctx, p, tree, sel) })
	return iso.ids, iso.err
}

func (l *lane) isolate(ctx context.Context, p *proof, tree Tree, sel harness.Selection) ([]harness.TestID, error) {
	green := map[harness.TestID]int{}
	// Once each way: a trial may turn out to need the disk after all, and what
	// is green in the one may be red in the other.
	for _, how := range []way{onDisk, prepared} {
		o, err := p.run(ctx, how, l, tree, nil, sel)
		if err != nil {
			return nil, fmt.Errorf("running a selection at head: %w", err)
		}
		for _, t := range o.Tests {
			if t.Status == harness.Passed {
				green[t.ID]++
			}
		}
	}
	var ids []harness.TestID
	for _, id := range l.family(sel.Tests) {
		switch green[id] {
		case 2:
			ids = append(ids, id)
		case 1:
			l.mu.Lock()
			l.flaky[id] = true
			l.mu.Unlock()
		}
	}
	return ids, nil
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

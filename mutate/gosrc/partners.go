package gosrc

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc/typed"
)

// mostClosure bounds the search before it is shrunk.
const mostClosure = 60

// A trial is what type checking some members un-done together says.
type trial struct {
	set     []*member
	gluer   *gluer
	problem *typed.Problem
}

func (t trial) builds() bool { return t.problem == nil }

// try un-does the members with glue. Members that need each other ask for the
// same sets: each is tried once.
func (l *climb) try(ctx context.Context, set []*member) (trial, error) {
	key := l.s.key(set)
	if t, known := l.tried[key]; known {
		return t, nil
	}
	g, p, err := l.s.glueFor(ctx, l.core, l.s.undo(set), set)
	if err != nil {
		return trial{}, err
	}
	t := trial{set: set, gluer: g, problem: p}
	l.tried[key] = t
	return t, nil
}

// key tells sets of members apart, whatever their order.
func (s *sides) key(set []*member) string {
	var b strings.Builder
	for i, m := range s.members {
		if slices.Contains(set, m) {
			fmt.Fprintf(&b, "%d ", i)
		}
	}
	return b.String()
}

// partners finds members that un-done together with those of core build under
// head's tests: first by asking who owns each error, then by un-doing the
// whole change; what was found is shrunk to what is needed. When nothing
// builds, the returned trial says why.
func (l *climb) partners(ctx context.Context, core []*member) (trial, error) {
	found, err := l.closure(ctx, core)
	if err != nil || !found.builds() && l.s.isTest(found.problem.Path) {
		return found, err
	}
	if !found.builds() {
		whole, err := l.try(ctx, l.s.members)
		if err != nil || !whole.builds() {
			return found, err
		}
		found = whole
	}
	return l.shrink(ctx, found, core)
}

// closure adds the owners of the first error until none is left.
func (l *climb) closure(ctx context.Context, core []*member) (trial, error) {
	set := l.companions(core)
	for {
		t, err := l.try(ctx, set)
		if err != nil || t.builds() || len(set) > mostClosure {
			return t, err
		}
		more := t.owners(l.s)
		if len(more) == 0 {
			return t, nil
		}
		set = l.companions(append(slices.Clone(set), more...))
	}
}

// shrink takes members away that are not needed: halves, singles, then pairs,
// since two that need each other keep each other in. The members of core, and
// whatever belongs to a member that stays, stay.
func (l *climb) shrink(ctx context.Context, t trial, core []*member) (trial, error) {
	rest := minus(t.set, core)
	for size := (len(rest) + 1) / 2; size >= 1; {
		smaller, ok, err := l.without(ctx, t, core, size)
		if err != nil {
			return t, err
		}
		if ok {
			t = smaller
			rest = minus(t.set, core)
			size = min(size, max(1, len(rest)))
			if len(rest) == 0 {
				return t, nil
			}
			continue
		}
		size /= 2
	}
	return l.pairs(ctx, t, core)
}

// without tries to leave out runs of n members.
func (l *climb) without(ctx context.Context, t trial, core []*member, n int) (trial, bool, error) {
	rest := minus(t.set, core)
	for i := 0; i < len(rest); i += n {
		out := rest[i:min(i+n, len(rest))]
		got, ok, err := l.leaveOut(ctx, t, out)
		if ok || err != nil {
			return got, ok, err
		}
	}
	return t, false, nil
}

// pairs tries to leave out any two members.
func (l *climb) pairs(ctx context.Context, t trial, core []*member) (trial, error) {
	for again := len(t.set) <= 3*mutate.MostPartners; again; {
		again = false
		rest := minus(t.set, core)
		for i := range rest {
			for j := i + 1; j < len(rest) && !again; j++ {
				got, ok, err := l.leaveOut(ctx, t, []*member{rest[i], rest[j]})
				if err != nil {
					return t, err
				}
				if ok {
					t, again = got, true
				}
			}
			if again {
				break
			}
		}
	}
	return t, nil
}

func (l *climb) leaveOut(ctx context.Context, t trial, out []*member) (trial, bool, error) {
	set := minus(t.set, out)
	if len(l.companions(set)) != len(set) {
		return t, false, nil
	}
	got, err := l.try(ctx, set)
	return got, err == nil && got.builds(), err
}

func minus(a, b []*member) []*member {
	var out []*member
	for _, m := range a {
		if !slices.Contains(b, m) {
			out = append(out, m)
		}
	}
	return out
}

// companions adds what cannot honestly be left behind: the other half of a
// moved line, and the writers of a field or variable that comes back and is
// read, which would otherwise always read zero.
func (l *climb) companions(set []*member) []*member {
	out := slices.Clone(set)
	for i := 0; i < len(out); i++ {
		more := l.moved[out[i]]
		if i == len(out)-1 {
			more = append(slices.Clone(more), l.writers(out)...)
		}
		for _, m := range more {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// unitsOf are the units of members, in the order of the change, without one.
func (s *sides) unitsOf(set []*member, but *member) []*change.Unit {
	var out []*change.Unit
	for _, m := range s.members {
		if m != but && slices.Contains(set, m) {
			out = append(out, m.unit)
		}
	}
	return out
}

package gosrc

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc/typed"
)

// A round is candidates that are type checked together: each alters the inside
// of another function, so that what is wrong with one shows in its own place
// and hides nothing in the others. A candidate that alters anything else is a
// round of its own.
type round []*candidate

// built type checks the candidates and keeps those that compile, each as the
// first of its choices that does. Suppressed ones are kept unseen.
func built(ctx context.Context, world *typed.World, all []*candidate) ([]mutate.Mutant, error) {
	if err := settleBy(ctx, world, all, rounds); err != nil {
		return nil, fmt.Errorf("type checking mutants: %w", err)
	}
	var mutants []mutate.Mutant
	for _, c := range all {
		if len(c.choices) > 0 {
			c.Edits = c.choices[0]
			mutants = append(mutants, c.Mutant)
		}
	}
	return mutants, nil
}

// settleBy checks candidates, dealt into rounds by deal, until each is built or
// has no choice left.
func settleBy(ctx context.Context, world *typed.World, open []*candidate, deal func([]*candidate) []round) error {
	for {
		open = slices.DeleteFunc(slices.Clone(open), func(c *candidate) bool {
			return c.built || c.Suppressed != "" || len(c.choices) == 0
		})
		if len(open) == 0 {
			return nil
		}
		if err := checkAll(ctx, world, deal(open)); err != nil {
			return err
		}
	}
}

// rounds deals the candidates out: the n-th of every function is in the n-th
// round.
func rounds(open []*candidate) []round {
	type function struct {
		path  string
		start int
	}
	var dealt, alone []round
	nth := map[function]int{}
	for _, c := range open {
		if !c.inBody {
			alone = append(alone, round{c})
			continue
		}
		at := function{c.choices[0][0].Path, c.start}
		n := nth[at]
		nth[at]++
		if n == len(dealt) {
			dealt = append(dealt, nil)
		}
		dealt[n] = append(dealt[n], c)
	}
	return append(dealt, alone...)
}

// checkAll checks the rounds on all processors.
func checkAll(ctx context.Context, world *typed.World, all []round) error {
	errs := make([]error, len(all))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				errs[i] = all[i].check(ctx, world)
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// check finds out which of the round's candidates compile. Those that do are
// built; the others lose their first choice. A problem that lies in none of
// the functions, such as an import that nothing uses any more, or one that may
// hide others, is looked for in each candidate alone.
func (r round) check(ctx context.Context, world *typed.World) error {
	var edits []change.Edit
	for _, c := range r {
		edits = append(edits, c.choices[0]...)
	}
	res, err := world.Check(ctx, edits)
	if err != nil {
		return err
	}
	faulty := map[*candidate]bool{}
	for _, p := range res.Problems {
		c := r.at(p.Place)
		if len(r) > 1 && (c == nil || p.Code == typed.SyntaxError) {
			return r.checkEach(ctx, world)
		}
		faulty[c] = true
	}
	for _, c := range r {
		if faulty[c] || len(r) == 1 && len(faulty) > 0 {
			c.choices = c.choices[1:]
			continue
		}
		c.built = true
	}
	return nil
}

func (r round) checkEach(ctx context.Context, world *typed.World) error {
	for _, c := range r {
		if err := (round{c}).check(ctx, world); err != nil {
			return err
		}
	}
	return nil
}

// at is the candidate in whose function a place of the edited text lies, nil
// when it lies in none.
func (r round) at(place typed.Place) *candidate {
	for _, c := range r {
		if c.choices[0][0].Path != place.Path {
			continue
		}
		before, own := 0, 0
		for _, other := range r {
			if other.choices[0][0].Path != place.Path {
				continue
			}
			switch {
			case other == c:
				own = growth(other.choices[0])
			case other.start < c.start:
				before += growth(other.choices[0])
			}
		}
		if c.start+before <= place.Offset && place.Offset < c.end+before+own {
			return c
		}
	}
	return nil
}

// growth is by how many bytes the edits make a text longer.
func growth(edits []change.Edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.Text) - (e.End - e.Start)
	}
	return n
}

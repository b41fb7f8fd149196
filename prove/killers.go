package prove

import (
	"slices"
	"sync"

	"assay/harness"
)

// manyFirst is how many tests are run before the others at most.
const manyFirst = 5

// killers are the tests that killed mutants, by file: what noticed one mutant is
// likely to notice those that are near.
type killers struct {
	mu     sync.Mutex
	byFile map[string][]kill
}

// A kill is what killed a mutant, and on which line that was.
type kill struct {
	line int
	test harness.TestID
}

// add keeps what killed a mutant.
func (k *killers) add(g *grist) {
	if g.sentence.Fate != Killed {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byFile == nil {
		k.byFile = map[string][]kill{}
	}
	k.byFile[g.Path()] = append(k.byFile[g.Path()], kill{g.Lines.Start, g.sentence.Killers[0]})
}

// near returns the selected tests that killed the mutants nearest to this one,
// each once, at most manyFirst.
func (k *killers) near(g *grist, selected []harness.TestID) []harness.TestID {
	k.mu.Lock()
	all := slices.Clone(k.byFile[g.Path()])
	k.mu.Unlock()
	slices.SortStableFunc(all, func(a, b kill) int { return distance(a.line, g) - distance(b.line, g) })
	var first []harness.TestID
	for _, found := range all {
		if len(first) == manyFirst {
			break
		}
		if !slices.Contains(first, found.test) && slices.Contains(selected, found.test) {
			first = append(first, found.test)
		}
	}
	return first
}

func distance(line int, g *grist) int { return max(line-g.Lines.Start, g.Lines.Start-line) }

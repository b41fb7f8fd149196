package prove

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/harness"
)

// ErrDiskFull says that the disk filled up under a proof: what tests, builds
// and trees do from then on says nothing of the change, so the proof ends.
var ErrDiskFull = errors.New("no space left for throwaway trees and what tests write")

// fullSigns are how Unix, git and the tools that harnesses run say it, in lower
// case.
var fullSigns = []string{"no space left on device", "disk quota exceeded"}

// diskFull returns an ErrDiskFull when text says that there was no room.
func diskFull(text string) error {
	for line := range strings.Lines(text) {
		lower := strings.ToLower(line)
		if slices.ContainsFunc(fullSigns, func(sign string) bool { return strings.Contains(lower, sign) }) {
			return fmt.Errorf("%w (%s)", ErrDiskFull, strings.TrimSpace(line))
		}
	}
	return nil
}

// baselineDiskFull looks for it in a baseline: in why nothing or not everything
// could be built or collected. What a test that ran prints is its own affair.
func baselineDiskFull(b harness.Baseline) error {
	return diskFull(strings.Join(append([]string{b.Trouble}, b.Notes...), "\n"))
}

// outcomeDiskFull is the same for a trial that did not come as far as running.
func outcomeDiskFull(o harness.Outcome) error {
	if o.Phase == harness.PhaseRun {
		return nil
	}
	return diskFull(o.Trouble)
}

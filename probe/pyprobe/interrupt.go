package pyprobe

import (
	"context"
	"slices"

	"assay/harness"
	"assay/probe"
)

// Interrupt runs the test and then the others in one process.
func (prober) Interrupt(ctx context.Context, p probe.Place, test harness.TestID, others []harness.TestID, at string, c probe.Conditions) (probe.Interruption, error) {
	o := orderOf(c)
	o.ArmedDelay, o.Interrupt, o.First = false, at, string(test)
	all := append([]harness.TestID{test}, others...)
	r, err := run(ctx, p, o, harness.Guest{Collect: filesOf(all), Select: all, Limit: c.Limit})
	if err != nil {
		return probe.Interruption{}, err
	}
	i := probe.Interruption{Fired: r.log.fired, Inside: r.log.inside, Facts: r.facts(test)}
	for _, t := range r.outcome.Tests {
		if t.ID != test {
			i.Others = append(i.Others, t)
		}
	}
	return i, nil
}

func filesOf(tests []harness.TestID) []string {
	var files []string
	for _, t := range tests {
		if f := fileOf(t); !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return files
}

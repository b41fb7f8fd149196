package pytest

import (
	"context"

	"assay/harness"
)

// Host runs a plugin of another room in a fresh process, with all that a run
// of assay's own pins (see the package comment).
func (s *session) Host(ctx context.Context, g harness.Guest) (harness.Outcome, error) {
	ran, err := s.launch(ctx, g.Dir, g.Scratch, request{Select: g.Select, Files: g.Collect, guest: &g}, g.Limit)
	if err != nil {
		return harness.Outcome{}, err
	}
	selected := g.Select
	if selected == nil {
		for _, t := range ran.log.Tests {
			selected = append(selected, t.ID)
		}
	}
	o := outcome(ran, selected)
	o.Argv = append([]string{s.python, "-m", "pytest"}, g.Collect...)
	return o, nil
}

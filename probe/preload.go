package probe

import (
	"fmt"
	"slices"
	"strings"
)

// preload lists what to load before the deadline is armed, in the order in
// which it was first asked for. What was loaded inside another import comes
// with that one; what a test itself throws away, what is missing and what is
// executed without an import cannot be loaded beforehand.
func preload(f Facts, c Conditions) []string {
	var modules []string
	for _, l := range counting(f.Late, c) {
		if l.Depth == 0 && !l.Again && !l.Exec && !slices.Contains(modules, l.Module) {
			modules = append(modules, l.Module)
		}
	}
	return modules
}

// ArmedIn is the fixture that arms the deadline, or "" when no fixture does.
func (p Probe) ArmedIn() string {
	for _, a := range p.Armed {
		if !a.Global {
			return a.Fixture
		}
	}
	return ""
}

// PreloadText is the preload as code: a fixture, and where it goes. It is ""
// when there is nothing to load.
func (p Probe) PreloadText() string {
	if len(p.Preload) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("@pytest.fixture\ndef preload():\n")
	for _, m := range p.Preload {
		fmt.Fprintf(&b, "    import %s  # noqa: F401\n", m)
	}
	if in := p.ArmedIn(); in != "" {
		fmt.Fprintf(&b, "\n# %s arms the deadline: give it the parameter preload\n", in)
	} else {
		b.WriteString("\n# the test arms the deadline: give it the parameter preload\n")
	}
	return b.String()
}

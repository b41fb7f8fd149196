package probe

import (
	"fmt"
	"slices"
	"strings"

	"assay/harness"
)

// preload lists what to load before the deadline is armed, in the order in
// which it was first asked for. What was loaded inside another import comes
// with that one; what a test itself throws away, what is missing and what is
// executed without an import cannot be loaded beforehand.
func preload(f Facts, c Conditions) []string {
	var modules []string
	for _, l := range f.counting(c.Global) {
		if l.Depth == 0 && !l.Again && !l.Exec && !slices.Contains(modules, l.Module) {
			modules = append(modules, l.Module)
		}
	}
	return modules
}

// ArmedIn is the fixture that arms the deadline, or "" when no fixture does.
func (p Probe) ArmedIn() string {
	if len(p.Armed) == 0 {
		return ""
	}
	return p.Armed[0].Fixture
}

// A Preload is what to load before the deadlines that one fixture arms.
type Preload struct {
	Language string
	Fixture  string           // "" when the test itself arms its deadline
	Tests    []harness.TestID // that are late without it
	Modules  []string         // in order
}

// Preloads gathers what to load, for each fixture that arms deadlines and for
// each test that does so by itself, in the order of the probes.
func Preloads(probes []Probe) []Preload {
	var all []Preload
	for _, p := range probes {
		if len(p.Preload) == 0 {
			continue
		}
		fixture := p.ArmedIn()
		i := slices.IndexFunc(all, func(o Preload) bool { return fixture != "" && o.Fixture == fixture && o.Language == p.Language })
		if i < 0 {
			all = append(all, Preload{Language: p.Language, Fixture: fixture})
			i = len(all) - 1
		}
		all[i].Tests = append(all[i].Tests, p.Test)
		for _, m := range p.Preload {
			if !slices.Contains(all[i].Modules, m) {
				all[i].Modules = append(all[i].Modules, m)
			}
		}
	}
	return all
}

// Text is the preload as code: a fixture, and who is to ask for it; for Go, the
// first work that is to be done beforehand.
func (p Preload) Text() string {
	var b strings.Builder
	if p.Language == "go" {
		b.WriteString("// call once what runs\n")
		for _, m := range p.Modules {
			b.WriteString("//   " + m + "\n")
		}
		return b.String()
	}
	b.WriteString("@pytest.fixture\ndef preload():\n")
	for _, m := range p.Modules {
		fmt.Fprintf(&b, "    import %s  # noqa: F401\n", m)
	}
	if p.Fixture != "" {
		fmt.Fprintf(&b, "\n# %s arms the deadline: give it the parameter preload\n", p.Fixture)
	} else {
		b.WriteString("\n# the test arms the deadline: give it the parameter preload\n")
	}
	return b.String()
}

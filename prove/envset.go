package prove

import (
	"bytes"
	"fmt"
	"slices"
)

// An EnvSet is variables that the tests run under as well, besides the plain
// environment: an environment can mask a proof (VERDICTS.md, Baseline). A time
// zone fix is green under UTC with and without it.
type EnvSet struct {
	Name string
	Env  []string // "KEY=value"
}

// title is what reports call a lane: its language, and the set it runs under.
func (l *lane) title() string {
	if l.under.Name == "" {
		return l.Name
	}
	return l.Name + " under " + l.under.Name
}

// plainLanes are the lanes of the plain environment, one for each language.
func (p *proof) plainLanes() []*lane {
	return slices.DeleteFunc(slices.Clone(p.lanes), func(l *lane) bool { return l.under.Name != "" })
}

// environmental are words of code that reads its environment.
var environmental = [][]byte{
	[]byte("time.Local"), []byte("time.Now"), []byte(".Local()"), []byte("os.Getenv"), []byte("os.LookupEnv"),
	[]byte("os.environ"), []byte("os.getenv"), []byte("tzlocal"), []byte("localtime"), []byte("mktime"), []byte("datetime.now"),
	[]byte("datetime.today"), []byte("date.today"), []byte("locale."), []byte("tzset"),
}

// hintAll notes the hints of all subjects.
func (p *proof) hintAll() {
	for _, s := range p.subjects {
		if h := p.hint(s); h != "" {
			p.notes = append(p.notes, s.name()+": "+h)
		}
	}
}

// hint suggests environments for code that reads its environment and that no
// test noticed; "" for other code.
func (p *proof) hint(s *subject) string {
	if s.decision.Verdict != NotProven || len(p.cfg.EnvSets) > 0 {
		return ""
	}
	for _, w := range environmental {
		if bytes.Contains(s.unit.OldText(), w) || bytes.Contains(s.unit.NewText(), w) {
			return fmt.Sprintf("it reads its environment (%s): an [[env]] set in assay.toml may show what this one masks", w)
		}
	}
	return ""
}

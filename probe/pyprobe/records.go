package pyprobe

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"assay/harness"
	"assay/probe"
)

// A line is the union of what the plugin writes; Kind tells them apart.
type line struct {
	Kind    string          `json:"k"`
	N       int             `json:"n"`
	Node    harness.TestID  `json:"node"`
	Group   string          `json:"group"`
	Module  string          `json:"module"`
	Modules []string        `json:"modules"`
	At      string          `json:"at"`
	Of      string          `json:"of"`
	How     string          `json:"how"`
	By      string          `json:"by"`
	Phase   string          `json:"phase"`
	Fixture string          `json:"fixture"`
	Thread  string          `json:"thread"`
	Seconds float64         `json:"seconds"`
	Left    float64         `json:"left"`
	MS      float64         `json:"ms"`
	Depth   int             `json:"depth"`
	Armed   json.RawMessage `json:"armed"` // a number for an import, a truth for a plant
	Under   json.RawMessage `json:"under"` // the same
	Glob    bool            `json:"glob"`
	Again   bool            `json:"again"`
	Exec    bool            `json:"exec"`
	Missing bool            `json:"missing"`
	Watch   map[string]bool `json:"watch"`
	Inside  []string        `json:"inside"`
	Code    int             `json:"code"`
}

// A log is everything the plugin wrote of one process.
type log struct {
	order    []harness.TestID
	groups   map[harness.TestID]string
	facts    map[harness.TestID]*probe.Facts
	finished bool
	code     int
	fired    string
	inside   []string

	imports map[int]started
}

// started is where an import that has not ended yet is noted.
type started struct {
	list  *[]probe.First
	index int
}

// readFile reads the records of one process; one that died before the plugin
// was loaded has none.
func readFile(path string) (*log, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newLog(), nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return readLog(f)
}

func newLog() *log {
	return &log{groups: map[harness.TestID]string{}, facts: map[harness.TestID]*probe.Facts{}, imports: map[int]started{}}
}

// readLog reads records. A last line without a line end is what a killed
// process did not finish; any other line that is no record is an error.
func readLog(r io.Reader) (*log, error) {
	l := newLog()
	if err := harness.ReadRecords(r, "the probe's records", l.add); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *log) of(test harness.TestID) *probe.Facts {
	if l.facts[test] == nil {
		l.facts[test] = &probe.Facts{}
	}
	return l.facts[test]
}

func (l *log) add(rec line) {
	f := l.of(rec.Node)
	switch rec.Kind {
	case "item":
		l.order = append(l.order, rec.Node)
		l.groups[rec.Node] = rec.Group
	case "armed":
		into := &f.Armed
		if rec.Glob {
			into = &f.Suite
		}
		*into = append(*into, probe.Arming{By: rec.By, Seconds: rec.Seconds, At: rec.At, Phase: rec.Phase, Fixture: rec.Fixture, Watch: rec.Watch})
	case "clobbered":
		f.Clobbered = append(f.Clobbered, probe.Clobber{Of: rec.Of, At: rec.At, How: rec.How, Seconds: rec.Left})
	case "late", "slow":
		l.begin(f, rec)
	case "imported":
		l.end(rec)
	case "aborted":
		f.Aborted = append(f.Aborted, probe.Aborted{Module: rec.Module, By: rec.By, Depth: rec.Depth, Deadline: string(rec.Armed) != "0", Global: rec.Glob})
	case "half":
		f.HalfImported = append(f.HalfImported, rec.Modules...)
	case "planted":
		f.Planted = append(f.Planted, probe.Planted{Module: rec.Module, Seconds: rec.Seconds,
			Armed: string(rec.Armed) == "true", Under: string(rec.Under) == "true"})
	case "interrupt":
		l.fired, l.inside = rec.Module, rec.Inside
	case "finish":
		l.finished, l.code = true, rec.Code
	}
}

func (l *log) begin(f *probe.Facts, rec line) {
	list := &f.Late
	switch {
	case rec.Kind == "slow":
		list = &f.Slow
	case rec.Glob:
		list = &f.UnderSuite
	}
	first := probe.First{Module: rec.Module, At: rec.At, Depth: rec.Depth, Thread: rec.Thread, By: rec.By,
		Again: rec.Again, Exec: rec.Exec, Runner: runner(rec.At)}
	if n := len(*list); rec.Depth > 0 && n > 0 {
		first.Runner = (*list)[n-1].Runner // it belongs to the import that it is inside of
	}
	*list = append(*list, first)
	l.imports[rec.N] = started{list, len(*list) - 1}
}

// runner reports whether a place lies in pytest itself.
func runner(at string) bool {
	return strings.HasPrefix(at, "_pytest/") || strings.HasPrefix(at, "pluggy/")
}

func (l *log) end(rec line) {
	s, ok := l.imports[rec.N]
	if !ok {
		return // of an import that no deadline ran over
	}
	(*s.list)[s.index].MS, (*s.list)[s.index].Missing = rec.MS, rec.Missing
}

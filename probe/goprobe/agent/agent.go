// Package agent watches a Go test binary for work that is done for the first
// time while a deadline of the test is armed. Package goprobe compiles a copy of
// it into the binary and rewrites the sources to call it.
//
// It imports the standard library only, and nothing that the program under test
// might replace. Its state is that of a process and therefore at package level;
// without a job in the environment it does nothing but pass calls on.
package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Variable names the file that holds the job.
const Variable = "ASSAY_PROBE_JOB"

// A Job is what the process is asked for; goprobe writes it as JSON.
type Job struct {
	Records    string        `json:"records"`
	ArmedDelay bool          `json:"armed_delay"`
	Delay      time.Duration `json:"delay"` // 0: longer than the deadline
	Plants     []Plant       `json:"plants"`
	Stretch    time.Duration `json:"stretch"` // by which each deadline is longer
}

// A Plant is a function whose first call sleeps.
type Plant struct {
	Name  string        `json:"name"`
	Delay time.Duration `json:"delay"`
}

// A Record is one line of what was seen.
type Record struct {
	Kind    string  `json:"k"` // armed, late, done, planted
	N       int     `json:"n,omitempty"`
	Test    string  `json:"test,omitempty"`
	By      string  `json:"by,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	At      string  `json:"at,omitempty"`
	Name    string  `json:"name,omitempty"`
	MS      float64 `json:"ms,omitempty"`
	Armed   bool    `json:"armed,omitempty"`
	Under   bool    `json:"under,omitempty"`
}

// process is the watcher, made at the first call that needs it.
var process = sync.OnceValue(open)

// A watcher is the state of the process.
type watcher struct {
	mu      sync.Mutex
	job     Job
	out     *os.File // nil: nobody asked
	tests   []string // that are running, the last one started last
	windows []*window
	firsts  int
}

// open reads the job and takes it out of the environment, which tests and
// their children then do not see. A job that cannot be read ends the process:
// a probe that watches nothing would look like one that found nothing.
func open() *watcher {
	w := &watcher{}
	path := os.Getenv(Variable)
	if path == "" {
		return w
	}
	err := os.Unsetenv(Variable)
	if err == nil {
		err = w.read(path)
	}
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "assay: the probe cannot start: %v\n", err) // the exit code says it as well
		os.Exit(2)
	}
	return w
}

func (w *watcher) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &w.job); err != nil {
		return err
	}
	w.out, err = os.OpenFile(w.job.Records, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	return err
}

// write adds a record; w.mu is held. A record that is lost would be a wrong
// verdict, so the process does not go on without it.
func (w *watcher) write(r Record) {
	if w.out == nil {
		return
	}
	r.Test = w.test()
	line, err := json.Marshal(r)
	if err == nil {
		_, err = w.out.Write(append(line, '\n'))
	}
	if err != nil {
		panic("assay: the probe cannot write what it saw: " + err.Error())
	}
}

func (w *watcher) test() string {
	if len(w.tests) == 0 {
		return ""
	}
	return w.tests[len(w.tests)-1]
}

// Test says that a test is running until the function it returns is called.
func Test(name string) func() {
	process().mu.Lock()
	defer process().mu.Unlock()
	process().tests = append(process().tests, name)
	return func() {
		process().mu.Lock()
		defer process().mu.Unlock()
		for i, t := range process().tests {
			if t == name {
				process().tests = append(process().tests[:i], process().tests[i+1:]...)
				return
			}
		}
	}
}

// asker is the line of a test file that leads to the caller, or "".
func asker() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.File, "_test.go") {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}

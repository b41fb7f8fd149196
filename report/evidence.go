package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"assay/harness"
	"assay/prove"
)

// EvidenceReport is the name of the report in a directory of evidence.
const EvidenceReport = "report.json"

// WriteEvidence leaves in dir what the verdicts of r rest on, in a form that
// outlives the run: the report, each trial's patch, the output of each run that
// was red, the environment, and a Markdown block for a pull request. What
// stands there under the same names is replaced.
func WriteEvidence(dir string, r *prove.Report) error {
	for _, sub := range []string{"patches", "output"} {
		if err := os.RemoveAll(filepath.Join(dir, sub)); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	var saved bytes.Buffer
	if err := JSON(&saved, r, Style{}); err != nil {
		return err
	}
	environment, err := json.MarshalIndent(environmentOf(r), "", "  ")
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		EvidenceReport: saved.Bytes(), "environment.json": append(environment, '\n'), "pull-request.md": []byte(pullRequest(r)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	for _, t := range trialsOf(r) {
		if err := writeTrial(dir, t); err != nil {
			return err
		}
	}
	return nil
}

// trialsOf are all trials of a report.
func trialsOf(r *prove.Report) []prove.TrialReport {
	var all []prove.TrialReport
	if r.Whole != nil {
		all = append(all, r.Whole.Trials...)
	}
	for _, f := range r.Findings {
		all = append(all, f.Trials...)
	}
	return all
}

func writeTrial(dir string, t prove.TrialReport) error {
	if t.Edit != "" {
		if err := os.WriteFile(filepath.Join(dir, "patches", t.ID+".patch"), []byte(t.Edit), 0o644); err != nil {
			return err
		}
	}
	for i, run := range t.Runs {
		if run.Output == "" {
			continue
		}
		name := fmt.Sprintf("%s.%d.txt", t.ID, i+1)
		if err := os.WriteFile(filepath.Join(dir, "output", name), []byte("$ "+strings.Join(run.Argv, " ")+"\n"+run.Output), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// An environment is where and with what the evidence was made.
type environment struct {
	Tool     string            `json:"tool"`
	System   string            `json:"system"`
	Base     string            `json:"base"`
	Head     string            `json:"head"`
	Started  string            `json:"started"`
	Seconds  float64           `json:"seconds"`
	Toolsets map[string]string `json:"toolchains"`
	Claim    []prove.ClaimTest `json:"claim"`
	Attempts []attempt         `json:"attempts"`
}

// An attempt is one run of one trial.
type attempt struct {
	Trial   string           `json:"trial"`
	Purpose string           `json:"purpose"`
	Tests   int              `json:"tests"`
	Red     []harness.TestID `json:"red"`
	Seconds float64          `json:"seconds"`
	Argv    []string         `json:"argv"`
}

func environmentOf(r *prove.Report) environment {
	e := environment{Tool: "assay " + r.Tool.Version, System: runtime.GOOS + "/" + runtime.GOARCH, Base: r.Base, Head: r.Head,
		Started: r.Started.Format("2006-01-02T15:04:05Z07:00"), Seconds: r.Seconds, Toolsets: map[string]string{}, Claim: r.Claim.Tests, Attempts: []attempt{}}
	for _, l := range r.Baseline.Languages {
		e.Toolsets[l.Name] = l.Toolchain
	}
	for _, t := range trialsOf(r) {
		for _, run := range t.Runs {
			e.Attempts = append(e.Attempts, attempt{t.ID, t.Purpose, run.Tests, run.Red, run.Seconds, run.Argv})
		}
	}
	return e
}

// pullRequest is the block for the body of a pull request.
func pullRequest(r *prove.Report) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("### Evidence\n")
	say("`assay %s` on `%.12s` against `%.12s`: %s\n", r.Tool.Version, r.Head, r.Base, Totals(r.Counts))
	var red, either []string
	for _, t := range r.Claim.Tests {
		switch t.Verdict {
		case prove.FailsWithout:
			red = append(red, fmt.Sprintf("- Red without: `%s` · %s", plain(string(t.ID)), plain(said(t.Message))))
		case prove.PassesEitherWay:
			either = append(either, fmt.Sprintf("- Green with and without: `%s`", plain(string(t.ID))))
		}
	}
	for _, text := range slices.Concat(red, either) {
		say("%s", text)
	}
	for _, l := range r.Baseline.Languages {
		say("- Green with: %d of %d %s tests, twice (%s)", l.Green, l.Tests, l.Name, plain(l.Toolchain))
	}
	say("- Claim: %s%s", r.Claim.Verdict, because(r.Claim.Reason))
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Verdict == prove.NotProven {
			say("- %s: `%s` %s", f.Verdict, Name(f), why(f.Reason, f.Detail, ""))
		}
	}
	return b.String()
}

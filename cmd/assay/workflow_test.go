package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A workflowStep is one step of a workflow or of an action.
type workflowStep struct {
	ID, Name, Run, Uses string
	Env                 map[string]string
}

// stepsOf reads the steps of an action, or of a workflow's only job.
func stepsOf(t *testing.T, path string) []workflowStep {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Runs struct{ Steps []workflowStep }
		Jobs map[string]struct{ Steps []workflowStep }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	steps := file.Runs.Steps
	for _, job := range file.Jobs {
		steps = append(steps, job.Steps...)
	}
	if len(steps) < 3 {
		t.Fatalf("%s has %d steps", path, len(steps))
	}
	return steps
}

// A runner runs steps as GitHub does, with programs of its own in the place of
// assay and gh: each writes its arguments to calls.
type runner struct {
	t    *testing.T
	temp string
	dir  string // where steps run
}

func newRunner(t *testing.T, assayCode string) *runner {
	temp := t.TempDir()
	r := &runner{t, temp, temp}
	r.program("assay", `printf '%s\n' "assay" "$@" >> "$RUNNER_TEMP/calls"; exit `+assayCode)
	r.program("assay-bin/assay", `exec "$RUNNER_TEMP/assay" "$@"`)
	r.program("bin/gh", `printf '%s\n' "gh" "$@" >> "$RUNNER_TEMP/calls"; cat "$RUNNER_TEMP/answer" 2>/dev/null || true`)
	return r
}

func (r *runner) program(name, text string) {
	r.t.Helper()
	r.write(name, "#!/bin/sh\n"+text+"\n")
	if err := os.Chmod(filepath.Join(r.temp, name), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.temp, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) read(name string) string {
	text, err := os.ReadFile(filepath.Join(r.temp, name))
	if err != nil {
		r.t.Error(err)
	}
	return string(text)
}

// run runs the step of a name with env, and gives its exit code.
func (r *runner) run(steps []workflowStep, name string, env ...string) int {
	r.t.Helper()
	for _, s := range steps {
		if s.Name != name {
			continue
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		cmd.Dir = r.dir
		cmd.Env = append([]string{"PATH=" + filepath.Join(r.temp, "bin") + ":" + os.Getenv("PATH"), "RUNNER_TEMP=" + r.temp,
			"GITHUB_OUTPUT=" + filepath.Join(r.temp, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(r.temp, "summary"),
			"GITHUB_REPOSITORY=o/r", "GITHUB_RUN_ID=7", "GITHUB_RUN_ATTEMPT=2", "GITHUB_JOB=proof", "GITHUB_SHA=abc"}, env...)
		out, err := cmd.CombinedOutput()
		r.write("log", string(out))
		if err != nil && cmd.ProcessState == nil {
			r.t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode()
	}
	r.t.Fatalf("there is no step %q", name)
	return -1
}

func TestTheActionProvesReportsAndThenFails(t *testing.T) {
	steps, r := stepsOf(t, "action.yml"), newRunner(t, "1")
	r.write("known.json", "{}")
	env := []string{"BASE=abc", "ARGS=--files 'a b/**' --jobs 1", "BUDGET=5m", "FAIL_ON=not_proven", "BASELINE=known.json"}
	if code := r.run(steps, "Prove the change", env...); code != 0 {
		t.Fatalf("the step ends with %d before anything is uploaded: %s", code, r.read("log"))
	}
	args := strings.Split(strings.TrimSpace(r.read("calls")), "\n")
	for _, want := range []string{"prove", "abc...HEAD", "5m", "a b/**", "--baseline", "github"} {
		if !strings.Contains("\n"+strings.Join(args, "\n")+"\n", "\n"+want+"\n") {
			t.Errorf("assay is called with %q, which lacks %q", args, want)
		}
	}
	root := rootCommand()
	prove, rest, err := root.Find(args[1:])
	if err == nil {
		err = prove.ParseFlags(rest)
	}
	if err != nil {
		t.Errorf("assay would refuse the action's call: %v", err)
	}
	if out := r.read("output"); !strings.Contains(out, "code=1\n") || !strings.Contains(out, "report="+r.temp) {
		t.Errorf("outputs are %q", out)
	}
	if code := r.run(steps, "Verdict", "CODE=1"); code != 1 {
		t.Errorf("the job ends with %d, want assay's 1", code)
	}
}

func TestTheActionEditsItsOwnCommentAndMakesNoSecondOne(t *testing.T) {
	steps := stepsOf(t, "action.yml")
	for answer, want := range map[string]string{"": "POST\nrepos/o/r/issues/5/comments\n", "42\n": "PATCH\nrepos/o/r/issues/comments/42\n"} {
		r := newRunner(t, "0")
		r.write("answer", answer)
		r.write("report.md", "<!-- assay:report -->\n")
		if code := r.run(steps, "Comment on the pull request", "NUMBER=5", "REPORT="+filepath.Join(r.temp, "report.md")); code != 0 {
			t.Errorf("the comment fails with %d: %s", code, r.read("log"))
		}
		if calls := r.read("calls"); !strings.Contains(calls, want) {
			t.Errorf("with the comment %q gh is called with %q, want %q", answer, calls, want)
		}
	}
}

func TestAProofThatIsGreenOnlyAfterARetryIsShownAsSuch(t *testing.T) {
	steps := stepsOf(t, "docs/templates/proofs.yml")
	for earlier, warned := range map[string]bool{"0": false, "1": true} {
		r := newRunner(t, "0")
		r.write("earlier/proof-7-proof-1/proof.json", `{"proof":"prove","run":7,"job":"proof","attempt":1,"sha":"abc","code":`+earlier+"}\n")
		if code := r.run(steps, "Prove", "PROOF=proof/prove", "ARGUMENTS=HEAD~1..HEAD"); code != 0 {
			t.Fatalf("the proof ends with %d: %s", code, r.read("log"))
		}
		if got := r.read("evidence/proof.json"); !strings.Contains(got, `"run":7,"job":"proof","attempt":2,"sha":"abc","code":0}`) {
			t.Errorf("the evidence is %q", got)
		}
		if code := r.run(steps, "Verdict of all attempts", "CODE=0"); code != 0 {
			t.Errorf("the verdict ends with %d", code)
		}
		if got := strings.Contains(r.read("log"), "green only after a retry"); got != warned {
			t.Errorf("after an attempt that ended with %s the retry is shown: %v, want %v", earlier, got, warned)
		}
		if n := strings.Count(r.read("summary"), `"proof":"prove"`); n != 2 {
			t.Errorf("the summary lists %d attempts, want 2", n)
		}
	}
	r := newRunner(t, "0")
	if code := r.run(steps, "Prove", "PROOF=proof/prove", "ARGUMENTS=", "DEFAULT_BRANCH=develop"); code != 0 || !strings.Contains(r.read("calls"), "prove\norigin/develop\n") {
		t.Errorf("without arguments assay is called with %q (%d)", r.read("calls"), code)
	}
	if code := newRunner(t, "0").run(steps, "Prove", "PROOF=nonsense", "ARGUMENTS="); code != 2 {
		t.Errorf("an unknown proof ends with %d", code)
	}
}

// expression finds what GitHub would put into a script before a shell sees it:
// what stands in a title or a branch name would be run.
var expression = regexp.MustCompile(`\$\{\{`)

func TestNoScriptOfAWorkflowTakesTextFromOutsideAsCode(t *testing.T) {
	for _, path := range []string{"action.yml", "docs/templates/proofs.yml"} {
		for _, s := range stepsOf(t, path) {
			if expression.MatchString(s.Run) {
				t.Errorf("%s: the script of %q holds an expression; hand it over in env", path, s.Name)
			}
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sample is a repository whose last commit has a hunk that no test notices.
func sample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-C", dir}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("go.mod", "module example.com/m\n\ngo 1.21\n")
	write("m.go", "package m\n\nfunc N(n int) int {\n\treturn n\n}\n")
	write("m_test.go", "package m\n\nimport \"testing\"\n\nfunc TestN(t *testing.T) {\n\tif N(2) < 2 {\n\t\tt.Error(N(2))\n\t}\n}\n")
	git("add", ".")
	git("commit", "-q", "-m", "base")
	write("m.go", "package m\n\nfunc N(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn n\n}\n")
	git("commit", "-q", "-a", "-m", "head")
	return dir
}

// What the action's steps hand to each other, with the real assay: the outputs
// name files that later steps upload, the log annotates and the summary is the
// report.
func TestTheActionsScriptsGiveGitHubWhatItsOtherStepsUpload(t *testing.T) {
	steps, r := stepsOf(t, "action.yml"), newRunner(t, "1")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(r.temp, "assay-bin", "assay")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(r.temp, "assay-bin", "assay")); err != nil {
		t.Fatal(err)
	}
	r.dir = sample(t)
	env := []string{"BASE=HEAD~1", "ARGS=--jobs 1", "BUDGET=10m", "FAIL_ON=not_proven", "BASELINE=none.json", "CI=true", "HOME=" + t.TempDir()}
	for _, key := range []string{"GOCACHE", "GOPATH"} {
		value, err := goEnv(key)
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, key+"="+value)
	}
	if code := r.run(steps, "Prove the change", env...); code != 0 {
		t.Fatalf("the step ends with %d: %s", code, r.read("log"))
	}
	if log := r.read("log"); !strings.Contains(log, "\n::warning file=m.go,line=4,") {
		t.Errorf("the log has no annotation of m.go:4:\n%s", log)
	}
	if summary := r.read("summary"); !strings.HasPrefix(summary, "<!-- assay:report -->\n") || !strings.Contains(summary, "m.go:4") {
		t.Errorf("the summary is\n%s", summary)
	}
	outputs := map[string]string{}
	for line := range strings.Lines(r.read("output")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		outputs[name] = value
	}
	if outputs["code"] != "1" {
		t.Errorf("the code is %q, want 1", outputs["code"])
	}
	var log struct {
		Runs []struct{ Results []struct{ RuleID string } }
	}
	text, err := os.ReadFile(outputs["sarif"])
	if err == nil {
		err = json.Unmarshal(text, &log)
	}
	if err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != 1 || log.Runs[0].Results[0].RuleID != "survived" {
		t.Errorf("the SARIF that is uploaded has %+v (%v)", log, err)
	}
	for _, name := range []string{"report.json", "report.html", "report.md", "junit.xml"} {
		if info, err := os.Stat(filepath.Join(outputs["report"], name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is not there to be uploaded: %v", name, err)
		}
	}
}

func TestACommentThatMayNotBeWrittenFailsNoJob(t *testing.T) {
	r := newRunner(t, "0")
	r.program("bin/gh", "echo 'HTTP 403' >&2; exit 1")
	r.write("report.md", "<!-- assay:report -->\n")
	if code := r.run(stepsOf(t, "action.yml"), "Comment on the pull request", "NUMBER=5", "REPORT="+filepath.Join(r.temp, "report.md")); code != 0 {
		t.Errorf("the step ends with %d", code)
	}
	if log := r.read("log"); !strings.Contains(log, "::warning title=assay::the comment could not be written") {
		t.Errorf("nothing is said of it:\n%s", log)
	}
}

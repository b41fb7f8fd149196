package main

import (
	"strings"
	"testing"
	"time"

	"assay/change"
	"assay/prove"
	"assay/worktree"
)

func TestConfigurationIsRead(t *testing.T) {
	c, err := parseConfig(configName, `
base = "origin/develop"
jobs = 3
budget = "10m"
hang = "inconclusive"
test_command = "npm test"
junit = ["out/*.xml"]
fail_on = ["not_proven"]
[kinds]
generated = ["gen/**"]
[go]
flags = ["-race"]
tags = ["a", "b"]
`)
	if err != nil {
		t.Fatal(err)
	}
	if c.Base != "origin/develop" || c.Jobs != 3 || time.Duration(c.Budget) != 10*time.Minute || c.Hang != "inconclusive" {
		t.Errorf("read %+v", c)
	}
	if got := strings.Join(c.Go.BuildFlags(), " "); got != "-race -tags=a,b" {
		t.Errorf("build flags are %q", got)
	}
	if kind, why, ok := c.Kinds.match("gen/deep/a.go"); kind != change.Generated || !ok || !strings.Contains(why, "gen/**") {
		t.Errorf("gen/deep/a.go is %v (%s), matched %v", kind, why, ok)
	}
	if _, _, ok := c.Kinds.match("src/a.go"); ok {
		t.Error("src/a.go matches a glob")
	}
}

func TestAConfigurationThatCannotBeMeantIsRefusedInOneSentence(t *testing.T) {
	for text, want := range map[string]string{
		`bugdet = "10m"`:                 `unknown key "bugdet"; did you mean "budget"?`,
		"[kinds]\ngenerate = []":         `unknown key "kinds.generate"; did you mean "kinds.generated"?`,
		`colour_of_the_bicycle_shed = 1`: `known keys: base, jobs`,
		`jobs = -1`:                      `cannot be negative`,
		`hang = "maybe"`:                 `hang is "maybe"; it can be proven or inconclusive`,
		`budget = "ten"`:                 `ten`,
		`fail_on = ["everything"]`:       `assay.toml: fail_on does not know "everything"`,
		`x = 1`:                          `known keys: base, jobs`,
		"[kinds]\ntest = [\"a[\"]":       `"a[" is not a glob`,
		`jobs = `:                        configName,
	} {
		_, err := parseConfig(configName, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q in it", text, err, want)
		}
		if got := codeOf(err); got != exitUsage {
			t.Errorf("%q gives exit code %d", text, got)
		}
	}
}

func TestExitCodesAreThoseOfTheDocumentation(t *testing.T) {
	usual := strings.Split(defaultFailOn, ",")
	green := prove.Baseline{Languages: []prove.LanguageBaseline{{Name: "go", Green: 3}}}
	red := prove.Baseline{Languages: []prove.LanguageBaseline{{Name: "go", Trouble: "no test"}}}
	for _, c := range []struct {
		name   string
		report prove.Report
		failOn []string
		want   int
	}{
		{"all proven", prove.Report{Baseline: green, Counts: prove.Counts{Proven: 2, NothingToProve: 1}}, usual, exitOK},
		{"nothing to prove without tests", prove.Report{Counts: prove.Counts{NothingToProve: 1}}, usual, exitOK},
		{"not proven wins", prove.Report{Baseline: green, Counts: prove.Counts{Proven: 1, NotProven: 1, Inconclusive: 1}}, usual, exitNotProven},
		{"only inconclusive", prove.Report{Baseline: green, Counts: prove.Counts{Proven: 1, Inconclusive: 1}}, usual, exitInconclusive},
		{"some baseline red", prove.Report{Baseline: green, Counts: prove.Counts{Proven: 1, BaselineRed: 1}}, usual, exitInconclusive},
		{"nothing green at head", prove.Report{Baseline: red, Counts: prove.Counts{Inconclusive: 1}}, usual, exitBaseline},
		{"narrowed", prove.Report{Baseline: green, Counts: prove.Counts{Inconclusive: 1}}, []string{"not_proven"}, exitOK},
		{"widened", prove.Report{Baseline: green, Whole: &prove.Whole{Result: "green"}}, []string{"claim"}, exitNotProven},
		{"not widened", prove.Report{Baseline: green, Whole: &prove.Whole{Result: "green"}}, usual, exitOK},
		{"off", prove.Report{Counts: prove.Counts{NotProven: 1}}, []string{"none"}, exitOK},
	} {
		if got := verdictCode(&c.report, c.failOn); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.name, got, c.want)
		}
	}
	if got := codeOf(&worktree.Error{Kind: worktree.ErrBare, Text: "bare"}); got != exitUsage {
		t.Errorf("a bare repository gives %d", got)
	}
}

func TestHelpIsThePackageComment(t *testing.T) {
	text := help(doc)
	for _, want := range []string{"Assay answers one question", "NOT_PROVEN", "130  interrupted"} {
		if !strings.Contains(text, want) {
			t.Errorf("--help lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "package main") || strings.Contains(text, "*/") {
		t.Errorf("--help shows Go source:\n%s", text)
	}
}

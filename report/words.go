package report

import (
	"fmt"
	"regexp"
	"strings"

	"assay/change"
	"assay/harness"
	"assay/prove"
)

// Name is how people refer to a finding: path:line, or the path alone for a
// whole file.
func Name(f *prove.Finding) string {
	line := f.New.Start
	if line == 0 {
		line = f.Old.Start
	}
	if line == 0 {
		return plain(change.PathText(f.File))
	}
	return fmt.Sprintf("%s:%d", plain(change.PathText(f.File)), line)
}

// why is the reason of a finding in a few words: the red's first line when a
// test noticed, else the detail that the judge gave, else what the reason
// stands for.
func why(reason prove.Reason, detail, message string) string {
	text := plain(heading.ReplaceAllString(detail, ""))
	switch reason {
	case prove.DoesNotBuild, prove.CollectionFailed:
		text = complaint(heading.ReplaceAllString(detail, ""))
	}
	if reason.Of() == prove.Proven && said(message) != "" {
		text = said(message)
	}
	if text == "" {
		text = meaning(reason)
	}
	if text == "" {
		return string(reason)
	}
	return string(reason) + ": " + text
}

// byRung adds to why how a hunk was un-done that could not be un-done alone.
func byRung(f *prove.Finding, why string) string {
	if f.Verdict != prove.Proven && f.Verdict != prove.NotProven {
		return why
	}
	if f.Env != "" {
		why += " (under " + f.Env + ")"
	}
	var how string
	switch f.Rung {
	case "glue":
		how = "with glue"
	case "neutralise":
		how = "neutralised"
	case "partners":
		how = fmt.Sprintf("with %d partner hunks", len(f.Partners))
		if len(f.Partners) == 1 {
			how = "with 1 partner hunk"
		}
	default:
		return why
	}
	reason, rest, _ := strings.Cut(why, ": ")
	return strings.TrimSuffix(reason+", "+how+": "+rest, ": ")
}

// heading is the line with which go build names the package it complains of;
// the complaint names the file.
var heading = regexp.MustCompile(`(?m)^# .*$`)

// complaint is the first line of what a compiler or a collector said, and how
// many lines it said beside that. An import that is not used is the least
// telling of several.
func complaint(detail string) string {
	lines := readable(detail)
	if len(lines) < 2 {
		return plain(detail)
	}
	first := lines[0]
	for _, l := range lines {
		if !strings.HasSuffix(l, "imported and not used") {
			first = l
			break
		}
	}
	return fmt.Sprintf("%s (and %d more %s)", first, len(lines)-1, plural(len(lines)-1, "line", "lines"))
}

// said is the first line of a red's message; where a line only says where the
// assertion stands, as those of Go's assertion libraries do, with what follows.
func said(message string) string {
	lines := readable(message)
	if len(lines) == 0 || !onlyPlace.MatchString(lines[0]) {
		return firstLine(message)
	}
	words := lines[0]
	for i, n := 1, 0; i < len(lines) && n < 4; i++ {
		l := lines[i]
		if strings.HasPrefix(l, "Error Trace:") || barePlace.MatchString(l) {
			continue
		}
		words += " " + strings.TrimPrefix(l, "Error: ")
		n++
	}
	return words
}

var (
	onlyPlace = regexp.MustCompile(`^\S+:\d+:$`)
	barePlace = regexp.MustCompile(`^\S+:\d+$`)
)

// meaning says what a reason stands for, for a finding that carries no words
// of its own. Reasons that explain themselves have none.
func meaning(reason prove.Reason) string {
	switch reason {
	case prove.LateImport:
		return "a probe is late without it"
	case prove.Survived:
		return "un-done, and every covering test stayed green"
	case prove.Uncovered:
		return "no test reaches it"
	case prove.Weakened:
		return "a mutant that base's tests catch no test catches any more"
	case prove.NoKills:
		return "neither base's nor head's tests catch a mutant"
	case prove.HalfUndone:
		return "alone its loss is noticed; with its partners it could vanish unnoticed"
	case prove.BaselineRed:
		return "its covering tests are all red at head"
	case prove.Flaky:
		return "its tests end differently from run to run"
	case prove.DoesNotBuild:
		return "without it the program does not build"
	case prove.MissingSymbol:
		return "without it a name is missing"
	case prove.CollectionFailed:
		return "without it the tests cannot be collected"
	case prove.TimedOut:
		return "the tests did not end in time"
	case prove.Crashed:
		return "the tests ended without a report"
	case prove.NoTests:
		return "no usable test"
	case prove.HarnessBlind:
		return "tests reach it, but not even a planted failure shows"
	case prove.Budget:
		return "not reached within --budget or --max-hunks"
	case prove.Interrupted:
		return "not reached before the interrupt"
	case prove.TestHunk:
		return "test code"
	case prove.Inert:
		return "cannot change behaviour"
	default:
		return ""
	}
}

// next says what a person can do about a reason; "" when there is nothing to
// do.
func next(reason prove.Reason) string {
	switch reason {
	case prove.Survived:
		return "add or sharpen a test until it fails without these lines, or remove the lines if nothing needs them"
	case prove.Uncovered:
		return "add a test that runs these lines and checks what they do"
	case prove.Weakened:
		return "bring back what was asserted, or move it to a test that stays; the patches above are what can go wrong unnoticed now"
	case prove.NoKills:
		return "nobody can say whether these tests got weaker: make them assert what the code under test returns"
	case prove.HalfUndone:
		return "the change as a whole is not noticed: test what it does as a whole"
	case prove.BaselineRed:
		return "make these tests green at head first (assay doctor shows them)"
	case prove.Flaky:
		return "make the tests named below give the same result every time"
	case prove.DoesNotBuild, prove.MissingSymbol, prove.CollectionFailed:
		return "these lines cannot be taken away alone; judge them by the hunks that belong to them"
	case prove.TimedOut:
		return "make the covering tests faster; assay's limit is ten times what they took at head"
	case prove.Crashed:
		return "see the trial's output: assay replay REPORT TRIAL"
	case prove.NoTests:
		return "add a test, or name the test command with --test-command"
	case prove.HarnessBlind:
		return "if the tests run another copy of this code (installed package, subprocess, cached binary), assay doctor says so"
	case prove.Budget:
		return "give more time, --budget, or more hunks, --max-hunks"
	default:
		return ""
	}
}

// goTest matches a Go test id and captures its package and the test in it. Both
// the path of a package and the name of a subtest may hold dots.
var goTest = regexp.MustCompile(`^(.+?)\.((?:Test|Example|Fuzz|Benchmark).*)$`)

// testName shortens a test id to what tells tests of one change apart: no
// import path and no directories.
func testName(id harness.TestID) string {
	s := plain(string(id))
	if file, name, ok := strings.Cut(s, "::"); ok {
		return file[strings.LastIndexByte(file, '/')+1:] + "::" + name
	}
	if m := goTest.FindStringSubmatch(s); m != nil {
		return m[2]
	}
	return s
}

// tests is the last column: who noticed, or how many did not.
func tests(f *prove.Finding) string {
	switch {
	case len(f.Killers) == 1:
		return testName(f.Killers[0])
	case len(f.Killers) > 1:
		return fmt.Sprintf("%s (+%d)", testName(f.Killers[0]), len(f.Killers)-1)
	case f.Verdict == prove.NothingToProve:
		return ""
	case f.Gate != nil:
		return fmt.Sprintf("%d of %d mutants", f.Gate.After, f.Gate.Mutants)
	case f.Verdict == prove.NotProven && f.Covering == 0:
		return "none"
	case f.Verdict == prove.NotProven:
		return fmt.Sprintf("0 of %d", f.Covering)
	case f.Covering > 0:
		return fmt.Sprintf("%d covering", f.Covering)
	default:
		return ""
	}
}

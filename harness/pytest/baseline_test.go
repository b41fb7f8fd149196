package pytest_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"assay/harness"
)

func TestEveryShapeOfTestIsCountedOnceAndAsPytestDoes(t *testing.T) {
	t.Parallel()
	p := open(t, "shapes", settings{}).sound()
	for _, id := range p.base.Green {
		if strings.Contains(string(id), "red") || strings.Contains(string(id), "skip") {
			t.Errorf("%s is green", id)
		}
	}
	same(t, "red", short(idsOf(p.base.Red)), "test_red_strict_xpass", "test_red_setup", "test_red_teardown", "test_red_exit")
	same(t, "skipped", short(p.base.Skipped), "GreenCase::test_skipped", "test_skipped_inside", "test_skip_if_imported")
	same(t, "flaky", short(p.base.Flaky))
	same(t, "green", short(p.base.Green), "lib.double", "GreenCase::test_ready", "GreenCase::test_expected", "test_conftest_below",
		"test_odd[a::b]", `test_odd[new\nline]`, `test_odd[\xfcn\xef/[x]]`, "test_odd[ ]", `test_odd[\udc80]`, `test_odd[quote'"]`,
		"test_twice[c-a-b]", "test_twice[c-a]", "test_twice[b-c-a-b]", "test_twice[b-c-a]",
		"test_async", "test_xfail", "test_xpass", "test_xfail_norun")

	for _, id := range p.base.Green {
		alone := harness.Selection{Tests: []harness.TestID{id}}
		if strings.Contains(string(id), "odd[") || strings.HasPrefix(string(id), "lib.py") {
			o := p.run(alone, "", "", "")
			if !o.Complete || o.Ran() != 1 || len(o.Tests) != 1 {
				t.Errorf("%s alone: complete %v, %d ran: %s\n%s", id, o.Complete, o.Ran(), o.Trouble, o.Output)
			}
		}
	}
}

func TestOptionsThatHideOrRepeatTestsAreSwitchedOffAndNamed(t *testing.T) {
	t.Parallel()
	p := open(t, "addopts", settings{env: []string{"PYTEST_ADDOPTS=--no-such-option"}}).sound()
	same(t, "green", short(p.base.Green), "test_a", "test_b", "test_c")
	same(t, "red", short(idsOf(p.base.Red)), "test_red_first")
	notes := strings.Join(p.base.Notes, "\n")
	for _, want := range []string{"pytest-xdist", "pytest-cov", "pytest-rerunfailures", "--maxfail", "randomly", "--no-such-option"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not name %s:\n%s", want, notes)
		}
	}
	if o := p.run(p.everything(), "lib.py", "return 1", "return 3"); len(o.Red()) != 1 || !o.Complete {
		t.Errorf("want one red, complete; got %+v", o)
	}
}

func TestRedIsClassifiedByWhatItIsAbout(t *testing.T) {
	t.Parallel()
	p := open(t, "reds", settings{}).sound()
	if len(p.base.Green) > 0 || len(p.base.Red) < 20 {
		t.Fatalf("%d green, %d red", len(p.base.Green), len(p.base.Red))
	}
	text := p.files["test_reds.py"]
	for _, r := range p.base.Red {
		name := string(r.ID[strings.LastIndex(string(r.ID), "::")+2:])
		_, body, _ := strings.Cut(text, "def "+name+"(")
		_, doc, _ := strings.Cut(body, `"""`)
		doc, _, _ = strings.Cut(doc, `"""`)
		want := strings.Split(doc, "|")
		kind, _, _ := strings.Cut(strings.TrimPrefix(name, "test_"), "_")
		red := r.Red
		if string(red.Kind) != kind || red.Symbol != want[1] || red.Keyword != want[2] || red.Phase != "call" {
			t.Errorf("%s: kind %s, symbol %q, keyword %q, phase %s; want %s %q", name, red.Kind, red.Symbol, red.Keyword, red.Phase, kind, want)
		}
		if len(red.Frames) == 0 || red.Frames[0].Path != want[3] || red.Frames[0].Line == 0 {
			t.Errorf("%s: innermost place %+v, want %s", name, red.Frames, want[3])
		}
		if red.Message == "" || red.Type == "" || len(red.Message) > 1<<10 || !utf8.ValidString(red.Message) {
			t.Errorf("%s: type %q, message of %d bytes", name, red.Type, len(red.Message))
		}
	}
}

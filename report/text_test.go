package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"assay/harness"
)

func TestPlainKeepsTextAndDropsWhatATerminalObeys(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b[31m red\x1b[0m b": "a red b",
		"a\x1b]0;title\a b":      "a]0;title b",
		"a\r\nb\tc":              "a b c",
		"\x1b[":                  "[",
		"over\u202ewritten":      "overwritten",
		"größe 表":                "größe 表",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAPathIsWrappedAtItsSlashesAndNothingOfItIsLost(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"a/b.go:3", 20, []string{"a/b.go:3"}},
		{"internal/service/accounts.go:120", 20, []string{"internal/service/", "accounts.go:120"}},
		{"a/settlement_reconciliation.go:7", 12, []string{"a/", "settlement_r", "econciliatio", "n.go:7"}},
		{"src/表表表.py", 6, []string{"src/", "表表表", ".py"}},
		{"", 5, []string{""}},
	} {
		got := wrapPath(c.in, c.width)
		if !slices.Equal(got, c.want) {
			t.Errorf("wrapPath(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestTestsAreNamedByWhatTellsThemApart(t *testing.T) {
	for id, want := range map[harness.TestID]string{
		"example.com/a.b/c.TestX/sub.case": "TestX/sub.case",
		"gopkg.in/yaml.v3.TestDecode":      "TestDecode",
		"tests/deep/test_a.py::T::test_b":  "test_a.py::T::test_b",
		"npm test":                         "npm test",
	} {
		if got := testName(id); got != want {
			t.Errorf("testName(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestLongWordsAreBrokenWhereTheirPartsMeet(t *testing.T) {
	for word, want := range map[string]string{
		"TestDiscountIsNeverMoreThanThePrice": "TestDiscountIs|NeverMoreThan|ThePrice",
		"test_a.py::TestTable::test_row":      "test_a.py::|TestTable::|test_row",
		"averyveryverylongword":               "averyveryverylo|ngword",
		"HTTPSERVERANDCLIENTS":                "HTTPSERVERANDCL|IENTS",
	} {
		if got := strings.Join(wrap(word, 15), "|"); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("a few words and averyveryverylongword", 8)
	f.Add("::error::no", 30)
	f.Add("表\u0301\u200d表 ##[group]x", 3)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 4 || width > 300 {
			return
		}
		s = plain(s)
		lines := wrap(s, width)
		for _, l := range lines {
			if displaywidth.String(l) > width {
				t.Errorf("width %d: %q has %d columns", width, l, displaywidth.String(l))
			}
			if strings.HasPrefix(l, "::") || strings.HasPrefix(l, "##[") {
				t.Errorf("%q is a command of a CI runner", l)
			}
		}
		bare := func(s string) string { return strings.NewReplacer(" ", "", ":", "", "#", "", "·", "").Replace(s) }
		if bare(strings.Join(lines, "")) != bare(strings.Join(strings.Fields(s), "")) {
			t.Errorf("wrap(%q, %d) lost text: %q", s, width, lines)
		}
	})
}

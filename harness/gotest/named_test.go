package gotest

import (
	"testing"

	"assay/harness"
)

func TestADeclarationOfATestFileIsNamedAsItsTestIs(t *testing.T) {
	at := &suite{pkg: pkg{dir: "net/dial", importPath: "example.com/m/net/dial"}}
	at.head = standing{green: map[string]bool{"TestDial": true, "Testify": true}, red: map[string]harness.Result{"TestRed": {}}}
	s := &session{graph: graph{suites: []*suite{{pkg: pkg{dir: "net", importPath: "example.com/m/net"}}, at}}}
	for declaration, want := range map[string]harness.TestID{
		"TestDial": "example.com/m/net/dial.TestDial",
		"TestRed":  "example.com/m/net/dial.TestRed",
		"TestGone": "", // the baseline never met it
		"helper":   "",
		"Testify":  "", // go test does not run it
	} {
		got := harness.TestID("")
		if ids := s.Named("net/dial/dial_test.go", declaration); len(ids) > 0 {
			got = ids[0]
		}
		if got != want {
			t.Errorf("%s is named %q, want %q", declaration, got, want)
		}
	}
	if ids := s.Named("net/net_test.go", "TestDial"); ids != nil {
		t.Errorf("a test of another directory is named %v", ids)
	}
}

package gotest

import (
	"slices"
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

func TestTheTestsOfAFileAreThoseOfItsPackage(t *testing.T) {
	at := &suite{pkg: pkg{dir: "net", importPath: "example.com/m/net"}}
	at.head = standing{green: map[string]bool{"TestDial": true, "TestDial/fast": true}, red: map[string]harness.Result{"TestRed": {}},
		flaky: map[string]bool{"TestLuck": true}, skipped: map[string]bool{"TestLater": true}}
	s := &session{graph: graph{suites: []*suite{at, {pkg: pkg{dir: "other", importPath: "example.com/m/other"}}}}}
	got := s.InFile("net/helper_test.go")
	want := []harness.TestID{"example.com/m/net.TestDial", "example.com/m/net.TestLater", "example.com/m/net.TestLuck", "example.com/m/net.TestRed"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

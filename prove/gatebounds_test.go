package prove

import (
	"slices"
	"strings"
	"testing"

	"assay/change"
	"assay/harness"
)

// Each test gets its turn at the mutants it comes by, the best first, and none is
// taken twice.
func TestMutantsAreSharedBetweenTests(t *testing.T) {
	by := map[string][]string{"a1": {"a"}, "a2": {"a"}, "a3": {"a"}, "ab": {"a", "b"}, "b1": {"b"}, "c1": {"c"}, "none": nil}
	tops := func(m string) []string { return by[m] }
	all := []string{"a1", "a2", "ab", "a3", "b1", "c1", "none"}
	for _, c := range []struct {
		n    int
		want string
	}{
		{0, ""},
		{1, "a1"},
		{3, "a1 ab c1"},
		{5, "a1 ab c1 a2 b1"},
		{9, "a1 ab c1 a2 b1 a3"}, // what no test comes by is nobody's
	} {
		if got := strings.Join(shared(all, c.n, tops), " "); got != c.want {
			t.Errorf("%d of them: %q, want %q", c.n, got, c.want)
		}
	}
}

func TestHowManyMutantsAGateShows(t *testing.T) {
	for _, c := range []struct {
		tests            int
		prepared, beside bool
		want             int
	}{
		{1, true, false, 60},
		{3, true, false, 100},
		{1000, true, false, mostPrepared},
		{3, false, false, mostPlain},
		{3, true, true, besidePrepared},
		{3, false, true, besidePlain},
	} {
		if got := mostMutants(c.tests, c.prepared, c.beside); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// Lines that lost their coverage come first, those that few others cover before
// those that many do, and what is only believed to be covered last.
func TestMutantsAreRanked(t *testing.T) {
	id := func(names ...string) []harness.TestID {
		var ids []harness.TestID
		for _, n := range names {
			ids = append(ids, harness.TestID(n))
		}
		return ids
	}
	one := func(id string, line int, before, after, others []harness.TestID) *gateMutant {
		m := &gateMutant{grist: &grist{id: id}, before: before, after: after, others: others}
		m.Edits = []change.Edit{{Path: "a.go"}}
		m.Lines = change.Span{Start: line, Lines: 1}
		return m
	}
	far := one("far", 1, id("x"), id("x"), nil)
	far.distant = true
	all := []*gateMutant{
		far,
		one("gained", 2, nil, id("x"), nil),
		one("crowded", 3, id("x"), id("x"), id("p", "q")),
		one("kept", 4, id("x"), id("x"), id("p")),
		one("lost", 5, id("x"), nil, nil),
	}
	var got []string
	for _, m := range ranked(all, nil) {
		got = append(got, m.id)
	}
	if want := []string{"lost", "kept", "crowded", "gained", "far"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTestsWithoutTheirParameters(t *testing.T) {
	if got := topNames([]harness.TestID{"t.py::test_b[2]", "t.py::test_a", "t.py::test_b[1]"}); !slices.Equal(got, []string{"t.py::test_a", "t.py::test_b"}) {
		t.Error(got)
	}
}

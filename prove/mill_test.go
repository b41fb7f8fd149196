package prove

import (
	"slices"
	"testing"

	"assay/harness"
)

func TestARunToTheFirstRedLeavesOutWhoIsNotGreenAtHead(t *testing.T) {
	sel := harness.Selection{Tests: []harness.TestID{"a", "b", "c"}, Baselined: true}
	got := only(sel, []harness.TestID{"c", "a"})
	if !slices.Equal(got.Tests, []harness.TestID{"a", "c"}) || got.Baselined {
		t.Errorf("got %+v, want a and c, which nobody ran by themselves", got)
	}
	if same := only(sel, []harness.TestID{"a", "b", "c"}); !slices.Equal(same.Tests, sel.Tests) || !same.Baselined {
		t.Errorf("got %+v, want the selection as it was", same)
	}
}

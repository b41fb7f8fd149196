package change_test

import (
	"testing"

	"assay/change"
)

func TestKindsReadBackWhatTheyWrite(t *testing.T) {
	for k := change.Production; k <= change.Generated; k++ {
		text, err := k.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back change.Kind
		if err := back.UnmarshalText(text); err != nil || back != k {
			t.Errorf("%s came back as %v (%v)", text, back, err)
		}
	}
	var k change.Kind
	if err := k.UnmarshalText([]byte("prod")); err == nil {
		t.Error("a kind that is none was read")
	}
}

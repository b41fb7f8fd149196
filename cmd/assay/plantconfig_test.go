package main

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"assay/change"
)

func TestAPatchIsReadAsTextsToReplace(t *testing.T) {
	got, err := swapsOf("diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@ func f\n a\n-b\n+c\n@@ -9 +8,0 @@\n---d\n")
	want := []swap{{"x.go", "a\nb\n", "a\nc\n"}, {"x.go", "--d\n", ""}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v (%v)", got, err)
	}
	for patch, why := range map[string]string{
		"":                                       "no hunk",
		"@@ -1 +1 @@\n-a\n+b\n":                  "before its +++",
		"+++ b/x.go\n@@ -1,0 +2 @@\n+only new\n": "no old line",
	} {
		if _, err := swapsOf(patch); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", patch, err, why)
		}
	}
}

func TestAPlantIsPlacedWhereItsTextStandsOnce(t *testing.T) {
	head := map[string]string{"x.go": "one two one"}
	read := func(name string) ([]byte, error) {
		if text, ok := head[name]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("absent")
	}
	edits, err := PlantConfig{File: "x.go", Find: "two", Replace: "2"}.edits("", read)
	if want := []change.Edit{{Path: "x.go", Start: 4, End: 7, Text: []byte("2")}}; err != nil || !reflect.DeepEqual(edits, want) {
		t.Errorf("got %+v (%v)", edits, err)
	}
	for _, tt := range []struct {
		plant PlantConfig
		why   string
	}{
		{PlantConfig{File: "x.go", Find: "one"}, "stands 2 times"},
		{PlantConfig{File: "x.go", Find: "three"}, "stands 0 times"},
		{PlantConfig{File: "y.go", Find: "one"}, "y.go is not there"},
		{PlantConfig{Patch: "absent.patch"}, "cannot read its patch"},
	} {
		if _, err := tt.plant.edits(t.TempDir(), read); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%+v: %v, want %q", tt.plant, err, tt.why)
		}
	}
}

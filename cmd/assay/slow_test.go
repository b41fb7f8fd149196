//go:build slow

package main

import "testing"

// TestSlowStories runs testdata/script/slow/*.txtar: stories like the others,
// that take minutes. make stories runs them.
func TestSlowStories(t *testing.T) { tell(t, "../../testdata/script/slow") }

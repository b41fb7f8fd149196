package worktree_test

import (
	"os"
	"strconv"
	"testing"
)

func pid() string { return strconv.Itoa(os.Getpid()) }

func hostname(t *testing.T) string {
	t.Helper()
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

package main

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// excerptCommand holds the README's excerpt of the demo against a real output:
// its lines are lines of the output, in order, and next to one another wherever
// no "…" stands between them.
func excerptCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: excerpt FILE")
	}
	readme, err := os.ReadFile(ts.Getenv("README"))
	ts.Check(err)
	_, block, found := strings.Cut(string(readme), "```\nVERDICT")
	block, _, closed := strings.Cut("VERDICT"+block, "\n```")
	if !found || !closed {
		ts.Fatalf("the README has no excerpt of a table")
	}
	rest := "\n" + ts.ReadFile(args[0])
	for part := range strings.SplitSeq(block, "\n…\n") {
		_, after, ok := strings.Cut(rest, "\n"+part+"\n")
		if !ok {
			ts.Fatalf("the demo does not print, at this place, what the README shows:\n%s", part)
		}
		rest = "\n" + after
	}
}

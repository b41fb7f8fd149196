// Command prepared holds the two ways of trying an edit of Go code to agree:
// many edits in one binary (harness.Preparer) and the edit on disk.
//
//	go run ./bench/prepared [-n 50] [-seed 1] [-only REGEXP] DIR...
//
// Each DIR is a Go module whose files this command edits and puts back, so give
// it a clone of its own. It draws n random edits of the module's function
// bodies, of which many do not compile, tries each both ways over the tests
// that cover it, and prints per module how many could be prepared, the
// disagreements, and the CPU seconds of both. It exits with 1 when there is a
// disagreement.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
)

func main() {
	var o options
	flag.IntVar(&o.n, "n", 50, "edits per module")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the draw")
	flag.BoolVar(&o.verbose, "v", false, "print every edit")
	only := flag.String("only", "", "regular expression over paths of files to edit")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	o.only, err = regexp.Compile(*only)
	disagreed := 0
	for _, dir := range flag.Args() {
		if err != nil {
			break
		}
		var one int
		one, err = o.module(ctx, dir)
		disagreed += one
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prepared:", err)
		os.Exit(70)
	}
	fmt.Printf("disagreements %d\n", disagreed)
	if disagreed > 0 {
		os.Exit(1)
	}
}

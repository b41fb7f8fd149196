// Command forked tries random edits of Python functions both ways, by a fork of
// a warm pytest process and by a fresh process with the edit on disk, and says
// where the two disagree. They never may: a fast wrong answer is worth nothing.
//
//	forked -repo DIR [-python PYTHON] [-n 50] [-seed 1] FILE.py...
//
// DIR is copied first; FILE are the sources to edit. It exits with 1 when any
// edit comes out differently.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "forked:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("forked", flag.ContinueOnError)
	repo := flags.String("repo", ".", "the project, which is copied")
	python := flags.String("python", "python3", "the interpreter, with pytest")
	n := flags.Int("n", 50, "how many edits to try")
	seed := flags.Int64("seed", 1, "of the choice of edits")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "forked-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c := &comparison{python: *python, origin: *repo, dir: dir, files: flags.Args(), out: log.New(out, "", 0)}
	if err := c.run(ctx, *n, *seed); err != nil {
		return err
	}
	c.out.Printf("%d edits · %d forked · %d left to a fresh process · %d disagree · a fork takes %.2f s, a fresh process %.2f s",
		c.forked+c.left, c.forked, c.left, c.disagree, c.forkSeconds/float64(max(1, c.forked)), c.freshSeconds/float64(max(1, c.forked)))
	if c.disagree > 0 {
		return fmt.Errorf("%d of %d edits come out differently", c.disagree, c.forked)
	}
	return nil
}

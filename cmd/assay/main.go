package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
)

//go:embed doc.go
var doc string

func main() { os.Exit(run()) }

// collectAt is the growth of the heap, in per cent, at which the collector runs:
// assay lives for seconds and holds the syntax trees of two versions.
const collectAt = 300

// run is main with an exit code, so that deferred clean-up happens. SIGINT and
// SIGTERM cancel the one context that every process and tree hangs on; they
// stay caught until everything is cleaned, so that a second one cuts nothing
// short.
func run() int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// Caught, a write to a closed pipe is an error like others, and what follows
	// cleans up; it would else end the process at once. (Ignored, the programs
	// that assay starts would ignore it too.)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	err := rootCommand().ExecuteContext(ctx)
	if text := textOf(err); text != "" {
		_, _ = fmt.Fprintln(os.Stderr, text) // when even this fails there is no one left to tell
	}
	return codeOf(err)
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "assay",
		Short:         "Does any test notice when this piece of the change is not there?",
		Long:          help(doc),
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return mistakef("%w; see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(proveCommand(), mutateCommand(), probeCommand(), plantCommand(), doctorCommand(), replayCommand(), reportCommand(), explainCommand(), manCommand(),
		cleanCommand(), demoCommand(), versionCommand())
	for _, cmd := range root.Commands() {
		cmd.Args = asUsage(cmd.Args)
	}
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		hint := ""
		cmd.SuggestionsMinimumDistance = 2 // cobra's own default, which it sets too late for us
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			distance := func(name string) int { return levenshtein.ComputeDistance(args[0], name) }
			hint = fmt.Sprintf("; did you mean %q?", slices.MinFunc(near, func(a, b string) int { return distance(a) - distance(b) }))
		}
		return mistakef("unknown command %q%s (assay --help lists them)", args[0], hint)
	}
	return root
}

// asUsage makes the complaint of a cobra argument check a user's error.
func asUsage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(cmd, args); err != nil {
			return mistakef("%s: %w; see %s --help", cmd.CommandPath(), err, cmd.CommandPath())
		}
		return nil
	}
}

// help is the package comment of doc.go: what people read in the source is
// what --help prints.
func help(source string) string {
	_, text, _ := strings.Cut(source, "/*\n")
	text, _, _ = strings.Cut(text, "\n*/")
	return strings.ReplaceAll(text, "\t", "  ")
}

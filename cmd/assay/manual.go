package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	mandoc "github.com/spf13/cobra/doc"
)

// manCommand writes the man pages; packagers run it, people seldom.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages to a directory",
		Long: `man writes a man page for assay and for each of its commands to DIR, which is
made when it does not exist: man DIR/assay.1 shows one. SOURCE_DATE_EPOCH sets
the date that they carry.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return mistakef("cannot make the directory for the man pages: %w", err)
			}
			cmd.Root().DisableAutoGenTag = true
			header := &mandoc.GenManHeader{Section: "1", Source: "assay " + version(), Manual: "assay"}
			if err := mandoc.GenManTree(cmd.Root(), header, args[0]); err != nil {
				return mistakef("cannot write the man pages to %s: %w", args[0], err)
			}
			return nil
		},
	}
}

// commandsText describes every command and its flags in Markdown, for
// docs/commands.md.
func commandsText(root *cobra.Command) string {
	var out strings.Builder
	out.WriteString("# Commands\n\n`assay --help` and `assay COMMAND --help` print the same.\n")
	for _, cmd := range root.Commands() {
		if !cmd.IsAvailableCommand() || cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		fmt.Fprintf(&out, "\n## assay %s\n\n%s\n\n```\nassay %s\n```\n", cmd.Name(), text, cmd.Use)
		if cmd.Example != "" {
			fmt.Fprintf(&out, "\nFor example:\n\n```\n%s\n```\n", cmd.Example)
		}
		if flags := cmd.LocalFlags().FlagUsages(); flags != "" {
			fmt.Fprintf(&out, "\n```\n%s```\n", flags)
		}
	}
	return out.String()
}

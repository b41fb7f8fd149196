package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/docs"
)

func explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [REASON]",
		Short: "Say what a reason means and what to do about it",
		Long: `explain prints the page of a reason, such as survived or half-undone, as it
stands in the WHY column of a report. Without one it lists them all.`,
		Example:           "  assay explain survived",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(docs.Reasons(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := explain(first(args))
			if err == nil {
				_, err = fmt.Fprint(cmd.OutOrStdout(), text)
			}
			return err
		},
	}
}

// explain is the page of a reason, or the list of reasons.
func explain(reason string) (string, error) {
	if reason == "" {
		return strings.Join(docs.Reasons(), "\n") + "\n", nil
	}
	page, ok := docs.Reason(strings.ToLower(reason))
	if !ok {
		return "", mistakef("there is no reason %q%s", reason, nearest(reason, "known reasons", docs.Reasons()))
	}
	return page, nil
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"assay/worktree"
)

func cleanCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "clean",
		Short: "Remove what runs that were killed left behind",
		Long: `clean removes the throwaway trees of runs whose process is gone: killed with
SIGKILL, or kept with --keep, and ends the processes that these runs left (those
whose TMPDIR lies in such a run; only Linux tells that of a process). Trees of runs that still live are left alone. The
next assay prove does the same before it starts.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			removed, err := worktree.Sweep(cmd.Context(), "")
			for _, dir := range removed {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), "removed "+dir); err != nil {
					return err
				}
			}
			if err == nil && len(removed) == 0 {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), "nothing to remove")
			}
			return err
		},
	}
}

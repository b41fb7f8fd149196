package main

import (
	"os"

	"github.com/spf13/cobra"

	"assay/prove"
	"assay/report"
)

func reportCommand() *cobra.Command {
	var o output
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Render a saved report as a table or as JSON",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			r, err := loadReport(args[0])
			if err != nil {
				return err
			}
			return o.write(cmd, r)
		},
	}
	o.register(cmd.Flags())
	return cmd
}

// loadReport reads a report that --out or --format json wrote.
func loadReport(path string) (*prove.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, mistakef("cannot read the report: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	r, err := report.Read(f)
	if err != nil {
		return nil, mistakef("%s: %w; make one with assay prove --out %s", path, err, path)
	}
	return r, nil
}

package main

import (
	"os"

	"github.com/spf13/cobra"

	"assay/prove"
	"assay/report"
)

func reportCommand() *cobra.Command {
	var o output
	var baseline string
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Render a saved report: table, HTML, Markdown, SARIF and others",
		Long: `report renders a report that --out or --format json=FILE saved, in any format
that assay prove knows. --format may be given several times; one without a file
goes to standard output.`,
		Example: "  assay report report.json\n  assay report report.json --format html=report.html --format sarif=assay.sarif",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			r, err := loadReport(args[0])
			if err != nil {
				return err
			}
			if baseline != "" {
				earlier, err := loadReport(baseline)
				if err != nil {
					return err
				}
				r.Compare(earlier)
			}
			return o.write(cmd, r)
		},
	}
	o.registerFormats(cmd.Flags(), report.Formats())
	cmd.Flags().StringVar(&baseline, "baseline", "", "mark what the saved report `FILE` has already")
	completeFlags(cmd)
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

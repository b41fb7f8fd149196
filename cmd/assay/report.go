package main

import (
	"bytes"
	"os"
	"slices"

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
that the command knows which made it: assay prove, assay probe or assay mutate.
--format may be given several times; one without a file goes to standard output.`,
		Example: "  assay report report.json\n  assay report report.json --format html=report.html --format sarif=assay.sarif",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				return mistakef("cannot read the report: %w", err)
			}
			if report.IsMutation(data) {
				if baseline != "" {
					return mistakef("%s is a report of assay mutate, and --baseline compares proofs; leave --baseline out", args[0])
				}
				return o.mutation(cmd, data, args[0])
			}
			o.known = report.Formats()
			if err := o.check(); err != nil {
				return err
			}
			r, err := parseReport(data, args[0])
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
	o.registerFormats(cmd.Flags(), slices.Compact(slices.Sorted(slices.Values(slices.Concat(report.Formats(), report.MutationFormats())))))
	cmd.Flags().StringVar(&baseline, "baseline", "", "mark what the saved report `FILE` has already")
	completeFlags(cmd)
	return cmd
}

// loadReport reads a report that --out or --format json wrote.
func loadReport(path string) (*prove.Report, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, mistakef("cannot read the report: %w", err)
	}
	return parseReport(data, path)
}

func parseReport(data []byte, path string) (*prove.Report, error) {
	r, err := report.Read(bytes.NewReader(data))
	if err != nil {
		return nil, mistakef("%s: %w; make one with assay prove --out %s", path, err, path)
	}
	return r, nil
}

// mutation renders a saved report of assay mutate.
func (o *output) mutation(cmd *cobra.Command, data []byte, path string) error {
	o.known = report.MutationFormats()
	if err := o.check(); err != nil {
		return err
	}
	r, err := report.ReadMutation(bytes.NewReader(data))
	if err != nil {
		return mistakef("%s: %w; make one with assay mutate --out %s", path, err, path)
	}
	return o.writeMutation(cmd, r)
}

package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"assay/prove"
	"assay/report"
)

// plainWidth is the width of a table that does not go to a terminal.
const plainWidth = 80

// An output is where a report goes and how it is drawn.
type output struct {
	format  string
	out     string
	noColor bool
}

func (o *output) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.format, "format", "table", "how the report is written: table or json")
	flags.StringVar(&o.out, "out", "", "write the report as JSON to `FILE` as well (for assay report and assay replay)")
	flags.BoolVar(&o.noColor, "no-color", false, "no colours, also on a terminal (NO_COLOR does the same)")
}

// check refuses an unknown format, and a file that cannot be written, before
// any work is done.
func (o *output) check() error {
	if slices.Contains(report.Formats(), o.format) {
		return checkOut(o.out)
	}
	return mistakef("--format does not know %q%s", o.format, nearest(o.format, "known formats", report.Formats()))
}

// checkOut fails when path cannot be written, so that no one waits for a report
// that is then lost. What stands there is kept, and what does not is not made.
func checkOut(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil // opening a pipe for a look would end it for its reader
	}
	isNew := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return mistakef("cannot write the report with --out: %w", err)
	}
	err = f.Close()
	if isNew {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// write saves r where --out says and renders it to standard output, also when
// the first fails.
func (o *output) write(cmd *cobra.Command, r *prove.Report) error {
	w := cmd.OutOrStdout()
	return errors.Join(o.save(r), report.Write(w, o.format, r, o.style(w)))
}

// save saves r where --out says, if it says.
func (o *output) save(r *prove.Report) error {
	if o.out == "" {
		return nil
	}
	return saveReport(o.out, r)
}

func saveReport(path string, r *prove.Report) error {
	f, err := os.Create(path)
	if err != nil {
		return mistakef("cannot write the report with --out: %w", err)
	}
	err = errors.Join(report.JSON(f, r, report.Style{}), f.Close())
	if err == nil {
		return nil
	}
	// Half a report is none; what is no file (a pipe, a device) stays.
	if info, statErr := os.Stat(path); statErr == nil && info.Mode().IsRegular() {
		err = errors.Join(err, os.Remove(path))
	}
	return mistakef("cannot write the report with --out: %w; make room or name another file", err)
}

// style fits the table to the terminal; anything else gets 80 plain columns.
func (o *output) style(w io.Writer) report.Style {
	f, ok := w.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return report.Style{Width: plainWidth}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = plainWidth
	}
	return report.Style{Width: width, Colour: o.coloured()}
}

// coloured follows no-color.org and terminals that cannot.
func (o *output) coloured() bool {
	return !o.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

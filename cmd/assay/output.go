package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

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
	known   []string // formats of this command
	format  string   // of standard output
	saves   []saving // further formats, each to a file
	out     string
	noColor bool
}

// A saving is a report written to a file in some format.
type saving struct{ format, file string }

// A rendering writes one report in a format.
type rendering func(w io.Writer, format string, s report.Style) error

// renderingOf is the rendering of a proof's report.
func renderingOf(r *prove.Report) rendering {
	return func(w io.Writer, format string, s report.Style) error { return report.Write(w, format, r, s) }
}

// registerFormats registers the flags of a command that writes several formats
// in one run, of those that are known.
func (o *output) registerFormats(flags *pflag.FlagSet, known []string) {
	o.known, o.format = known, "table"
	flags.Var((*formatValue)(o), "format", "how the report is written, `NAME` or NAME=FILE; may be given several times, once without FILE: "+strings.Join(known, ", "))
	o.registerFile(flags)
}

func (o *output) registerFile(flags *pflag.FlagSet) {
	flags.StringVar(&o.out, "out", "", "write the report as JSON to `FILE` as well (for assay report and assay replay)")
	flags.BoolVar(&o.noColor, "no-color", false, "no colours, also on a terminal (NO_COLOR does the same)")
}

// A formatValue is --format, which may be given several times: standard output
// takes one format, every other names its file.
type formatValue output

// String is what --help shows as the default.
func (v *formatValue) String() string { return v.format }

// Type is what --help calls the value.
func (v *formatValue) Type() string { return "NAME" }

// Set takes NAME or NAME=FILE.
func (v *formatValue) Set(word string) error {
	name, file, toFile := strings.Cut(word, "=")
	if toFile && file == "" {
		return fmt.Errorf("%s names no file; write %s=FILE, or %s alone for standard output", word, name, name)
	}
	if toFile {
		v.saves = append(v.saves, saving{name, file})
		return nil
	}
	v.format = name
	return nil
}

// check refuses an unknown format, and a file that cannot be written, before
// any work is done.
func (o *output) check() error {
	for _, name := range append([]string{o.format}, formatsOf(o.saves)...) {
		if !slices.Contains(o.known, name) {
			return mistakef("--format does not know %q%s", name, nearest(name, "known formats", o.known))
		}
	}
	taken := map[string]bool{o.out: o.out != ""}
	for _, s := range o.saves {
		if taken[s.file] {
			return mistakef("two reports would be written to %s; give each a file of its own", s.file)
		}
		taken[s.file] = true
		if err := checkFile("--format "+s.format, s.file); err != nil {
			return err
		}
	}
	return checkOut(o.out)
}

func formatsOf(saves []saving) []string {
	var names []string
	for _, s := range saves {
		names = append(names, s.format)
	}
	return names
}

// checkOut is checkFile for --out.
func checkOut(path string) error { return checkFile("--out", path) }

// checkFile fails when path cannot be written, so that no one waits for a report
// that is then lost. What stands there is kept, and what does not is not made.
func checkFile(flag, path string) error {
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
		return mistakef("cannot write the report with %s: %w", flag, err)
	}
	err = f.Close()
	if isNew {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// write saves r where --out and --format say and renders it to standard
// output, each also when another fails.
func (o *output) write(cmd *cobra.Command, r *prove.Report) error {
	w := cmd.OutOrStdout()
	errs := []error{o.save(renderingOf(r)), report.Write(w, o.format, r, o.style(w))}
	if o.format == "github" {
		errs = append(errs, addSummary(os.Getenv(summaryVariable), r))
	}
	return errors.Join(errs...)
}

// save saves a report where --out and --format say, if they do.
func (o *output) save(render rendering) error {
	return errors.Join(o.saveOut(render), o.saveFormats(render))
}

func (o *output) saveOut(render rendering) error {
	if o.out == "" {
		return nil
	}
	return saveReport(saving{"json", o.out}, "--out", render)
}

func (o *output) saveFormats(render rendering) error {
	var errs []error
	for _, s := range o.saves {
		errs = append(errs, saveReport(s, "--format "+s.format, render))
	}
	return errors.Join(errs...)
}

func saveReport(s saving, flag string, render rendering) error {
	f, err := os.Create(s.file)
	if err != nil {
		return mistakef("cannot write the report with %s: %w", flag, err)
	}
	err = errors.Join(render(f, s.format, report.Style{Width: plainWidth}), f.Close())
	if err == nil {
		return nil
	}
	// Half a report is none; what is no file (a pipe, a device) stays.
	if info, statErr := os.Stat(s.file); statErr == nil && info.Mode().IsRegular() {
		err = errors.Join(err, os.Remove(s.file))
	}
	return mistakef("cannot write the report with %s: %w; make room or name another file", flag, err)
}

// summaryVariable names the file that GitHub shows as the summary of a job.
const summaryVariable = "GITHUB_STEP_SUMMARY"

// addSummary appends r in Markdown to the job's summary; nothing outside of
// GitHub's jobs.
func addSummary(path string, r *prove.Report) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return mistakef("cannot write the job summary that %s names: %w", summaryVariable, err)
	}
	return errors.Join(report.Markdown(f, r, report.Style{}), f.Close())
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

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/prove"
)

// A Style is how a renderer for people may draw.
type Style struct {
	Width  int  // columns; less than 60 is drawn as 60
	Colour bool // SGR colours
}

// A Renderer writes one report in one format.
type Renderer func(w io.Writer, r *prove.Report, s Style) error

// formats lists the renderers; a new one is a file of its own and a line here.
func formats() map[string]Renderer {
	return map[string]Renderer{
		"table": Table, "json": JSON, "markdown": Markdown, "sarif": SARIF,
		"html": HTML, "junit": JUnit, "github": GitHub, "gitlab": GitLab,
	}
}

// Formats returns the names that Write accepts, sorted.
func Formats() []string {
	var names []string
	for name := range formats() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Write renders r in the named format. It fails on a format that Formats does
// not list and when w fails.
func Write(w io.Writer, format string, r *prove.Report, s Style) error {
	render, ok := formats()[format]
	if !ok {
		return fmt.Errorf("unknown format %q (known: %s)", format, strings.Join(Formats(), ", "))
	}
	return render(w, r, s)
}

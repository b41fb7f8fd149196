package report

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"html/template"
	"io"

	"assay/prove"
)

// ElementsVersion is the version of the npm package mutation-testing-elements
// whose web component draws the HTML of a mutation report. A test holds the
// file to what that version publishes.
const ElementsVersion = "3.9.0"

//go:embed page/elements
var elementsPage embed.FS

// MutationHTML writes r as one file that needs nothing beside it and no
// network: the report of MutationElements, drawn by the web component that is
// published with that schema. Each file has a link of its own. The component
// colours Python and no Go.
func MutationHTML(w io.Writer, r *prove.MutationReport, s Style) error {
	bundle, err := ElementsBundle()
	if err != nil {
		return err
	}
	parsed, err := template.ParseFS(elementsPage, "page/elements/page.html")
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for _, name := range []string{"NOTICE", "LICENSE"} {
		text, err := elementsPage.ReadFile("page/elements/" + name)
		if err != nil {
			return err
		}
		texts[name] = string(text)
	}
	var out bytes.Buffer
	err = parsed.Execute(&out, struct {
		Title, Repo, Totals, Version, Elements string
		Said                                   []string
		Notice, Licence                        string
		Data                                   elements
		Bundle                                 template.JS
	}{plain(r.Repo) + ": " + MutationTotals(r), plain(r.Repo), MutationTotals(r), r.Tool.Version, ElementsVersion,
		mutationRun(r), texts["NOTICE"], texts["LICENSE"], elementsOf(r), template.JS(bundle)}) //nolint:gosec // the published file, held by its hash
	if err != nil {
		return fmt.Errorf("filling the page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// ElementsBundle is the published script of the web component, as it stands in
// the npm package.
func ElementsBundle() ([]byte, error) {
	packed, err := elementsPage.ReadFile("page/elements/mutation-test-elements.js.gz")
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpacking the web component: %w", err)
	}
	return io.ReadAll(unpacked)
}

package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/yuin/goldmark"

	"assay/docs"
	"assay/prove"
)

//go:embed page/page.html page/page.css page/*.js
var page embed.FS

// HTML writes r as one file that needs nothing beside it and no network: the
// change as a diff with each hunk tinted by its verdict, the evidence on
// request, filters, a link for each hunk, and keys. Diffs are put in place when
// they come into view, so that thousands of hunks open at once.
func HTML(w io.Writer, r *prove.Report, _ Style) error {
	style, err := page.ReadFile("page/page.css")
	if err != nil {
		return err
	}
	var script bytes.Buffer
	for _, name := range []string{"diff", "evidence", "probes", "filter", "keys", "main"} {
		text, err := page.ReadFile("page/" + name + ".js")
		if err != nil {
			return err
		}
		script.Write(text)
	}
	pages, err := reasonPages(r)
	if err != nil {
		return err
	}
	parsed, err := template.ParseFS(page, "page/page.html")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	err = parsed.Execute(&out, struct {
		Title   string
		Style   template.CSS
		Script  template.JS
		Data    *sheetData
		Totals  string
		Reasons []reasonPage
	}{plain(r.Repo) + ": " + Totals(r.Counts), template.CSS(style), template.JS(script.String()), sheetOf(r), Totals(r.Counts), pages}) //nolint:gosec // our own files
	if err != nil {
		return fmt.Errorf("filling the page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// A reasonPage is the page of the documents on one reason.
type reasonPage struct {
	Reason string
	Text   template.HTML
}

// reasonPages are the pages of the reasons that occur in r.
func reasonPages(r *prove.Report) ([]reasonPage, error) {
	var pages []reasonPage
	for _, reason := range docs.Reasons() {
		if !hasReason(r, prove.Reason(reason)) {
			continue
		}
		text, _ := docs.Reason(reason)
		var html strings.Builder
		if err := goldmark.Convert([]byte(text), &html); err != nil {
			return nil, fmt.Errorf("rendering the page on %s: %w", reason, err)
		}
		pages = append(pages, reasonPage{reason, template.HTML(html.String())}) //nolint:gosec // our own document
	}
	return pages, nil
}

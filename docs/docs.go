// Package docs holds the documents that the program itself shows: one page for
// each reason, which assay explain prints and reports carry along, so that the
// answer to "what does this mean" needs no network.
package docs

import (
	"embed"
	"slices"
	"strings"
)

//go:embed reasons/*.md
var pages embed.FS

// Reason returns the page of a reason in Markdown; false when it has none.
func Reason(name string) (string, bool) {
	text, err := pages.ReadFile("reasons/" + name + ".md")
	return string(text), err == nil
}

// Reasons names every reason that has a page, sorted.
func Reasons() []string {
	entries, err := pages.ReadDir("reasons")
	if err != nil {
		return nil // the directory is part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".md"))
	}
	slices.Sort(names)
	return names
}

package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/prove"
)

// A MutationRenderer writes one mutation report in one format.
type MutationRenderer func(w io.Writer, r *prove.MutationReport, s Style) error

// mutationFormats lists the renderers of mutation reports.
func mutationFormats() map[string]MutationRenderer {
	return map[string]MutationRenderer{"table": MutationTable, "json": MutationJSON, "mutation-report": MutationElements, "html": MutationHTML}
}

// MutationFormats returns the names that WriteMutation accepts, sorted.
func MutationFormats() []string {
	var names []string
	for name := range mutationFormats() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// WriteMutation renders r in the named format. It fails on a format that
// MutationFormats does not list and when w fails.
func WriteMutation(w io.Writer, format string, r *prove.MutationReport, s Style) error {
	render, ok := mutationFormats()[format]
	if !ok {
		return fmt.Errorf("unknown format %q (known: %s)", format, strings.Join(MutationFormats(), ", "))
	}
	return render(w, r, s)
}

// MutationJSON writes r as indented JSON under the schema assay.mutation/1.
func MutationJSON(w io.Writer, r *prove.MutationReport, _ Style) error { return indented(w, r) }

func indented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// IsMutation reports whether data says of itself that it is a mutation report
// of assay, of whatever version.
func IsMutation(data []byte) bool {
	var head struct{ Schema string }
	kind, _, _ := strings.Cut(prove.MutationSchema, "/")
	return json.Unmarshal(data, &head) == nil && strings.HasPrefix(head.Schema, kind+"/")
}

// ReadMutation reads a report that MutationJSON wrote. It refuses another
// schema, and mutants without a place or an edit.
func ReadMutation(in io.Reader) (*prove.MutationReport, error) {
	var r prove.MutationReport
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return nil, fmt.Errorf("not a mutation report of assay: %w", err)
	}
	if r.Schema != prove.MutationSchema {
		return nil, fmt.Errorf("the report has schema %q, this assay reads %q", r.Schema, prove.MutationSchema)
	}
	for i := range r.Mutants {
		if m := &r.Mutants[i]; len(m.Edits) == 0 || min(m.Start.Line, m.Start.Column, m.End.Line, m.End.Column) < 1 {
			return nil, fmt.Errorf("not a mutation report of assay: the mutant %q has no place or no edit", m.ID)
		}
	}
	return &r, nil
}

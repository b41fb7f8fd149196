package pysrc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/change"
	"assay/mutate"
)

var _ mutate.Mutator = (*Source)(nil)

// Operators implements mutate.Mutator.
func (s *Source) Operators() []mutate.Operator { return Operators() }

// ruleGenerated suppresses every mutant of a generated file.
const ruleGenerated = "generated: the generator is what tests hold"

// Mutants implements mutate.Mutator. The helper proposes and compiles them; one
// that compiles to what head compiles to is none.
func (s *Source) Mutants(ctx context.Context, dir string, targets []mutate.Target, operators []string) (crop mutate.Crop, err error) {
	names := named(operators)
	err = s.with(ctx, func(h *helper) error {
		for _, t := range targets {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := mutantsOf(h, dir, t, names, &crop); err != nil {
				return fmt.Errorf("%s: %w", t.Path, err)
			}
		}
		return nil
	})
	if err != nil {
		return mutate.Crop{}, fmt.Errorf("making mutants of Python source: %w", err)
	}
	return crop, nil
}

// A harvest is the request for the mutants of one file.
type harvest struct {
	Op        string   `json:"op"`
	Source    []byte   `json:"source"`
	Operators []string `json:"operators"`
	Lines     [][2]int `json:"lines"` // first line and count; null for the whole file
}

// A harvestAnswer is the mutants of a file, or why it has none.
type harvestAnswer struct {
	Error   string
	Mutants []mutantAnswer
	Remarks []remark
}

type mutantAnswer struct {
	Operator, Description, Function, Suppressed string
	Line, Lines                                 int
	Splices                                     []spliceAnswer
}

// A spliceAnswer replaces the bytes [Start,End).
type spliceAnswer struct {
	Start, End int
	Text       []byte
}

// mutantsOf adds the mutants of one target.
func mutantsOf(h *helper, dir string, t mutate.Target, operators []string, crop *mutate.Crop) error {
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(t.Path)))
	if err != nil {
		return err
	}
	ask := harvest{Op: "mutants", Source: src, Operators: operators}
	if t.Lines != nil {
		ask.Lines = [][2]int{}
	}
	for _, l := range t.Lines {
		ask.Lines = append(ask.Lines, pair(l))
	}
	var a harvestAnswer
	if err := h.ask(ask, &a); err != nil {
		return err
	}
	if a.Error != "" {
		crop.Notes = append(crop.Notes, t.Path+": it has no mutants: "+a.Error)
		return nil
	}
	remarks, generated := fileAnswer{Remarks: a.Remarks}.remarks(), isGenerated(src)
	for _, found := range a.Mutants {
		m := found.mutant(t.Path)
		switch {
		case generated:
			m.Suppressed = ruleGenerated
		case m.Suppressed == "":
			m.Suppressed = ignoredBy(src, remarks, m.Lines)
		}
		crop.Mutants = append(crop.Mutants, m)
	}
	return nil
}

func (a mutantAnswer) mutant(path string) mutate.Mutant {
	m := mutate.Mutant{
		Operator: a.Operator, Description: a.Description, Function: a.Function, Suppressed: a.Suppressed,
		Lines: change.Span{Start: a.Line, Lines: a.Lines},
	}
	for _, s := range a.Splices {
		m.Edits = append(m.Edits, change.Edit{Path: path, Start: s.Start, End: s.End, Text: s.Text})
	}
	return m
}

// ignoredBy is the reason of an `assay:ignore reason` comment on the first of
// the lines, or alone on the line above it; "" for none.
func ignoredBy(src []byte, remarks []mutate.Remark, lines change.Span) string {
	above := strings.TrimSpace(string(change.Span{Start: lines.Start - 1, Lines: 1}.Of(src)))
	if lines.Start == 1 || !strings.HasPrefix(above, "#") {
		remarks = slices.DeleteFunc(slices.Clone(remarks), func(r mutate.Remark) bool { return r.Line < lines.Start })
	}
	var n mutate.Note
	n.Ignore(&change.Unit{New: change.Span{Start: lines.Start, Lines: 1}}, remarks)
	if n.Ignored == "" {
		return ""
	}
	return "assay:ignore " + n.Ignored
}

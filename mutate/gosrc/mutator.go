package gosrc

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc/ops"
	"assay/mutate/gosrc/typed"
)

// A Mutator makes mutants of Go source that compile.
type Mutator struct {
	env, flags []string
}

var _ mutate.Mutator = (*Mutator)(nil)

// NewMutator returns a Mutator that runs the go command in env with those of
// the flags of the test run that select files.
func NewMutator(env, flags []string) mutate.Mutator { return &Mutator{env: env, flags: flags} }

// Operators implements mutate.Mutator.
func (m *Mutator) Operators() []mutate.Operator { return ops.All() }

// ruleGenerated suppresses every mutant of a generated file.
const ruleGenerated = "generated: the generator is what tests hold"

// Mutants implements mutate.Mutator. It loads head from dir, which costs two
// runs of `go list`; then mutants are type checked, many at once.
func (m *Mutator) Mutants(ctx context.Context, dir string, targets []mutate.Target, operators []string) (mutate.Crop, error) {
	world, err := typed.Load(ctx, typed.Config{Dir: dir, Env: m.env, Flags: m.flags})
	if err != nil {
		return mutate.Crop{}, fmt.Errorf("making mutants of Go source: %w", err)
	}
	var crop mutate.Crop
	var wanted []*candidate
	for _, t := range targets {
		file, ok := world.Syntax(t.Path)
		if !ok {
			crop.Notes = append(crop.Notes, t.Path+": no module or build on this platform compiles it, so it has no mutants")
			continue
		}
		if why, broken := brokenAround(world, file); broken {
			crop.Notes = append(crop.Notes, t.Path+": head does not build, so it has no mutants: "+why)
			continue
		}
		wanted = append(wanted, candidates(file, t, operators)...)
	}
	crop.Mutants, err = built(ctx, world, wanted)
	return crop, err
}

// brokenAround reports whether the file's package does not compile at head.
func brokenAround(w *typed.World, file *typed.Syntax) (why string, broken bool) {
	for _, b := range w.Broken() {
		if b.Package == file.Package.Path() && !b.Test && len(b.Problems) > 0 {
			return b.Problems[0].Message, true
		}
	}
	return "", false
}

// A candidate is a mutant with the choices of how to write it.
type candidate struct {
	mutate.Mutant
	choices    [][]change.Edit
	start, end int  // bytes of the declaration around it
	inBody     bool // it alters the inside of a function and nothing else
	built      bool // it compiles as the first of its choices
}

// candidates are the proposals for a target, as mutants that are not yet known
// to compile.
func candidates(file *typed.Syntax, t mutate.Target, operators []string) []*candidate {
	var all []*candidate
	remarks := parse(file.Src).remarks()
	generated := generatedMark.Match(file.Src)
	for _, p := range ops.Propose(file, operators) {
		first, last := file.Place(p.Start).Line, file.Place(max(p.Start, p.End-1)).Line
		c := &candidate{Mutant: mutate.Mutant{
			Operator: p.Operator, Description: p.Description, Function: p.Function, Suppressed: p.Suppressed,
			Lines: change.Span{Start: first, Lines: last - first + 1},
		}}
		if !t.Wants(c.Lines) {
			continue
		}
		if generated {
			c.Suppressed = ruleGenerated
		}
		if c.Suppressed == "" {
			c.Suppressed = ignoredBy(file.Src, remarks, c.Lines)
		}
		for _, splices := range p.Choices {
			c.choices = append(c.choices, editsOf(t.Path, splices))
		}
		if fn := file.Func(p.Start); fn != nil && fn.Body != nil {
			c.start, c.end = file.Offset(fn.Body.Pos()), file.Offset(fn.Body.End())
			c.inBody = c.start < p.Start && p.End < c.end
		}
		all = append(all, c)
	}
	return all
}

func editsOf(path string, splices []ops.Splice) []change.Edit {
	var edits []change.Edit
	for _, s := range splices {
		edits = append(edits, change.Edit{Path: path, Start: s.Start, End: s.End, Text: []byte(s.Text)})
	}
	return edits
}

// ignoredBy is the reason of an `assay:ignore reason` comment on the first of
// the lines, or alone on the line above it; "" for none.
func ignoredBy(src []byte, remarks []mutate.Remark, lines change.Span) string {
	above := strings.TrimSpace(string(change.Span{Start: lines.Start - 1, Lines: 1}.Of(src)))
	if lines.Start == 1 || !strings.HasPrefix(above, "//") && !strings.HasPrefix(above, "/*") {
		remarks = slices.DeleteFunc(slices.Clone(remarks), func(r mutate.Remark) bool { return r.Line < lines.Start })
	}
	var n mutate.Note
	n.Ignore(&change.Unit{New: change.Span{Start: lines.Start, Lines: 1}}, remarks)
	if n.Ignored == "" {
		return ""
	}
	return "assay:ignore " + n.Ignored
}

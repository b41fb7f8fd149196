package schema

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strconv"
)

// An emitted is one file of the program.
type emitted struct {
	name   string
	src    *source // nil for the file of types
	text   []byte
	ranges []emission
}

// An emission is what stands where in an emitted file.
type emission struct {
	lo, hi int
	pieces []*piece // the piece whose variant text it is, or all of the guard
	extra  *extra
	// variant is true when it is the text of a piece, not a whole guard.
	variant bool
}

// emit writes the program with the guards in use.
func (c *composition) emit() []emitted {
	var out []emitted
	names := &aliases{c: c}
	for _, f := range c.Files {
		src := c.sources[f.Path]
		var pieces []*piece
		for _, p := range c.pieces {
			if p.src == src {
				pieces = append(pieces, p)
			}
		}
		if len(pieces) == 0 && len(c.extrasOf(src)) == 0 {
			continue
		}
		w := &writer{c: c, src: src, types: names, sites: laminar(sites(pieces))}
		w.ticks = ticks(src, pieces)
		out = append(out, w.file())
	}
	if text := names.file(); text != nil {
		out = append(out, emitted{name: filepath.Join(c.Dir, typesFile), text: text})
	}
	return out
}

// A site is one guarded range of a file with the pieces that may take its
// place.
type site struct {
	guard
	pieces []*piece
}

// sites groups pieces by the guard in use, outer ones first.
func sites(pieces []*piece) []*site {
	var all []*site
	index := map[[3]int]*site{}
	for _, p := range pieces {
		g := p.guards[p.level]
		key := [3]int{g.lo, g.hi, int(g.form)}
		if index[key] == nil {
			index[key] = &site{guard: g}
			all = append(all, index[key])
		}
		index[key].pieces = append(index[key].pieces, p)
	}
	sortSites(all)
	return all
}

func sortSites(all []*site) {
	slices.SortStableFunc(all, func(a, b *site) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi), cmp.Compare(a.form, b.form))
	})
}

// laminar widens runs of statements that overlap each other in part, which
// only runs of one list can do, until each holds the other or is apart.
func laminar(all []*site) []*site {
	for changed := true; changed; {
		changed = false
		for i, a := range all {
			for _, b := range all[i+1:] {
				if a.lo < b.lo && b.lo < a.hi && a.hi < b.hi {
					a.hi, changed = b.hi, true
				}
			}
		}
		sortSites(all)
	}
	return all
}

// ticks are where loops of head's functions with pieces count their rounds.
func ticks(src *source, pieces []*piece) []int {
	seen := map[*ast.FuncDecl]bool{}
	var at []int
	for _, p := range pieces {
		if seen[p.fn] {
			continue
		}
		seen[p.fn] = true
		ast.Inspect(p.fn.Body, func(n ast.Node) bool {
			switch loop := n.(type) {
			case *ast.ForStmt:
				at = append(at, src.off(loop.Body.Lbrace)+1)
			case *ast.RangeStmt:
				at = append(at, src.off(loop.Body.Lbrace)+1)
			}
			return true
		})
	}
	slices.Sort(at)
	return at
}

// A writer writes one file.
type writer struct {
	c      *composition
	src    *source
	types  *aliases
	sites  []*site
	ticks  []int
	out    bytes.Buffer
	ranges []emission
}

func (w *writer) file() emitted {
	// Behind the package clause, so that no line moves.
	name := w.src.off(w.src.ast.Name.End())
	w.out.Write(w.src.Text[:name])
	fmt.Fprintf(&w.out, ";import %s %q", RuntimePath, RuntimePath)
	for _, spec := range w.c.added(w.src) {
		w.out.WriteString(";import ")
		if spec.Name != nil {
			w.out.WriteString(spec.Name.Name + " ")
		}
		w.out.WriteString(spec.Path.Value)
	}
	w.head(name, len(w.src.Text), w.sites)
	fmt.Fprintf(&w.out, "\nvar _ = %s.Tick\n", RuntimePath)
	for _, x := range w.c.extrasOf(w.src) {
		lo := w.out.Len()
		w.out.WriteString("\n" + w.position(x.line, 1))
		w.out.Write(x.text)
		w.ranges = append(w.ranges, emission{lo: lo, hi: w.out.Len(), extra: x})
	}
	return emitted{name: w.src.Name, src: w.src, text: w.out.Bytes(), ranges: w.ranges}
}

// head writes head's bytes [lo,hi) with the given sites, which lie in it.
func (w *writer) head(lo, hi int, sites []*site) {
	for len(sites) > 0 {
		at := sites[0]
		inner := 1
		for inner < len(sites) && sites[inner].lo < at.hi && sites[inner].hi <= at.hi || inner < len(sites) && sites[inner].lo == at.lo && sites[inner].hi == at.hi {
			inner++
		}
		w.plain(lo, at.lo)
		w.site(at, sites[1:inner])
		lo, sites = at.hi, sites[inner:]
	}
	w.plain(lo, hi)
}

// plain writes head's bytes [lo,hi) with the ticks that stand in it.
func (w *writer) plain(lo, hi int) {
	for _, t := range w.ticks {
		if lo < t && t <= hi {
			w.out.Write(w.src.Text[lo:t])
			w.out.WriteString(tick)
			lo = t
		}
	}
	w.out.Write(w.src.Text[lo:hi])
}

func (w *writer) site(at *site, inner []*site) {
	lo := w.out.Len()
	switch at.form {
	case condition:
		w.condition(at, inner)
	case statements, define:
		w.statements(at, inner)
	}
	w.out.WriteString(w.after(at.hi))
	w.ranges = append(w.ranges, emission{lo: lo, hi: w.out.Len(), pieces: at.pieces})
}

func (w *writer) condition(at *site, inner []*site) {
	for _, p := range at.pieces {
		k := strconv.Itoa(p.variant)
		w.out.WriteString("(" + RuntimePath + ".On(" + k + ")&&(")
		w.variant(p, at.guard)
		w.out.WriteString(")||" + RuntimePath + ".Off(" + k + ")&&(")
	}
	w.out.WriteString(w.after(at.lo))
	w.head(at.lo, at.hi, inner)
	for range at.pieces {
		w.out.WriteString("))")
	}
}

func (w *writer) statements(at *site, inner []*site) {
	for _, v := range at.vars {
		w.out.WriteString("var " + v.Name + " " + w.types.name(w.c.info.Defs[v].Type()) + ";")
	}
	for i, p := range at.pieces {
		if i > 0 {
			w.out.WriteString("\n} else ")
		}
		fmt.Fprintf(&w.out, "if %s.On(%d) {", RuntimePath, p.variant)
		w.variant(p, at.guard)
	}
	w.out.WriteString("\n} else {")
	from := at.lo
	if at.form == define {
		w.assign(at.guard)
		from = at.rhs
	}
	w.out.WriteString(w.after(from))
	w.head(from, at.hi, inner)
	w.out.WriteString("\n}")
}

// assign writes the left-hand side of a define guard as an assignment.
func (w *writer) assign(g guard) {
	left := w.src.Text[g.lo:g.rhs]
	i := bytes.LastIndex(left, []byte(":="))
	w.out.Write(left[:i])
	w.out.WriteString("=")
}

// variant writes what a piece puts in the place of a guarded range.
func (w *writer) variant(p *piece, g guard) {
	lo := w.out.Len()
	from := g.lo
	if g.form == define {
		w.assign(g)
		from = g.rhs
	}
	// The edits lie in the range, as they did when the piece was read.
	text, err := p.span(from, g.hi)
	if err != nil {
		p.fault = err.Error()
	}
	_, column := w.src.place(from)
	w.out.WriteString(w.position(p.line(from), column))
	if own, ok := parseStatements(text); ok && g.form == statements {
		text = own.ready(p.variant)
	}
	w.out.Write(text)
	w.ranges = append(w.ranges, emission{lo: lo, hi: w.out.Len(), pieces: []*piece{p}, variant: true})
}

// after is the directive that makes what follows stand where head has it.
func (w *writer) after(off int) string {
	return w.position(w.src.place(off))
}

// at returns the variants on a line.
func (f emitted) at(line int) []int {
	lo := 0
	for range line - 1 {
		lo += bytes.IndexByte(f.text[lo:], '\n') + 1
	}
	hi := lo + bytes.IndexByte(append(f.text[lo:len(f.text):len(f.text)], '\n'), '\n')
	var own, all []int
	for _, e := range f.ranges {
		for _, p := range e.pieces {
			all = append(all, p.variant)
			if len(e.pieces) == 1 && e.lo <= hi && lo < e.hi && e.variant {
				own = append(own, p.variant)
			}
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}

// position is a directive for the byte that follows it. Without a file name it
// keeps the file's own.
func (w *writer) position(line, column int) string {
	if w.c.Bare {
		return ""
	}
	return fmt.Sprintf("/*line :%d:%d*/", line, column)
}

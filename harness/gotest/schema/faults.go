package schema

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
)

// faults checks the program and returns the pieces whose guards do not hold.
// An error that lies in no guard is laid at the door of every piece of its
// function, or of its file.
func (c *composition) faults(out []emitted) []*piece {
	fset := token.NewFileSet()
	byName := map[string]*emitted{}
	for i := range out {
		byName[out[i].name] = &out[i]
	}
	var files []*ast.File
	var bad []*piece
	for _, f := range c.Files {
		at, text := byName[f.Name], f.Text
		if at != nil {
			text = at.text
		}
		parsed, err := parser.ParseFile(fset, f.Name, text, parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			for _, one := range list {
				bad = c.blame(bad, at, one.Pos.Offset, one.Msg)
			}
			continue
		}
		files = append(files, parsed)
	}
	if len(bad) > 0 {
		return bad
	}
	for _, at := range out {
		if at.src == nil {
			// It parses: it is ours.
			parsed, _ := parser.ParseFile(fset, at.name, at.text, parser.SkipObjectResolution)
			files = append(files, parsed)
		}
	}
	_, errs := c.check(fset, files, nil)
	for _, err := range errs {
		tok := fset.File(err.Pos)
		bad = c.blame(bad, byName[tok.Name()], tok.Offset(err.Pos), err.Msg)
	}
	return bad
}

// blame adds the pieces that an error at an offset of an emitted file is about.
func (c *composition) blame(bad []*piece, at *emitted, off int, message string) []*piece {
	if at == nil || at.src == nil {
		return c.accuse(bad, c.pieces, message)
	}
	var best *emission
	for i, e := range at.ranges {
		if e.lo <= off && off < e.hi && (best == nil || e.hi-e.lo < best.hi-best.lo) {
			best = &at.ranges[i]
		}
	}
	switch {
	case best == nil:
		var all []*piece
		for _, e := range at.ranges {
			all = append(all, e.pieces...)
		}
		return c.accuse(bad, all, message)
	case best.extra != nil:
		for _, p := range c.pieces {
			if p.variant == best.extra.variant {
				p.level = len(p.guards) // no other guard would help
				bad = c.accuse(bad, []*piece{p}, message)
			}
		}
		return bad
	}
	return c.accuse(bad, best.pieces, message)
}

func (c *composition) accuse(bad, pieces []*piece, message string) []*piece {
	for _, p := range pieces {
		p.fault = message
		seen := false
		for _, b := range bad {
			seen = seen || b == p
		}
		if !seen {
			bad = append(bad, p)
		}
	}
	return bad
}

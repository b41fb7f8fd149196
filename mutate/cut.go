package mutate

import (
	"bytes"
	"strings"

	"assay/change"
)

// A Section is the lines of one declaration within a file. The sections of a
// file are in order and do not overlap; blank lines and comments between two
// declarations belong to the second.
type Section struct {
	// Key tells the declaration apart from all others of its file; "" for one
	// that cannot be told apart, such as one of several init functions.
	Key         string
	Name        string // as reports name it, such as "func trim"
	First, Last int    // lines, from 1
	// Parts cut the inside of the declaration (specs of a group, members of a
	// class). They are used only for a hunk that touches nothing else of it.
	Parts []Section
}

// Cut sets h.Units: the hunk is cut at the borders of the declarations of both
// sides when that is unambiguous, which is to say when one side is empty or
// the declarations align by key, and when stands says of each piece that it
// can be un-done alone without breaking the syntax. Otherwise the hunk is its
// only unit. The units always tile both sides, in order.
func Cut(h *change.Hunk, old, neu []Section, stands func(*change.Unit) bool) {
	whole := &change.Unit{Hunk: h, Old: h.Old, New: h.New}
	h.Units = []*change.Unit{whole}
	if h.Whole {
		return
	}
	old, neu = narrow(h, old, neu)
	c := cutter{hunk: h, old: pieces(h.File.Old, h.Old, old), neu: pieces(h.File.New, h.New, neu)}
	whole.Name = name(append(append([]piece(nil), c.old...), c.neu...))
	unread := h.Old.Lines > 0 && len(c.old) == 0 || h.New.Lines > 0 && len(c.neu) == 0 // a side that does not parse
	if h.File.Status == change.Deleted || unread || c.ambiguous() {
		return
	}
	units, ok := c.units()
	if !ok || len(units) < 2 {
		return
	}
	for _, u := range units {
		if !stands(u) {
			return
		}
	}
	h.Units = units
}

// narrow descends into the parts of a declaration as long as both sides of the
// hunk lie wholly inside the same one.
func narrow(h *change.Hunk, old, neu []Section) (o, n []Section) {
	for {
		a, aok := around(h.Old, old)
		b, bok := around(h.New, neu)
		switch {
		case h.Old.Lines == 0 && bok:
			old, neu = nil, b.Parts
		case h.New.Lines == 0 && aok:
			old, neu = a.Parts, nil
		case aok && bok && a.Key == b.Key && a.Key != "":
			old, neu = a.Parts, b.Parts
		default:
			return old, neu
		}
	}
}

// around returns the section whose parts hold all lines of the span.
func around(s change.Span, sections []Section) (Section, bool) {
	if s.Lines == 0 {
		return Section{}, false
	}
	for _, sec := range sections {
		n := len(sec.Parts)
		if n > 0 && sec.Parts[0].First <= s.Start && s.End() <= sec.Parts[n-1].Last {
			return sec, true
		}
	}
	return Section{}, false
}

// A piece is the part of one section inside the hunk. A partial one has text
// of its section outside the hunk.
type piece struct {
	key, name   string
	first, last int
	partial     bool
}

func pieces(content []byte, s change.Span, sections []Section) []piece {
	if s.Lines == 0 {
		return nil
	}
	lines := bytes.SplitAfter(content, []byte{'\n'})
	blank := func(from, to int) bool {
		return from > to || len(bytes.TrimSpace(bytes.Join(lines[from-1:min(to, len(lines))], nil))) == 0
	}
	var out []piece
	next := s.Start
	for _, sec := range sections {
		first, last := max(sec.First, s.Start), min(sec.Last, s.End())
		if first > last {
			continue
		}
		p := piece{key: sec.Key, name: sec.Name, first: next, last: last,
			partial: !blank(sec.First, s.Start-1) || !blank(s.End()+1, sec.Last)}
		next = last + 1
		if n := len(out); n > 0 && blank(p.first, p.last) {
			out[n-1].last = p.last
			continue
		}
		out = append(out, p)
	}
	if n := len(out); n > 0 {
		out[n-1].last = s.End()
	}
	if len(out) > 1 && blank(out[0].first, out[0].last) {
		out[1].first = out[0].first
		out = out[1:]
	}
	return out
}

func name(ps []piece) string {
	var names []string
	seen := map[string]bool{}
	for _, p := range ps {
		if p.name != "" && !seen[p.name] {
			seen[p.name] = true
			names = append(names, p.name)
		}
	}
	if len(names) > 3 {
		names = append(names[:3], "…")
	}
	return strings.Join(names, ", ")
}

type cutter struct {
	hunk     *change.Hunk
	old, neu []piece
}

// ambiguous reports that no cut of the hunk can be trusted: git could have
// shown the same edit some lines up or down, so that a partial declaration at
// its edge may not be what was edited; or a missing final line end would glue
// two lines together.
func (c cutter) ambiguous() bool {
	h := c.hunk
	if touchesUnendedLine(h.File.Old, h.Old) || touchesUnendedLine(h.File.New, h.New) {
		return true
	}
	switch {
	case h.Old.Lines == 0:
		return anyPartial(c.neu) && slides(h.File.New, h.New)
	case h.New.Lines == 0:
		return anyPartial(c.old) && slides(h.File.Old, h.Old)
	}
	return false
}

func anyPartial(ps []piece) bool {
	for _, p := range ps {
		if p.partial {
			return true
		}
	}
	return false
}

func touchesUnendedLine(content []byte, s change.Span) bool {
	return len(content) > 0 && content[len(content)-1] != '\n' && s.End() >= change.CountLines(content)
}

// slides reports that a pure addition or deletion reads the same one line
// further up or down.
func slides(content []byte, s change.Span) bool {
	line := func(n int) []byte { return change.Span{Start: n, Lines: 1}.Of(content) }
	down := s.End() < change.CountLines(content) && bytes.Equal(line(s.Start), line(s.End()+1))
	up := s.Start > 1 && bytes.Equal(line(s.End()), line(s.Start-1))
	return down || up
}

// units aligns the pieces of both sides by key. Between two aligned pieces,
// pieces of one side alone become units of their own; when both sides have
// some, they may be each other's replacement and stay together. ok is false
// when the aligned pieces are not in the same order on both sides.
func (c cutter) units() (units []*change.Unit, ok bool) {
	at := map[string]int{}
	for j, p := range c.neu {
		if p.key != "" {
			at[p.key] = j
		}
	}
	oldAt, newAt := edge(c.hunk.Old), edge(c.hunk.New)
	emit := func(old, neu []piece) {
		u := &change.Unit{Hunk: c.hunk, Name: name(append(append([]piece(nil), old...), neu...))}
		u.Old, oldAt = span(old, oldAt)
		u.New, newAt = span(neu, newAt)
		units = append(units, u)
	}
	gap := func(old, neu []piece) {
		if len(old) > 0 && len(neu) > 0 {
			emit(old, neu)
			return
		}
		for _, p := range old {
			emit([]piece{p}, nil)
		}
		for _, p := range neu {
			emit(nil, []piece{p})
		}
	}
	i0, j0 := 0, 0
	for i, p := range c.old {
		j, common := at[p.key]
		if p.key == "" || !common {
			continue
		}
		if j < j0 {
			return nil, false
		}
		gap(c.old[i0:i], c.neu[j0:j])
		emit(c.old[i:i+1], c.neu[j:j+1])
		i0, j0 = i+1, j+1
	}
	gap(c.old[i0:], c.neu[j0:])
	return units, true
}

// edge is the line before the first line of the span.
func edge(s change.Span) int {
	if s.Lines == 0 {
		return s.Start
	}
	return s.Start - 1
}

// span is the lines of consecutive pieces, or the empty span after line at.
func span(ps []piece, at int) (change.Span, int) {
	if len(ps) == 0 {
		return change.Span{Start: at}, at
	}
	last := ps[len(ps)-1].last
	return change.Span{Start: ps[0].first, Lines: last - ps[0].first + 1}, last
}

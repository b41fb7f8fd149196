package gosrc

import (
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strings"
)

// A lineKey is one line of code as its tokens, in one directory.
type lineKey struct{ dir, tokens string }

// movedLines pairs members that share a line: one takes it away, another adds
// it. Un-doing one of them alone would lose or double the line, so that they
// are un-done together. Only a line that is taken away once in the whole change
// and says enough to be known again counts; where it is added more than once,
// each addition needs its source, which needs none of them.
func movedLines(members []*member) map[*member][]*member {
	gone, come := map[lineKey][]*member{}, map[lineKey][]*member{}
	for _, m := range members {
		old, neu := codeLines(m.old), codeLines(m.unit.NewText())
		dir := path.Dir(m.file.Path)
		for _, l := range without(old, neu) {
			gone[lineKey{dir, l}] = append(gone[lineKey{dir, l}], m)
		}
		for _, l := range without(neu, old) {
			come[lineKey{dir, l}] = append(come[lineKey{dir, l}], m)
		}
	}
	out := map[*member][]*member{}
	link := func(a, b *member) {
		if a != b && !slices.Contains(out[a], b) {
			out[a] = append(out[a], b)
		}
	}
	for key, from := range gone {
		to := come[key]
		if len(from) != 1 {
			continue
		}
		for _, m := range to {
			link(m, from[0])
		}
		if len(to) == 1 {
			link(from[0], to[0])
		}
	}
	return out
}

// cameFrom reports that a line which the member adds is taken away elsewhere in
// the change, however often either happens: the member may hold moved text.
func cameFrom(m *member, members []*member) bool {
	come := without(codeLines(m.unit.NewText()), codeLines(m.old))
	for _, v := range members {
		if v == m || path.Dir(v.file.Path) != path.Dir(m.file.Path) {
			continue
		}
		for _, l := range without(codeLines(v.old), codeLines(v.unit.NewText())) {
			if slices.Contains(come, l) {
				return true
			}
		}
	}
	return false
}

// without is a minus b, as multisets.
func without(a, b []string) []string {
	left := slices.Clone(b)
	var out []string
	for _, l := range a {
		if i := slices.Index(left, l); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		out = append(out, l)
	}
	return out
}

// codeLines are the lines that say enough to be recognised elsewhere: at least
// four tokens, and a name that is not that of every other line.
func codeLines(text []byte) []string {
	var out []string
	for line := range strings.Lines(string(text)) {
		toks := lineTokens([]byte(line))
		named := false
		for _, t := range toks {
			named = named || t.kind == token.IDENT && !everyday[t.lit]
		}
		if len(toks) >= 4 && named {
			out = append(out, joinTokens(toks))
		}
	}
	return out
}

// everyday names stand on so many lines that they tell nothing.
var everyday = map[string]bool{"nil": true, "err": true, "true": true, "false": true, "ok": true, "i": true, "_": true, "error": true, "string": true, "int": true}

func joinTokens(toks []tok) string {
	var b strings.Builder
	for _, t := range toks {
		b.WriteString(t.text() + " ")
	}
	return b.String()
}

// lineTokens scans text that need not be a whole file; what is no token is
// left out, as are semicolons.
func lineTokens(text []byte) []tok {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, func(token.Position, string) {}, 0)
	var out []tok
	for {
		pos, kind, lit := s.Scan()
		if kind == token.EOF {
			return out
		}
		if kind != token.SEMICOLON {
			out = append(out, tok{kind: kind, lit: lit, start: file.Offset(pos)})
		}
	}
}

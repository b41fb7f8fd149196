package mutate

import (
	"slices"
	"strings"
	"unicode"

	"assay/change"
)

// UsedBy sets n.Users when the unit belongs to a test file: the declarations of
// the file that mention what the unit declares, directly or through others.
// Mention is by word, so a name used for two things is taken for both.
func (n *Note) UsedBy(u *change.Unit, head []Section) {
	if u.Hunk.File.Kind != change.Test {
		return
	}
	names := map[string]bool{}
	for _, name := range append([]string{n.Declaration}, n.Defines...) {
		if name != "" {
			names[lastName(name)] = true
		}
	}
	leaves := leavesOf(head)
	for again := len(names) > 0; again; {
		again = false
		for _, s := range leaves {
			declared := declaredBy(s)
			span := change.Span{Start: s.First, Lines: s.Last - s.First + 1}
			if declared == "" || slices.Contains(n.Users, declared) || !mentions(string(span.Of(u.Hunk.File.New)), names) {
				continue
			}
			n.Users = append(n.Users, declared)
			names[lastName(declared)], again = true, true
		}
	}
}

func leavesOf(sections []Section) []Section {
	var out []Section
	for _, s := range sections {
		if len(s.Parts) > 0 {
			out = append(out, leavesOf(s.Parts)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// declaredBy is the declaration's name without what kind of one it is: a
// section is named "func trim" or "def Lexer.trim".
func declaredBy(s Section) string {
	_, name, _ := strings.Cut(s.Name, " ")
	if strings.ContainsAny(name, " ,") {
		return ""
	}
	return name
}

func mentions(text string, names map[string]bool) bool {
	word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !word(r) }), func(w string) bool { return names[w] })
}

func lastName(name string) string { return name[strings.LastIndexAny(name, "./#")+1:] }

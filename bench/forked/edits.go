package main

import (
	"math/rand"
	"regexp"

	"assay/change"
)

// A rewrite is one small change of a line's text.
type rewrite struct {
	find    *regexp.Regexp
	replace string
}

// rewrites are changes that keep most lines meaningful; what does not compile
// is left to the fresh process, which is a fair try as well.
func rewrites() []rewrite {
	var all []rewrite
	for _, r := range [][2]string{
		{` == `, ` != `}, {` != `, ` == `}, {` < `, ` >= `}, {` > `, ` <= `}, {` \+ `, ` - `}, {` - `, ` + `}, {` \* `, ` + `},
		{` and `, ` or `}, {` or `, ` and `}, {` is not `, ` is `}, {` not in `, ` in `}, {`\bnot `, ``}, {`\bTrue\b`, `False`},
		{`\bFalse\b`, `True`}, {`return .+`, `return None`}, {`\b0\b`, `1`}, {`\b1\b`, `2`}, {`\braise .+`, `pass`}, {`^(\s+)return `, "$1\n$1return "},
	} {
		all = append(all, rewrite{regexp.MustCompile(r[0]), r[1]})
	}
	return all
}

// indented is a line inside something: a function, most likely.
var indented = regexp.MustCompile(`(?m)^(?: {4}|\t).*\S.*$`)

// editsOf are all the small changes of the indented lines of a text, shuffled.
func editsOf(path string, text []byte, random *rand.Rand) []change.Edit {
	var all []change.Edit
	for _, line := range indented.FindAllIndex(text, -1) {
		for _, r := range rewrites() {
			at := r.find.FindIndex(text[line[0]:line[1]])
			if at == nil {
				continue
			}
			start, end := line[0]+at[0], line[0]+at[1]
			with := r.find.ReplaceAll(text[start:end], []byte(r.replace))
			all = append(all, change.Edit{Path: path, Start: start, End: end, Text: with})
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

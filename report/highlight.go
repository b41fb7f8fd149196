package report

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// mostHighlighted is how many lines of one text are highlighted: colouring ten
// thousand lines of a generated table takes longer than reading them.
const mostHighlighted = 2000

// A painter colours lines; it remembers the lexer of each file, as finding one
// takes longer than colouring a hunk.
type painter map[string]chroma.Lexer

// highlight gives for each line of text the runs of its tokens: a letter for
// the class and the length in UTF-16 units, which is how a browser counts, such
// as "k4_1f3". A line without anything to colour has "". The language is that
// of the file's name; nil when it is unknown or there are too many lines.
func (p painter) highlight(file string, lines []string) []string {
	lexer, known := p[file]
	if !known {
		lexer = lexers.Match(file)
		p[file] = lexer
	}
	if lexer == nil || len(lines) > mostHighlighted {
		return nil
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, strings.Join(lines, "\n")+"\n")
	if err != nil {
		return nil // colour is a courtesy
	}
	runs := make([]string, len(lines))
	for i, line := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		if i < len(runs) {
			runs[i] = runsOf(line)
		}
	}
	return runs
}

func runsOf(line []chroma.Token) string {
	var out []byte
	coloured := false
	for _, token := range line {
		value := strings.TrimSuffix(token.Value, "\n")
		if value == "" {
			continue
		}
		class := classOf(token.Type)
		coloured = coloured || class != '_'
		out = append(out, class)
		out = strconv.AppendInt(out, int64(len(utf16.Encode([]rune(value)))), 10)
	}
	if !coloured {
		return ""
	}
	return string(out)
}

// classOf is the letter by which the page colours a token.
func classOf(t chroma.TokenType) byte {
	switch {
	case t == chroma.KeywordType, t == chroma.NameClass:
		return 't'
	case t.InCategory(chroma.Keyword):
		return 'k'
	case t.InCategory(chroma.Comment):
		return 'c'
	case t.InSubCategory(chroma.LiteralString):
		return 's'
	case t.InSubCategory(chroma.LiteralNumber):
		return 'm'
	case t == chroma.NameFunction, t == chroma.NameFunctionMagic:
		return 'f'
	case t == chroma.NameBuiltin, t == chroma.NameBuiltinPseudo, t == chroma.NameDecorator, t == chroma.NameConstant:
		return 'b'
	}
	return '_'
}

package typed

import (
	"cmp"
	"go/scanner"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A finding is one thing that is wrong with one version of some files.
type finding struct {
	file     *file
	offset   int
	end      int
	code     Code
	message  string
	name     string
	receiver string
	selector bool
	soft     bool
	related  []mark
}

// A mark is a place in one version of a file.
type mark struct {
	file   *file
	offset int
}

// A collector gathers what the type checker reports.
type collector struct {
	files []*file
	found []finding
}

func (c *collector) fset() *token.FileSet { return c.files[0].fset }

// add records one error of go/types. Those that begin with a tab continue the
// one before them: another declaration, a step of a cycle.
func (c *collector) add(err error) {
	e, ok := err.(types.Error) //nolint:errorlint // types.Config.Error is documented to pass this very type
	if !ok {
		c.found = append(c.found, finding{file: c.files[0], code: Other, message: err.Error()})
		return
	}
	at := c.mark(e.Pos)
	if strings.HasPrefix(e.Msg, "\t") && len(c.found) > 0 {
		last := &c.found[len(c.found)-1]
		last.related = append(last.related, at)
		return
	}
	f := finding{file: at.file, offset: at.offset, end: at.offset, code: codeOf(e), message: e.Msg, soft: e.Soft}
	if _, end := spanOf(e); at.file.holds(token.Pos(end)) {
		f.end = max(at.offset, at.file.offset(token.Pos(end)))
	}
	f.describe()
	c.found = append(c.found, f)
}

// mark finds the file of a position. One without a position stands at the
// start of the first file.
func (c *collector) mark(pos token.Pos) mark {
	for _, f := range c.files {
		if f.holds(pos) {
			return mark{f, f.offset(pos)}
		}
	}
	return mark{c.files[0], 0}
}

func (c *collector) sorted() []finding {
	slices.SortStableFunc(c.found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.file.path, b.file.path), cmp.Compare(a.offset, b.offset))
	})
	return c.found
}

func syntaxFindings(f *file) []finding {
	var out []finding
	f.errs.Sort()
	seen := map[int]bool{}
	for _, e := range f.errs {
		if !seen[e.Pos.Line] { // the first of a line; the others follow from it
			seen[e.Pos.Line] = true
			out = append(out, syntaxFinding(f, e))
		}
	}
	return out
}

func syntaxFinding(f *file, e *scanner.Error) finding {
	at := min(e.Pos.Offset, len(f.src))
	return finding{file: f, offset: at, end: at, code: SyntaxError, message: e.Msg}
}

// The texts of go/types that name what an error is about, beside its place.
var (
	memberText = regexp.MustCompile(`\(type (.+?) has no (?:field or method|field|method) (\w+)`)
	fieldText  = regexp.MustCompile(`unknown field (\w+) in struct literal of type (\S+)`)
	methodText = regexp.MustCompile(`(\S+) does not implement \S+ \((?:missing method |wrong type for method |method )(\w+)`)
	callText   = regexp.MustCompile(`in call to (?:.*\.)?(\w+)`)
)

// describe fills in name, receiver and selector, and tells missing methods and
// import cycles from their neighbours.
func (f *finding) describe() {
	f.name = identAt(f.file.src, f.offset)
	f.selector = f.offset > 0 && f.file.src[f.offset-1] == '.'
	match := func(re *regexp.Regexp) []string { return re.FindStringSubmatch(f.message) }
	switch f.code {
	case UnknownMember:
		f.selector = true
		if m := match(memberText); m != nil {
			f.receiver, f.name = strings.TrimPrefix(m[1], "*"), m[2]
		}
	case UnknownField:
		if m := match(fieldText); m != nil {
			f.name, f.receiver = m[1], m[2]
		}
	case ImportNotFound, UnusedImport:
		f.name, f.selector = importAt(f.file, f.offset), false
		if strings.Contains(f.message, errCycle.Error()) {
			f.code = ImportCycle
		}
	case TypeMismatch, AssignMismatch, NotCallable, Other:
		f.name, f.selector = chainAt(f.file.src, f.offset)
	case ArgMismatch:
		if m := match(callText); m != nil {
			f.name = m[1]
		}
	}
	if m := match(methodText); m != nil {
		f.code, f.receiver, f.name = MissingMethod, strings.TrimPrefix(m[1], "*"), m[2]
	}
}

// identAt returns the identifier that starts at the offset, or "".
func identAt(src []byte, offset int) string {
	end := offset
	for end < len(src) && isWord(src[end]) {
		end++
	}
	if name := string(src[offset:end]); token.IsIdentifier(name) {
		return name
	}
	return ""
}

// chainAt returns the last name of the selector expression that starts at the
// offset, and whether it is selected from something.
func chainAt(src []byte, offset int) (name string, selector bool) {
	name = identAt(src, offset)
	for name != "" {
		dot := offset + len(name)
		if dot+1 >= len(src) || src[dot] != '.' {
			return name, selector
		}
		next := identAt(src, dot+1)
		if next == "" {
			return name, selector
		}
		name, selector, offset = next, true, dot+1
	}
	return "", false
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// importAt returns the import path of the import declaration at the offset.
func importAt(f *file, offset int) string {
	for _, spec := range f.parse().Imports {
		if f.offset(spec.Pos()) <= offset && offset <= f.offset(spec.End()) {
			return strings.Trim(spec.Path.Value, "`\"")
		}
	}
	return ""
}

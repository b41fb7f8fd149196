package gotest_test

// A rewrite is a variant as a test writes it: text that occurs once, and what
// takes its place.
type rewrite struct {
	name     string
	path     string
	old, new []string
	left     bool   // it is to be left to the disk
	red      string // the tests that are red with it, without "ex/v."
	moves    bool   // it moves the lines of what follows: TestWhere is on the disk's side only
}

func once(name, red, old, text string) rewrite {
	return rewrite{name: name, red: red, path: "v/v.go", old: []string{old}, new: []string{text}}
}

func left(name, old, text string) rewrite {
	r := once(name, "", old, text)
	r.left = true
	return r
}

func (r rewrite) moving() rewrite {
	r.moves = true
	return r
}

// rewrites is one of each thing that can go wrong in a binary of many variants.
func rewrites() []rewrite {
	return []rewrite{
		once("condition", "TestCond", "a < b && b != 3", "a < b || b == 3"),
		once("condition of another", "TestCond", "b != 3", "b >= 3"),
		once("condition called off", "TestCond", "a%2 == 1", "false"),
		once("named result", "TestCond", "less = true", "less = false"),
		once("statements gone", "TestCond", "\tif a%2 == 1 {\n\t\terr = errOdd\n\t}\n", "").moving(),
		once("bare return", "TestCond", "\t\terr = errOdd\n\t}\n\treturn\n", "\t\terr = errOdd\n\t}\n\treturn less, nil\n"),
		once("label copied", "", "i := 0; i < n; i++ {\n\t\tfor", "i := 1; i < n; i++ {\n\t\tfor"),
		once("label from inside", "TestLabels", "continue outer", "break outer"),
		once("body with a label", "TestLabels", "sum := 0\nouter:", "sum := 1\nouter:"),
		once("defer gone", "TestDefers", "err = fmt.Errorf(\"recovered: %v\", r)", "err = nil"),
		once("recover gone", "TestDefers", "r := recover(); r != nil", "r := any(nil); r != nil"),
		once("division", "TestDefers", "10 / n", "20 / n"),
		once("shadowed type", "TestShadow", "item{n: n}", "item{n: n + 1}"),
		once("declared together", "TestShadow", "n, extra := next*2, item", "n, extra := next*3, item"),
		once("first of two declared", "TestShadow", "next := item.n + 1", "next := item.n - 1"),
		once("generic function", "TestMax", "if b > best", "if b < best"),
		once("generic declaration", "TestMax", "best := a\n", "best := b\n"),
		once("generic method", "TestStack", "return len(s.all)", "return cap(s.all) + 7"),
		once("closure", "TestClosure", "n * 2", "n * 3"),
		once("increment in a closure", "TestClosure", "n++\n\t\treturn", "n--\n\t\treturn"),
		once("case without tag", "TestSwitch", "n == 0, n == 100", "n == 0, n == 101"),
		once("case with tag", "TestSwitch", "case 2:", "case 5:"),
		once("before a fallthrough", "TestSwitch", "out += \"one\"", "out += \"uno\""),
		once("fallthrough gone", "TestSwitch", "\t\tfallthrough\n", "").moving(),
		once("goto", "TestGoto", "if i < n {", "if i <= n {"),
		once("at a label", "TestGoto", "i++\n\tif i", "i += 2\n\tif i"),
		once("lines move", "TestWhere", "_, file, line, ok :=", "\n\n_, file, line, ok :="),
		once("loop without end", "TestLoop", "n--\n\t}\n\treturn total", "\n\t}\n\treturn total"),
		once("select", "TestPass", "n = n + 1\n\tdefault", "n = n + 2\n\tdefault"),
		once("at a comment", "TestCommented", "n + 1 // one more", "n + 2 // two more"),
		once("comment only", "", "// one more", "// another"),
		once("panic", "TestBoom", "n == 13", "n == 1"),
		once("planted panic", "TestHelped user.TestTwice", "func Helped(n int) int {\n", "func Helped(n int) int {\n\tpanic(\"planted\")\n"),
		once("planted return", "FuzzHelped TestHelped user.TestTwice", "func Helped(n int) int {\n", "func Helped(n int) int {\n\treturn 0\n"),
		once("in init", "TestLookup", "seen = 7", "seen = 8"),
		once("two declarations", "FuzzHelped TestHelped user.TestTwice", "func helper(n int) int { return n + 1 }", "func helper(n int) int { return older(n) }\n\nfunc older(n int) int { return n + 5 }"),
		{name: "a helper gone", red: "FuzzHelped TestHelped user.TestTwice", path: "v/v.go", old: []string{"func helper(n int) int { return n + 1 }\n", "return helper(n) * 2"}, new: []string{"", "return n * 2"}},
		{name: "an import more", red: "TestText", moves: true, path: "v/v.go", old: []string{"\t\"strings\"\n)", "return strings.ToUpper(s)"}, new: []string{"\t\"strings\"\n\t\"unicode\"\n)", "return string(unicode.ToUpper(rune(s[0])) + 1)"}},
		{name: "an example", red: "ExamplePrinted", path: "v/w.go", old: []string{"return \"printed\""}, new: []string{"return \"other\""}},
		once("condition that is no boolean", "TestTyped", "if n > 5 {", "if n > 5 && n != 9 {"),
		left("an interface of another type", "err := check(n)", "err := (*strings.Reader)(nil)"),
		left("unused variable", "return n + extra.n", "return n"),
		left("unused import", "return errOdd\n", "return nothing\n"),
		left("missing return", "\treturn helper(n) * 2\n", ""),
		left("a type", "type item struct{ n int }", "type item struct{ n int64 }"),
		left("a signature", "func check(n int) error", "func check(n int64) error"),
		left("a variable at the top", "\"a\": 1,", "\"a\": 3,"),
		left("a helper gone that is used", "func helper(n int) int { return n + 1 }\n", ""),
		left("unbalanced", "less = true\n\t}", "less = true\n\t}\n}\n\nfunc Other() {{\n\t"),
		left("compiler only", "return n + extra.n", "var huge [1 << 51]byte\n\t_ = huge[n]\n\treturn n + extra.n"),
	}
}

package harness

// A RedKind is the classified nature of a failure. The rules are those of
// VERDICTS.md and facts/python.md section 5; whether a red is evidence is
// decided in package prove, which also knows the names the change touches.
type RedKind string

// The kinds of red.
const (
	RedAssertion RedKind = "assertion" // assert, t.Error/t.Fatal, pytest.fail, DID NOT RAISE
	RedError     RedKind = "error"     // any other exception (Python)
	RedPanic     RedKind = "panic"     // a Go panic or runtime error
	RedHang      RedKind = "hang"      // the limit passed while this test ran
	RedName      RedKind = "name"      // NameError, UnboundLocalError; Symbol names it
	RedAttribute RedKind = "attribute" // AttributeError; Symbol names it
	RedImport    RedKind = "import"    // ImportError, ModuleNotFoundError; Symbol names it
	RedArguments RedKind = "arguments" // TypeError about a call's arguments; Symbol is the callee
	RedSyntax    RedKind = "syntax"    // SyntaxError
	RedExit      RedKind = "exit"      // the process ended inside the test
	// RedCommand: a command without structured results failed; its text
	// decides nothing.
	RedCommand RedKind = "command"
)

// A Red is the classified failure of one test.
type Red struct {
	Kind    RedKind
	Phase   string // "setup", "call" or "teardown"; Go: "call"
	Symbol  string // the name Kind speaks of, if any
	Keyword string // the argument a RedArguments is about, if any
	Type    string // exception type or "panic", as the language spells it
	Message string // first lines of the failure, at most 1 KiB
	// Frames are the places the failure passed through, innermost first,
	// only those inside the tree.
	Frames []Frame
}

// A Frame is one place inside the tree.
type Frame struct {
	Path string // slash-separated, relative to the tree
	Line int
	Func string
}

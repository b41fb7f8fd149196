package harness

// Namer is implemented by sessions that can name the tests of a declaration.
type Namer interface {
	// Named returns the IDs under which the tests of a declaration of a test
	// file run, whatever their outcome at head: "TestTrim" in toml/lex_test.go,
	// "TestLexer.test_trim" in tests/test_lex.py. It is empty for a
	// declaration that is no test.
	Named(path, declaration string) []TestID
}

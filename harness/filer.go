package harness

// Filer is implemented by sessions that can name the tests of a test file.
type Filer interface {
	// InFile returns the tests that a file of tests can have a say in,
	// whatever their outcome at head: those written in it (pytest), those of
	// its package where a file has no tests of its own (Go). It is empty for a
	// file that holds none.
	InFile(path string) []TestID
}

package main

// A testCase is a commit of a public repository that edits a few tests and
// nothing else.
type testCase struct {
	repo   string // name of its clone
	commit string
	pkg    string   // Go: the package of the tests; "" for Python
	path   string   // Python: where the code lies
	tests  []string // Go: names; Python: node ids
}

func cases() []testCase {
	return []testCase{
		{repo: "mux", commit: "e1863a64f3", pkg: ".",
			tests: []string{"TestNoMatchMethodErrorHandler", "TestMethodNotAllowed", "TestSubrouterNotFound"}},
		{repo: "chi", commit: "73350509aa", pkg: "./middleware",
			tests: []string{"TestStripSlashes", "TestStripSlashesInRoute", "TestRedirectSlashes"}},
		{repo: "marshmallow", commit: "5ca13eb9c9", path: "src", tests: []string{
			"tests/test_deserialization.py::TestFieldDeserialization::test_custom_date_format_datetime_field_deserialization",
			"tests/test_deserialization.py::TestFieldDeserialization::test_rfc_datetime_field_deserialization",
			"tests/test_deserialization.py::TestFieldDeserialization::test_iso_datetime_field_deserialization"}},
		{repo: "sqlparse", commit: "2679ae8a7f",
			tests: []string{"tests/test_parse.py::test_double_precision_is_builtin", "tests/test_parse.py::test_sqlite_identifiers", "tests/test_parse.py::test_simple_1d_array_index"}},
	}
}

// Package report renders a prove.Report. It judges nothing and counts nothing
// that the report does not already say; a renderer is a function from a Report
// to bytes, in one file of its own.
//
// The table is for people: it fits the width it is given, never relies on
// colour, and passes nothing on from test output that a terminal or a CI log
// would obey (escape sequences, workflow commands). JSON is for programs: its
// names are those of docs/report.schema.json, lists are never null and the
// order is that of the change.
//
// This is the only package that imports tablewriter.
package report

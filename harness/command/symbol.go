package command

import (
	"regexp"
	"strings"

	"assay/harness"
)

// A symbolRule reads the name that a loader, interpreter or runtime did not
// find out of its message. Its last group that matched is the name.
type symbolRule struct {
	kind    harness.RedKind
	message *regexp.Regexp
}

// symbolRules are the messages of VERDICTS.md, PROVEN 3 (a missing name is no
// proof), as the common languages word them.
//
//nolint:gochecknoglobals // a table that is only read; its patterns are compiled once
var symbolRules = []symbolRule{
	// JavaScript
	{harness.RedName, regexp.MustCompile(`ReferenceError(?: \[\w+\])?: (?:Cannot access '([\w$]+)' before initialization|([\w$]+) is not defined)`)},
	{harness.RedAttribute, regexp.MustCompile(`TypeError(?: \[\w+\])?: .*?([\w$]+) is not a (?:function|constructor)`)},
	{harness.RedImport, regexp.MustCompile(`SyntaxError(?: \[\w+\])?: .*does not provide an export named '([^']+)'`)},
	{harness.RedImport, regexp.MustCompile(`(?:Cannot find (?:module|package)|Could not resolve) ['"]([^'"]+)['"]`)},
	// JavaScript in reports that take the message out of its exception (TAP)
	{harness.RedName, regexp.MustCompile(`(?:^|[\s'"])([\w$]+) is not defined`)},
	{harness.RedAttribute, regexp.MustCompile(`(?:^|[\s'".])([\w$]+) is not a (?:function|constructor)\b`)},
	// Python
	{harness.RedName, regexp.MustCompile(`(?:NameError|UnboundLocalError): .*?'(\w+)'`)},
	{harness.RedImport, regexp.MustCompile(`ImportError: cannot import name '(\w+)'`)},
	{harness.RedImport, regexp.MustCompile(`ModuleNotFoundError: No module named '([\w.]+)'`)},
	{harness.RedAttribute, regexp.MustCompile(`AttributeError: .* has no attribute '(\w+)'`)},
	{harness.RedArguments, regexp.MustCompile(`TypeError: (?:[\w.]+\.)?(\w+)\(\) (?:got an unexpected keyword|got multiple values|missing \d+|takes )`)},
	// Ruby
	{harness.RedAttribute, regexp.MustCompile("undefined (?:local variable or )?method [`'](\\w+[?!=]?)'")},
	{harness.RedName, regexp.MustCompile("undefined local variable or method [`'](\\w+)'|uninitialized constant ([\\w:]+)")},
	{harness.RedImport, regexp.MustCompile(`cannot load such file -- (\S+)`)},
	// PHP
	{harness.RedName, regexp.MustCompile(`Call to undefined (?:function|method) (?:[\w\\]+::)?([\w\\]+)\(`)},
	{harness.RedName, regexp.MustCompile(`(?:Class|Interface|Trait|Enum) "([^"]+)" not found|Undefined constant "([^"]+)"`)},
	// the Java machine
	{harness.RedAttribute, regexp.MustCompile(`NoSuch(?:Method|Field)(?:Error|Exception): .*?(\w+)(?:\(|'|$)`)},
	{harness.RedImport, regexp.MustCompile(`(?:NoClassDefFoundError|ClassNotFoundException): ([\w/.$]+)`)},
	// Elixir, Lua, Perl
	{harness.RedName, regexp.MustCompile(`function (?:[\w.]+\.)?(\w+[?!]?)/\d+ is undefined|undefined function (\w+[?!]?)/\d+`)},
	{harness.RedName, regexp.MustCompile(`attempt to call (?:a nil value \()?(?:global|field|method|local) '(\w+)'`)},
	{harness.RedName, regexp.MustCompile(`Undefined subroutine &(?:\w+::)*(\w+)|Can't locate object method "(\w+)"`)},
	// shells
	{harness.RedName, regexp.MustCompile(`(?:^|: )([\w.+-]+): (?:command )?not found`)},
}

// missingSymbol reads the first name that a line says is missing.
func missingSymbol(line string) (kind harness.RedKind, symbol string) {
	for _, rule := range symbolRules {
		m := rule.message.FindStringSubmatch(line)
		for i := len(m) - 1; i > 0; i-- {
			if m[i] != "" {
				return rule.kind, m[i]
			}
		}
	}
	return "", ""
}

// exception matches the first line of a thrown exception and what follows it.
// A bare "Error" says nothing and does not match.
var exception = regexp.MustCompile(`(?:[\w.\\]+[.\\])?\b([A-Z]\w*(?:Error|Exception|Failure|Failed))\b`)

// wraps reports whether runners use an exception to wrap the real one.
func wraps(class string) bool { return class == "AggregateError" || class == "TestFailure" }

// exceptionIn classifies a failure by the first exception its text names, or
// by a missing name when it names none. kind is "" when the text decides
// nothing.
func exceptionIn(text string) (kind harness.RedKind, class, symbol string) {
	for line := range strings.Lines(text) {
		for _, at := range exception.FindAllStringSubmatchIndex(line, -1) {
			if class := line[at[2]:at[3]]; !wraps(class) {
				kind, symbol := exceptionKind(class, line[at[0]:])
				return kind, class, symbol
			}
		}
		if kind, symbol := missingSymbol(line); kind != "" {
			return kind, "", symbol
		}
	}
	return "", "", ""
}

// exceptionKind judges an exception by its class and the text after it.
func exceptionKind(class, text string) (harness.RedKind, string) {
	if strings.Contains(class, "Assert") || strings.Contains(class, "Expectation") || class == "ComparisonFailure" {
		return harness.RedAssertion, ""
	}
	if kind, symbol := missingSymbol(text); kind != "" {
		return kind, symbol
	}
	switch class {
	case "SyntaxError", "IndentationError", "TabError", "ParseError":
		if strings.Contains(text, "JSON") { // JSON.parse at run time
			return harness.RedError, ""
		}
		return harness.RedSyntax, ""
	}
	return harness.RedError, ""
}

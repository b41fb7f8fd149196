package pysrc

import (
	"slices"

	"assay/mutate"
)

// Operators lists the operators of Python, the most telling first. Each is the
// file of its name in helper/operators, and has an archive in testdata/ops. A
// name that Go's operators have too stands for the same alteration.
func Operators() []mutate.Operator {
	return []mutate.Operator{
		{Name: "raise-removed", Doc: "a raise does nothing"},
		{Name: "except-narrowed", Doc: "a handler catches one exception less, or none"},
		{Name: "except-widened", Doc: "a handler catches every Exception"},
		{Name: "check-skipped", Doc: "a comparison with None or of len with 0 never holds"},
		{Name: "conditionals-negation", Doc: "a comparison or a condition becomes its opposite: == and !=, < and >=, > and <=, is and is not, x and not x"},
		{Name: "conditionals-boundary", Doc: "< and <=, > and >= change places"},
		{Name: "membership", Doc: "in and not in change places"},
		{Name: "identity", Doc: "is and ==, is not and != change places, but for constants"},
		{Name: "logical-connectors", Doc: "and and or change places"},
		{Name: "returns-none", Doc: "what is returned, yielded or the worth of a lambda becomes None"},
		{Name: "branch-emptied", Doc: "the body of an if, case or handler, or an else, does nothing"},
		{Name: "call-removed", Doc: "a call whose result nobody uses is not made"},
		{Name: "statement-removed", Doc: "an assignment that leaves its target another value, a del or a yield does nothing"},
		{Name: "await-removed", Doc: "what is awaited is not"},
		{Name: "context-removed", Doc: "a with statement enters and leaves nothing"},
		{Name: "finally-emptied", Doc: "what a try does in the end is not done"},
		{Name: "decorator-removed", Doc: "a function or class is not decorated"},
		{Name: "case-removed", Doc: "a case of a match never holds"},
		{Name: "loop-emptied", Doc: "a loop is left before its body is run"},
		{Name: "loop-control", Doc: "break and continue change places"},
		{Name: "comprehension-condition", Doc: "the condition of a comprehension always holds"},
		{Name: "arithmetic", Doc: "+ and -, * and / change places, // becomes /, % and ** become *"},
		{Name: "assignment", Doc: "+= and -=, *= and /= and so on change places, += of a text or list becomes ="},
		{Name: "bitwise", Doc: "& and |, << and >> change places, ^ becomes &"},
		{Name: "unary", Doc: "a sign, a ~ or a not is left out"},
		{Name: "slice-bounds", Doc: "a slice loses a bound or its step"},
		{Name: "default-argument", Doc: "a parameter has another default: None, 0 for None, the other truth value"},
		{Name: "keyword-dropped", Doc: "a call is made without one of its keyword arguments"},
		{Name: "item-dropped", Doc: "a list, set or dict has one item less"},
		{Name: "number-changed", Doc: "a number becomes the next one"},
		{Name: "boolean-flipped", Doc: "True and False change places"},
		{Name: "string-changed", Doc: "a string or f-string becomes empty, an empty one does not stay so"},
	}
}

// named are the names of the operators that are asked for, in order of
// Operators; all when none is named.
func named(asked []string) []string {
	names := []string{}
	for _, o := range Operators() {
		if len(asked) == 0 || slices.Contains(asked, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
}

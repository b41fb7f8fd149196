// Package ops holds the mutation operators of Go, one a file. An operator
// looks at one node of a type-checked file and proposes byte-exact
// replacements; nothing is ever printed anew. What it proposes is meant to
// compile, and package gosrc type checks each proposal before it is a mutant.
//
// A new operator is a file with its Operator, a line in table, and an archive
// in testdata.
package ops

import (
	"fmt"
	"go/ast"
	"slices"

	"assay/mutate"
	"assay/mutate/gosrc/typed"
)

// An operator is a mutate.Operator with what it does at one node.
type operator struct {
	mutate.Operator
	at func(*Site)
}

// table lists the operators, the most telling first.
func table() []operator {
	return []operator{
		errorSwallowed, checkSkipped, conditionalsNegation, conditionalsBoundary, logicalConnectors,
		returnsZero, returnsError, branchEmptied, callRemoved, statementRemoved, caseRemoved, defaultRemoved,
		loopEmptied, loopControl, arithmetic, assignment, increment, bitwise, unary, sliceBounds,
		fieldDropped, deferRemoved, goRemoved, lockRemoved, numberChanged, booleanFlipped, stringChanged,
	}
}

// All lists the operators in order of table.
func All() []mutate.Operator {
	var all []mutate.Operator
	for _, o := range table() {
		all = append(all, o.Operator)
	}
	return all
}

// Propose returns what the operators of the given names (all when there are
// none) propose for a file, in order of the text. Two proposals with the same
// outcome are one.
func Propose(file *typed.Syntax, names []string) []Proposal {
	s := &Site{file: file}
	var picked []operator
	for _, o := range table() {
		if len(names) == 0 || slices.Contains(names, o.Name) {
			picked = append(picked, o)
		}
	}
	ast.PreorderStack(file.File, nil, func(n ast.Node, stack []ast.Node) bool {
		s.stack = append(slices.Clone(stack), n)
		for _, o := range picked {
			s.by = o.Name
			o.at(s)
		}
		return !isImport(n)
	})
	return distinct(s.found)
}

// isImport reports whether below a node there is nothing to alter.
func isImport(n ast.Node) bool {
	_, ok := n.(*ast.ImportSpec)
	return ok
}

// distinct orders proposals by text and drops those that were made before.
func distinct(all []Proposal) []Proposal {
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(p Proposal) bool {
		key := fmt.Sprint(p.Choices[0])
		again := seen[key]
		seen[key] = true
		return again
	})
	slices.SortStableFunc(all, func(a, b Proposal) int { return a.Start - b.Start })
	return all
}

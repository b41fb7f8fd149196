// Package schema writes one Go program that holds many variants of itself.
//
// A variant is a set of byte-exact edits of head. Compose embeds each behind a
// guard, `zzassay.On(k)`, so that one build of the package serves every trial:
// the variant in force is read from the environment when the process starts.
// The names and the runtime that the guards call are in runtime.go.
//
// # Phases
//
// Compose checks head by go/types; cuts each variant into pieces, one for each
// function that it edits; checks every piece as a copy of its function beside
// head's declarations, exactly as a compiler would see it on disk, so that what
// does not build on disk (an unused variable, an unused import) is not made to
// build here; and guards each piece at the smallest place that is sound: a
// boolean condition, a run of statements, a short variable declaration whose
// variables are declared before it, or the whole body. The program is checked
// again, and pieces whose guard does not hold are guarded further out.
//
// # What is sound
//
// A guard copies whole statements or whole conditions and adds no function
// literal, so that the order of evaluation, recover and runtime.Caller see what
// they saw. Statements that declare are guarded together with all that follows
// in their block. Labels of a copy are renamed. Positions are put back by line
// directives: a panic names the line it would name on disk.
//
// # Limits
//
// Variants that change declarations other than bodies of functions, imports and
// plain functions without users are left out, and so are packages with cgo and
// files with line directives of their own. Result.Left says why, variant by
// variant; none of that is an error.
package schema

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"assay/change"
)

// A File is one Go file of a package at head.
type File struct {
	Path string // slash-separated, relative to the tree: what edits name
	Name string // where the file is on disk
	Text []byte
	Test bool // a _test.go file
}

// A Package is head's side of one package together with its own test files,
// those of the external test package excepted.
type Package struct {
	ImportPath string
	Rel        string // its directory, slash-separated, relative to the tree
	Dir        string // the same on disk
	Files      []File
	GoVersion  string // such as "go1.21", of its module; "" for the newest
	Importer   types.Importer
	Sizes      types.Sizes
	// Bare leaves out the line directives, so that the positions of a compiler
	// are those of the program; see Result.At.
	Bare bool
}

// A Result is a composed package.
type Result struct {
	Files map[string][]byte // by File.Name, and one more file for types
	Left  map[int]string    // variants that are not in it, and why

	out []emitted
}

// At returns the variants whose text stands on a line of a file of a bare
// program: those of the innermost guards, or of the whole file when the line
// lies in none.
func (r Result) At(name string, line int) []int {
	var found []int
	for _, f := range r.out {
		if f.name == name {
			found = append(found, f.at(line)...)
		}
	}
	return found
}

// maxRounds bounds how often guards that do not hold are moved outward.
const maxRounds = 12

// Compose embeds the variants, numbered from 1, in the package. Edits of files
// that are not of the package are not looked at. It fails when head itself
// cannot be read or checked.
func Compose(p Package, variants map[int][]change.Edit) (Result, error) {
	h, err := readHead(p)
	if err != nil {
		return Result{}, err
	}
	c := &composition{head: h, uses: h.readUses(), of: map[int][]*piece{}, left: map[int]string{}, imports: map[place]map[string]string{}, gone: map[int]map[string]bool{},
		used: map[place]map[string]bool{}, calls: map[int]map[string]bool{}, fresh: map[*source]map[string]string{}}
	for _, k := range slices.Sorted(maps.Keys(variants)) {
		if why := c.add(k, variants[k]); why != "" {
			c.leave(k, why)
		}
	}
	c.checkCopies()
	for n := range maxRounds {
		result, settled := c.round(n >= maxRounds/2)
		if settled {
			return result, nil
		}
	}
	return Result{}, fmt.Errorf("embed %d variants in %s: guards still do not hold after %d rounds", len(variants), p.ImportPath, maxRounds)
}

// A composition is the state of one Compose.
type composition struct {
	*head
	uses   uses
	pieces []*piece
	of     map[int][]*piece // by variant, those left out included
	extras []*extra
	left   map[int]string

	imports map[place]map[string]string   // of a variant's file, when they are not head's: path to name
	gone    map[int]map[string]bool       // functions that a variant does without
	used    map[place]map[string]bool     // import paths that the pieces of a variant use
	calls   map[int]map[string]bool       // names of the package that they use
	fresh   map[*source]map[string]string // imports that only variants have: path to name
}

// A place is one file of one variant.
type place struct {
	variant int
	src     *source
}

// leave takes a variant out, with all its pieces.
func (c *composition) leave(k int, why string) {
	if _, gone := c.left[k]; !gone {
		c.left[k] = why
	}
	c.pieces = slices.DeleteFunc(c.pieces, func(p *piece) bool { return p.variant == k })
	c.extras = slices.DeleteFunc(c.extras, func(x *extra) bool { return x.variant == k })
}

// round emits the program, checks it, and moves the guards outward that do not
// hold, or with last takes their variants out. settled is true when all hold.
func (c *composition) round(last bool) (Result, bool) {
	out := c.emit()
	bad := c.faults(out)
	if len(bad) == 0 {
		files := map[string][]byte{}
		for _, f := range out {
			files[f.name] = f.text
		}
		return Result{Files: files, Left: c.left, out: out}, true
	}
	for _, p := range bad {
		if p.level++; last || p.level >= len(p.guards) {
			c.leave(p.variant, "no guard holds it: "+p.fault)
		}
	}
	return Result{}, false
}

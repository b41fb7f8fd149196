package typed

import (
	"go/types"
	"reflect"
)

// A Code is the kind of a Problem.
type Code string

// The codes that the undo ladder tells apart. Every other refusal of go/types
// is Other; its Message says what it is.
const (
	SyntaxError     Code = "syntax"
	ModuleFile      Code = "module-file"      // an edit of go.mod, go.work, go.sum or vendor/
	ImportNotFound  Code = "import-not-found" // no such package, or it cannot be imported
	ImportCycle     Code = "import-cycle"
	PackageName     Code = "package-name"   // package clauses disagree
	Undefined       Code = "undefined"      // a plain or qualified name that nothing declares
	UnknownMember   Code = "unknown-member" // x.f where the type of x has no field or method f
	UnknownField    Code = "unknown-field"  // T{f: v} where T has no field f
	UnusedImport    Code = "unused-import"
	UnusedVar       Code = "unused-var"
	UnusedLabel     Code = "unused-label"
	Redeclared      Code = "redeclared"
	NoNewVar        Code = "no-new-var" // := with nothing new on its left side
	MissingReturn   Code = "missing-return"
	AssignMismatch  Code = "assign-mismatch" // counts of values differ
	ReturnMismatch  Code = "return-mismatch" // counts of results differ
	ArgMismatch     Code = "arg-mismatch"    // counts of arguments differ
	TypeMismatch    Code = "type-mismatch"
	MissingMethod   Code = "missing-method" // a type does not implement an interface
	DuplicateCase   Code = "duplicate-case"
	DuplicateKey    Code = "duplicate-key" // in a composite literal
	NotCallable     Code = "not-callable"
	NotAType        Code = "not-a-type"
	InitCycle       Code = "init-cycle"
	TypeCycle       Code = "type-cycle"
	UndefinedLabel  Code = "undefined-label"
	LanguageVersion Code = "language-version"
	Other           Code = "other"
)

// codeOf maps go/types' own numbers, internal/types/errors/codes.go, which
// are never given a new meaning. They are read from an unexported field for
// want of an exported one: https://go.dev/issue/54511 would end that.
func codeOf(e types.Error) Code {
	field := reflect.ValueOf(e).FieldByName("go116code")
	if !field.IsValid() || !field.CanInt() {
		return Other
	}
	switch field.Int() {
	case 3:
		return PackageName
	case 5, 6:
		return ImportNotFound
	case 8:
		return UnusedImport
	case 9:
		return InitCycle
	case 10, 33, 34, 35, 120:
		return Redeclared
	case 11, 12, 140:
		return TypeCycle
	case 17:
		return AssignMismatch
	case 19:
		return NoNewVar
	case 21:
		return MissingMethod
	case 22, 23, 45, 46, 95, 96, 97, 138, 139:
		return TypeMismatch
	case 25:
		return NotAType
	case 60, 67:
		return DuplicateKey
	case 66, 69:
		return UnknownField
	case 73, 74, 75:
		return Undefined
	case 76:
		return UnknownMember
	case 101:
		return UnusedVar
	case 102:
		return MissingReturn
	case 103:
		return ReturnMismatch
	case 113, 114:
		return DuplicateCase
	case 119:
		return UndefinedLabel
	case 122:
		return UnusedLabel
	case 126, 137:
		return ArgMismatch
	case 127:
		return NotCallable
	case 135, 151:
		return LanguageVersion
	}
	return Other
}

// spanOf returns the source range the error is about, which go/types keeps
// beside the position it reports.
func spanOf(e types.Error) (start, end int64) {
	v := reflect.ValueOf(e)
	from, to := v.FieldByName("go116start"), v.FieldByName("go116end")
	if !from.IsValid() || !to.IsValid() || !from.CanInt() || !to.CanInt() {
		return int64(e.Pos), int64(e.Pos)
	}
	return from.Int(), to.Int()
}

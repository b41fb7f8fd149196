package change

// A Status says how a file differs between base and head.
type Status int

// The ways in which a file can differ.
const (
	Modified Status = iota
	Added
	Deleted
	Renamed // OldPath differs from Path; the content may differ as well
)

func (s Status) String() string {
	switch s {
	case Added:
		return "added"
	case Deleted:
		return "deleted"
	case Renamed:
		return "renamed"
	default:
		return "modified"
	}
}

// A Form says what git holds under a path. Only Text can be un-done hunk by
// hunk; every other form is one whole-file Hunk.
type Form int

// The forms of a file.
const (
	Text      Form = iota
	Binary         // git diff says "Binary files differ"
	Symlink        // mode 120000
	Submodule      // mode 160000
	LFS            // a Git LFS pointer file
)

func (f Form) String() string {
	switch f {
	case Binary:
		return "binary"
	case Symlink:
		return "symlink"
	case Submodule:
		return "submodule"
	case LFS:
		return "LFS pointer"
	default:
		return "text"
	}
}

// A File is one path that differs.
type File struct {
	Path    string // slash-separated, relative to the repository; the base path when Deleted
	OldPath string // base path; equal to Path unless Renamed; "" when Added
	Status  Status
	Form    Form
	OldMode uint32 // git mode (0o100644, 0o100755, 0o120000, 0o160000); 0 when absent
	NewMode uint32
	Old     []byte // content at base; nil when absent or not Text
	New     []byte // content at head; nil when absent or not Text

	Kind     Kind
	KindWhy  string // the rule or glob that gave the Kind, for --explain
	Language string // name of the language that owns the path; "" when none does

	Hunks []*Hunk // at least one, so that no file is missing from a report
}

package worktree

import (
	"context"
	"errors"
	"fmt"
)

// What can be wrong with the user's repository, the revisions they named or
// the place for throwaway trees. Errors of this package match these with
// errors.Is; their text is one sentence saying what was tried, on what, and
// what to do next.
var (
	ErrNoGit           = errors.New("git not found")
	ErrNotRepository   = errors.New("not a git repository")
	ErrBare            = errors.New("bare repository")
	ErrUnborn          = errors.New("no commit yet")
	ErrUnsafe          = errors.New("repository owned by somebody else")
	ErrUnknownRevision = errors.New("unknown revision")
	ErrShallow         = errors.New("history cut off")
	ErrDefaultBranch   = errors.New("nothing beyond the default branch")
	ErrNoBase          = errors.New("no base")
	ErrCache           = errors.New("no place for throwaway trees")
	ErrUnsupported     = errors.New("unsupported file")
	ErrNotHead         = errors.New("tree does not hold head")
)

// An Error is a trouble the user can do something about.
type Error struct {
	Kind error  // one of the Err variables above
	Text string // what was tried, on what, what to do next
	Err  error  // the cause, or nil
}

func (e *Error) Error() string { return e.Text }

// Unwrap gives errors.Is and errors.As the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// trouble makes an Error, unless ctx ended: then whatever failed, failed for
// that reason.
func trouble(ctx context.Context, kind, cause error, format string, args ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &Error{Kind: kind, Text: fmt.Sprintf(format, args...), Err: cause}
}

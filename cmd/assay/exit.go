package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"assay/prove"
	"assay/worktree"
)

// Exit codes; they are part of the interface and documented in doc.go.
const (
	exitOK           = 0   // nothing to object to
	exitNotProven    = 1   // something is NOT_PROVEN, or late
	exitUsage        = 2   // usage, configuration, or a repository that cannot be read
	exitInconclusive = 3   // the only objections are INCONCLUSIVE
	exitBaseline     = 4   // no test is green at head, so nothing could be proven
	exitInternal     = 70  // a fault of assay's own
	exitInterrupted  = 130 // SIGINT or SIGTERM
	exitPipe         = 141 // nobody reads standard output any more, as of a process that SIGPIPE ended
)

// A userError is a fault that the user can mend: its text says what was tried,
// on what, and what to do next. It ends the program with exitUsage.
type userError struct{ error }

func (e userError) Unwrap() error { return e.error }

// mistakef makes a userError.
func mistakef(format string, args ...any) error { return userError{fmt.Errorf(format, args...)} }

// A codeError ends the program with a code and, when it has one, a message.
type codeError struct {
	code int
	text string
}

func (e codeError) Error() string { return e.text }

// codeOf gives the exit code of what a command returned.
func codeOf(err error) int {
	var code codeError
	var user userError
	var repo *worktree.Error
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return code.code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, syscall.EPIPE) && ofStandardOutput(err):
		return exitPipe
	case errors.As(err, &user), errors.As(err, &repo), ofStandardOutput(err), noRoom(err):
		return exitUsage
	default:
		return exitInternal
	}
}

// textOf is what standard error says of err; "" when the report has said it.
func textOf(err error) string {
	switch codeOf(err) {
	case exitInterrupted:
		return "assay: interrupted; everything it had started is gone"
	case exitPipe:
		return ""
	case exitInternal:
		return "assay: internal fault: " + err.Error()
	}
	switch {
	case err == nil || err.Error() == "":
		return ""
	case ofStandardOutput(err):
		return fmt.Sprintf("assay: the report could not be written to standard output (%v); send it where there is room, or save it with --out FILE", err)
	case noRoom(err):
		return fmt.Sprintf("assay: %v; make room there, or name another directory with ASSAY_CACHE_DIR (trees) or TMPDIR", err)
	}
	return "assay: " + err.Error()
}

// ofStandardOutput reports whether writing to standard output is what failed.
func ofStandardOutput(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Path == os.Stdout.Name()
}

// noRoom reports whether a disk filled up in the middle of the work, be it
// that our own write or the project's tools found out.
func noRoom(err error) bool {
	var user userError
	if errors.As(err, &user) {
		return false // it has said so in its own words
	}
	return errors.Is(err, prove.ErrDiskFull) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// objections are the words that --fail-on takes.
var objections = [...]string{"not_proven", "inconclusive", "baseline_red", "claim", "none"}

// defaultFailOn is what a report is objected to for when nothing is said.
const defaultFailOn = "not_proven,inconclusive,baseline_red"

// checkFailOn refuses words that --fail-on does not know; where names the place
// they stand in.
func checkFailOn(where string, words []string) error {
	for _, w := range words {
		if !slices.Contains(objections[:], w) {
			return mistakef("%s does not know %q; it takes a list of %s", where, w, strings.Join(objections[:], ", "))
		}
	}
	return nil
}

// verdictCode is the exit code of a report: the gravest objection that failOn
// lists. What an earlier report had already is no objection.
func verdictCode(r *prove.Report, failOn []string) int {
	on := func(word string) bool { return slices.Contains(failOn, word) }
	counts := r.Counts
	if r.Compared != nil {
		counts = r.Fresh()
	}
	switch {
	case on("none"):
		return exitOK
	case on("not_proven") && counts.NotProven > 0:
		return exitNotProven
	case on("claim") && r.Unnoticed():
		return exitNotProven
	case on("baseline_red") && nothingServed(r, counts):
		return exitBaseline
	case on("inconclusive") && counts.Inconclusive > 0, on("baseline_red") && counts.BaselineRed > 0:
		return exitInconclusive
	default:
		return exitOK
	}
}

// claimCode is the exit code of a claim.
func claimCode(r *prove.Report) int {
	switch r.Claim.Verdict {
	case prove.ClaimConfirmed:
		return exitOK
	case prove.ClaimRefuted:
		return exitNotProven
	}
	return exitInconclusive
}

// nothingServed reports whether hunks wanted proof and no test was green at
// head to give it.
func nothingServed(r *prove.Report, c prove.Counts) bool {
	if c.Proven+c.NotProven > 0 || c.Inconclusive+c.BaselineRed == 0 {
		return false
	}
	for _, l := range r.Baseline.Languages {
		if l.Green > 0 {
			return false
		}
	}
	return len(r.Baseline.Languages) > 0
}

// Package change holds the nouns of a change: what differs between a base and
// a head, cut into files, hunks and units, and the one currency in which
// anything is un-done or altered, the Edit.
//
// The package reads nothing and starts nothing: no git, no process, no disk.
// Package worktree fills a Change; the others read it. A Change is not
// modified once classification has set the Kind of each File, and may then be
// shared between goroutines.
package change

// A Change is everything that differs between two revisions of a repository.
type Change struct {
	Base, Head Revision
	Repo       string  // base name of the repository, for reports
	Files      []*File // ordered as git diff orders them
}

// A Revision names one side of a change.
type Revision struct {
	Commit string // full object id of the commit
	Name   string // what the user typed, or what it was resolved from
	// Uncommitted is true for a head that is a snapshot of the working tree;
	// Commit is then the id of the commit the working tree is based on.
	Uncommitted bool
}

// Hunks returns every hunk of the change in report order.
func (c *Change) Hunks() []*Hunk {
	var all []*Hunk
	for _, f := range c.Files {
		all = append(all, f.Hunks...)
	}
	return all
}

// Hunk returns the hunk with the given ID, or nil.
func (c *Change) Hunk(id string) *Hunk {
	for _, f := range c.Files {
		for _, h := range f.Hunks {
			if h.ID == id {
				return h
			}
		}
	}
	return nil
}

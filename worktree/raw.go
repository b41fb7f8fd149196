package worktree

import (
	"fmt"
	"strconv"
	"strings"
)

// Modes of entries of a git tree.
const (
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeSymlink    = 0o120000
	modeSubmodule  = 0o160000
)

// An entry is one line of `git diff --raw`.
type entry struct {
	oldMode, newMode uint32
	oldID, newID     string
	status           byte // A, D, M, R or T
	path, oldPath    string
	section          section
}

// parseRaw reads the output of `git diff-tree --raw -z`.
func parseRaw(out []byte) ([]*entry, error) {
	var entries []*entry
	fields := records(out)
	for len(fields) > 0 {
		e, paths, err := parseMeta(fields[0])
		if err != nil {
			return nil, err
		}
		if len(fields) < 1+paths {
			return nil, fmt.Errorf("git diff --raw ends within the record %q", fields[0])
		}
		e.oldPath, e.path = fields[1], fields[paths]
		fields = fields[1+paths:]
		entries = append(entries, e)
	}
	return entries, nil
}

// parseMeta reads ":100644 100755 <id> <id> R86"; paths is how many follow.
func parseMeta(meta string) (e *entry, paths int, err error) {
	words := strings.Fields(strings.TrimPrefix(meta, ":"))
	if len(words) != 5 || meta[0] != ':' {
		return nil, 0, fmt.Errorf("git diff --raw has a record %q", meta)
	}
	oldMode, err := strconv.ParseUint(words[0], 8, 32)
	if err != nil {
		return nil, 0, fmt.Errorf("git diff --raw has a record %q: %w", meta, err)
	}
	newMode, err := strconv.ParseUint(words[1], 8, 32)
	if err != nil {
		return nil, 0, fmt.Errorf("git diff --raw has a record %q: %w", meta, err)
	}
	e = &entry{oldMode: uint32(oldMode), newMode: uint32(newMode), oldID: words[2], newID: words[3], status: words[4][0]}
	switch e.status {
	case 'A', 'D', 'M', 'T':
		return e, 1, nil
	case 'R':
		return e, 2, nil
	}
	return nil, 0, fmt.Errorf("git diff --raw has the status %q, which assay does not know", words[4])
}

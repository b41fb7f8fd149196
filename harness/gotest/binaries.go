package gotest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"assay/change"
)

// keptEdits is how many sets of edits keep their binaries per directory beside
// head's: a proof goes between an undo, its control and its partners.
const keptEdits = 4

// binaries keeps the test binaries of a session on disk. It is safe for
// concurrent use.
type binaries struct {
	root string
	mu   sync.Mutex
	dirs map[string][]*shelf // by directory of the tree, most recently used last
}

// A shelf holds the binaries of one directory with one set of edits.
type shelf struct {
	key  string // of the edits; "" for head
	path string
	mu   sync.Mutex // held while building
	have built
}

func newBinaries(root string) *binaries {
	return &binaries{root: root, dirs: map[string][]*shelf{}}
}

// binariesFor returns the binaries of suites for dir with edits on disk, building
// those it does not have.
func (s *session) binariesFor(ctx context.Context, dir string, edits []change.Edit, scratch string, suites []*suite) (built, error) {
	at, err := s.kept.shelf(dir, editsKey(edits))
	if err != nil {
		return built{}, err
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	var missing []*suite
	for _, one := range suites {
		_, have := at.have.binaries[one]
		_, failed := at.have.failed[one]
		if !have && !failed {
			missing = append(missing, one)
		}
	}
	if len(missing) == 0 {
		return at.have, nil
	}
	fresh, err := s.build(ctx, dir, at.path, scratch, missing)
	if err != nil {
		return built{}, err
	}
	at.have = at.have.with(fresh)
	return at.have, nil
}

// with returns a new built that holds both, since others may read the old one.
func (b built) with(more built) built {
	all := built{binaries: map[*suite]string{}, failed: map[*suite]failure{}}
	for _, from := range []built{b, more} {
		for at, path := range from.binaries {
			all.binaries[at] = path
		}
		for at, why := range from.failed {
			all.failed[at] = why
		}
	}
	return all
}

// shelf returns the shelf of dir with the edits of key, and takes the oldest
// one away when there are too many. No run uses that one: a directory is used
// by one run at a time.
func (b *binaries) shelf(dir, key string) (*shelf, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	shelves := b.dirs[dir]
	for i, at := range shelves {
		if at.key == key {
			b.dirs[dir] = append(append(shelves[:i:i], shelves[i+1:]...), at)
			return at, nil
		}
	}
	name := sha256.Sum256([]byte(dir + "\x00" + key))
	at := &shelf{key: key, path: filepath.Join(b.root, hex.EncodeToString(name[:8]))}
	if err := os.MkdirAll(at.path, 0o755); err != nil {
		return nil, fmt.Errorf("make room for test binaries: %w", err)
	}
	shelves = append(shelves, at)
	shelves, err := dropOldest(shelves)
	b.dirs[dir] = shelves
	return at, err
}

// dropOldest removes the least recently used shelf, never head's, when there
// are more than are kept.
func dropOldest(shelves []*shelf) ([]*shelf, error) {
	edited := 0
	for _, at := range shelves {
		if at.key != "" {
			edited++
		}
	}
	if edited <= keptEdits {
		return shelves, nil
	}
	for i, at := range shelves {
		if at.key != "" {
			rest := append(shelves[:i:i], shelves[i+1:]...)
			if err := os.RemoveAll(at.path); err != nil {
				return rest, fmt.Errorf("remove old test binaries: %w", err)
			}
			return rest, nil
		}
	}
	return shelves, nil
}

// editsKey identifies a set of edits; "" is no edits.
func editsKey(edits []change.Edit) string {
	if len(edits) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, e := range edits {
		// A hash never fails to write.
		_, _ = fmt.Fprintf(sum, "%q %d %d %d %o %d:", e.Path, e.Op, e.Start, e.End, e.Mode, len(e.Text))
		_, _ = sum.Write(e.Text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

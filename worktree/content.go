package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// contents reads blobs by object id: with go-git, and from git itself those
// that go-git does not find.
func (r *Repo) contents(ctx context.Context, g git, ids []string) (map[string][]byte, error) {
	read := map[string][]byte{}
	var missing []string
	for _, id := range ids {
		if _, done := read[id]; done {
			continue
		}
		content, found, err := r.blob(id)
		if err != nil {
			return nil, err
		}
		if !found {
			missing = append(missing, id)
			continue
		}
		read[id] = content
	}
	return read, catFile(ctx, g, missing, read)
}

// blob reads one blob with go-git; not found is no error.
func (r *Repo) blob(id string) (content []byte, found bool, err error) {
	r.mu.Lock() // go-git's object storage is not safe for concurrent use
	defer r.mu.Unlock()
	if r.blobs == nil {
		return nil, false, nil
	}
	b, err := r.blobs.BlobObject(plumbing.NewHash(id))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read blob %s: %w", id, err)
	}
	reader, err := b.Reader()
	if err != nil {
		return nil, false, fmt.Errorf("read blob %s: %w", id, err)
	}
	content, err = io.ReadAll(reader)
	return content, err == nil, errors.Join(err, reader.Close())
}

// catFile reads blobs with one `git cat-file --batch` into read.
func catFile(ctx context.Context, g git, ids []string, read map[string][]byte) error {
	if len(ids) == 0 {
		return nil
	}
	out, err := g.run(ctx, []byte(strings.Join(ids, "\n")+"\n"), "cat-file", "--batch")
	if err != nil {
		return err
	}
	for len(out) > 0 {
		line, rest := cutLine(out)
		words := strings.Fields(string(line)) // <id> blob <size>
		if len(words) != 3 || words[1] != "blob" {
			return fmt.Errorf("git cat-file says %q", line)
		}
		size, err := strconv.Atoi(words[2])
		if err != nil || size+1 > len(rest) {
			return fmt.Errorf("git cat-file ends within %q", line)
		}
		read[words[0]] = bytes.Clone(rest[:size])
		out = rest[size+1:]
	}
	return nil
}

package gotest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"assay/change"
)

// A coverage is which blocks of one package the covering tests execute at head.
type coverage struct {
	mu       sync.Mutex // held while it is measured
	measured bool
	complete bool // every covering suite came to its end
	blocks   []block
}

// A block is one line of a coverage profile.
type block struct {
	file        string // import path and base name
	first, last int    // lines
	hit         bool
}

// Reached answers for the package that the file belongs to, by one build of
// the covering test binaries with -cover and one run of each, at the first
// call for that package. Only files compiled into the package proper are known.
func (s *session) Reached(ctx context.Context, dir, file string, lines change.Span) (hit, known bool, err error) {
	p, ok := s.compiledInto(file)
	if !ok {
		return false, false, nil
	}
	value, _ := s.reached.LoadOrStore(p.dir, &coverage{})
	c := value.(*coverage)
	if err := s.measure(ctx, dir, p, c); err != nil {
		return false, false, err
	}
	first, last := lines.Start, lines.End()
	if lines.Lines == 0 {
		last++ // between two lines: what stands on either side
	}
	name := p.importPath + "/" + path.Base(file)
	for _, b := range c.blocks {
		if b.file == name && b.first <= last && b.last >= first {
			known = true
			hit = hit || b.hit
		}
	}
	return hit, known && (hit || c.complete), nil
}

// compiledInto returns the package that the file is a part of.
func (s *session) compiledInto(file string) (pkg, bool) {
	for _, p := range s.graph.parts[file] {
		if p.role == compiled {
			return s.graph.pkgs[p.dir], true
		}
	}
	return pkg{}, false
}

// measure fills c once.
func (s *session) measure(ctx context.Context, dir string, p pkg, c *coverage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.measured {
		return nil
	}
	scratch, err := os.MkdirTemp(s.opts.Scratch, "cover")
	if err != nil {
		return fmt.Errorf("make room for a coverage run: %w", err)
	}
	suites := s.graph.holding(p.dir)
	have, err := s.build(ctx, dir, scratch, scratch, suites, "-cover", "-coverpkg="+p.importPath)
	if err != nil {
		return err
	}
	c.complete = true
	for _, at := range suites {
		binary, ok := have.binaries[at]
		if !ok || at.broken != "" {
			continue // its tests are not used
		}
		blocks, err := s.profile(ctx, dir, scratch, at, binary)
		if err != nil {
			return err
		}
		c.complete = c.complete && blocks != nil
		c.blocks = append(c.blocks, blocks...)
	}
	c.measured = true
	return os.RemoveAll(scratch)
}

// profile runs one suite with coverage; nil blocks mean that it wrote none.
func (s *session) profile(ctx context.Context, dir, scratch string, at *suite, binary string) ([]block, error) {
	skip, ok := matching(at.head.excluded())
	if !ok {
		return nil, nil
	}
	out := filepath.Join(scratch, "profile")
	_, err := s.exec(ctx, execution{suite: at, binary: binary, dir: dir, scratch: scratch, run: at.only, skip: skip,
		limit: s.limit([]*suite{at}), flags: []string{"-test.coverprofile=" + out}})
	if err != nil {
		return nil, err
	}
	f, err := os.Open(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a coverage profile: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	blocks, err := parseProfile(f)
	return blocks, errors.Join(err, os.Remove(out))
}

// profileLine matches "ex/a/a.go:3.24,5.2 1 1": file, first line and column,
// last line and column, statements, count.
var profileLine = regexp.MustCompile(`^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$`)

// parseProfile reads a text profile of cmd/cover. Lines that are none of it
// (the mode) are passed over.
func parseProfile(r io.Reader) ([]block, error) {
	blocks := []block{}
	for in := bufio.NewScanner(r); ; {
		if !in.Scan() {
			return blocks, in.Err()
		}
		m := profileLine.FindStringSubmatch(in.Text())
		if m == nil {
			continue
		}
		first, errFirst := strconv.Atoi(m[2])
		last, errLast := strconv.Atoi(m[3])
		if err := errors.Join(errFirst, errLast); err != nil {
			return nil, fmt.Errorf("read a coverage profile: %w", err)
		}
		blocks = append(blocks, block{file: m[1], first: first, last: last, hit: m[4] != "0"})
	}
}

package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// reportSize is the largest report that is read, in bytes.
const reportSize = 64 << 20

// Reports are the JUnit files of one tree. Everything goes through an os.Root:
// a link that leads out of the tree (a shared build directory) is neither read
// nor removed.
type reports struct {
	root  *os.Root
	tree  tree
	globs []string
}

func openReports(dir string, globs []string) (*reports, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the tree for the test command: %w", err)
	}
	return &reports{root, newTree(dir), globs}, nil
}

func (r *reports) close() error { return r.root.Close() }

// clear removes the reports of earlier runs and returns their paths. Files
// that match a glob and hold no testcase (a pom.xml) stay.
func (r *reports) clear() ([]string, error) {
	paths, err := r.find()
	if err != nil {
		return nil, err
	}
	var removed []string
	for _, path := range paths {
		data, err := r.load(path)
		if err != nil {
			return nil, err
		}
		if !looksLikeJUnit(data) {
			continue
		}
		if err := r.root.Remove(filepath.FromSlash(path)); err != nil {
			return nil, fmt.Errorf("removing the report of an earlier run: %w", err)
		}
		removed = append(removed, path)
	}
	return removed, nil
}

// read returns the testcases of the reports written since began, those of
// equal ID merged. Files with older times were copied from somewhere and say
// nothing of this run.
func (r *reports) read(began time.Time) ([]testcase, error) {
	paths, err := r.find()
	if err != nil {
		return nil, err
	}
	var all []testcase
	for _, path := range paths {
		info, err := r.root.Stat(filepath.FromSlash(path))
		if err != nil {
			return nil, fmt.Errorf("the report %s cannot be read: %w", path, err)
		}
		// Some file systems keep whole seconds only.
		if info.ModTime().Before(began.Truncate(time.Second)) {
			continue
		}
		data, err := r.load(path)
		if err != nil {
			return nil, err
		}
		if !looksLikeJUnit(data) {
			continue
		}
		cases, err := readJUnit(bytes.NewReader(data), r.tree)
		if err != nil {
			return nil, fmt.Errorf("the report %s cannot be read: %w", path, err)
		}
		all = append(all, cases...)
	}
	return merge(all), nil
}

// find returns the regular files that match, sorted, each once.
func (r *reports) find() ([]string, error) {
	var paths []string
	for _, glob := range r.globs {
		found, err := doublestar.Glob(r.root.FS(), filepath.ToSlash(filepath.Clean(glob)), doublestar.WithNoFollow())
		if err != nil {
			return nil, fmt.Errorf("looking for reports that match %q: %w", glob, err)
		}
		for _, path := range found {
			if info, err := r.root.Lstat(filepath.FromSlash(path)); err == nil && info.Mode().IsRegular() {
				paths = append(paths, path)
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("looking at the report %s: %w", path, err)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

func (r *reports) load(path string) ([]byte, error) {
	f, err := r.root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, fmt.Errorf("opening the report %s: %w", path, err)
	}
	data, err := io.ReadAll(io.LimitReader(f, reportSize+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("reading the report %s: %w", path, err)
	}
	if len(data) > reportSize {
		return nil, fmt.Errorf("the report %s is larger than %d MiB; split it or narrow the junit globs", path, reportSize>>20)
	}
	return data, nil
}

// looksLikeJUnit tells reports, whole or cut short, from other XML that a wide
// glob matches.
func looksLikeJUnit(data []byte) bool {
	return bytes.Contains(data, []byte("<testsuite")) || bytes.Contains(data, []byte("<testcase"))
}

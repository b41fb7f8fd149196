package command

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A tree is a directory and the ways in which its path is printed: as given,
// with links resolved, and as a file URL.
type tree struct {
	dir       string
	spellings []string // each with its last slash; longer ones that hold shorter ones first
}

// newTree returns the tree in dir; that of "" has no path and no files.
func newTree(dir string) tree {
	t := tree{dir: dir}
	if dir == "" {
		return t
	}
	for _, d := range []string{realPath(dir), dir} {
		slashed := filepath.ToSlash(d)
		escaped := (&url.URL{Path: slashed}).EscapedPath()
		t.spellings = append(t.spellings, "file://"+escaped+"/", "file://"+slashed+"/", slashed+"/", d+string(filepath.Separator))
	}
	return t
}

// mark puts sign in place of the tree's path in a text.
func (t tree) mark(text, sign string) string {
	for _, spelling := range t.spellings {
		text = strings.ReplaceAll(text, spelling, sign)
	}
	return text
}

// file makes a path as printed relative to the tree; ok is false unless the
// tree has such a file. Dependencies kept in the tree are not the project's
// code and do not count.
func (t tree) file(printed string) (file string, ok bool) {
	file = path.Clean(filepath.ToSlash(printed))
	if t.dir == "" || !filepath.IsLocal(file) || slices.Contains(strings.Split(file, "/"), "node_modules") {
		return "", false
	}
	info, err := os.Stat(filepath.Join(t.dir, file))
	return file, err == nil && info.Mode().IsRegular()
}

// owns reports whether the file lies in the tree itself, through no link.
func (t tree) owns(file string) bool {
	return realPath(filepath.Join(t.dir, file)) == filepath.Join(realPath(t.dir), filepath.FromSlash(file))
}

// realPath resolves links; what cannot be resolved stays as it is.
func realPath(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

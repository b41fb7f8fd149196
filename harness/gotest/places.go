package gotest

import (
	"path/filepath"
	"strings"
)

// places tells the files of the tree from all others.
type places struct {
	roots   []string          // the tree's directory as given and without symbolic links
	pkgDir  string            // of the tested package, slash-separated, relative to the tree
	modules map[string]string // module path to its directory in the tree; for -trimpath
	// source returns the text of a line of a file of the tree; ok is false
	// when there is none.
	source func(path string, line int) (text string, ok bool)
}

// relative returns the path of file inside the tree.
func (p places) relative(file string) (string, bool) {
	if !filepath.IsAbs(file) {
		return p.trimmed(file)
	}
	for _, root := range p.roots {
		if rel, ok := inside(root, file); ok {
			return rel, true
		}
	}
	return "", false
}

// trimmed finds a file that a -trimpath build names by import path.
func (p places) trimmed(file string) (string, bool) {
	best := ""
	for mod := range p.modules {
		if strings.HasPrefix(file, mod+"/") && len(mod) > len(best) {
			best = mod
		}
	}
	if best == "" {
		return "", false
	}
	return join(p.modules[best], file[len(best)+1:]), true
}

// named returns the path of a file that the output of a test names: with its
// directory, or without one, as testing does, when it lies in the tested
// package.
func (p places) named(file string, line int) (string, bool) {
	if filepath.IsAbs(file) {
		return p.relative(file)
	}
	path := join(p.pkgDir, file)
	_, ok := p.source(path, line)
	return path, ok
}

// inside returns the slash-separated path of file relative to root when it
// lies in root; root itself is ".".
func inside(root, file string) (string, bool) {
	rel, err := filepath.Rel(root, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// join joins slash-separated paths of the tree.
func join(dir, rest string) string {
	if dir == "" || dir == "." {
		return rest
	}
	return dir + "/" + rest
}

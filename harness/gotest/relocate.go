package gotest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// relocation is what the go command must be told so that relative paths of
// go.mod and go.work, written for the origin, hold in a tree elsewhere.
type relocation struct {
	flags []string // build flags, such as -modfile
	vars  []string // variables, such as GOWORK
}

// relocate looks at the module's go.mod and go.work as they stand in dir now
// (an edit may be on them) and writes what is needed under scratch. The files
// of the tree are never written.
func (s *session) relocate(dir string, m module, scratch string) (relocation, error) {
	l := s.layout(dir)
	switch m.work {
	case workOff:
		r, err := l.moveModule(m, scratch)
		r.vars = append(r.vars, "GOWORK=off")
		return r, err
	case "":
		return l.moveModule(m, scratch)
	default:
		return l.moveWork(s.workIn(dir, m), scratch)
	}
}

// workIn returns where the module's go.work is for a tree in dir.
func (s *session) workIn(dir string, m module) string {
	if rel, ok := inside(s.dir, m.work); ok {
		return filepath.Join(dir, filepath.FromSlash(rel))
	}
	return m.work
}

// moveModule writes a copy of go.mod for -modfile when a replacement would
// miss its target. A vendored module needs none: its replacements are in
// vendor.
func (l layout) moveModule(m module, scratch string) (relocation, error) {
	at := filepath.Join(l.dir, filepath.FromSlash(m.rel))
	path := filepath.Join(at, "go.mod")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return relocation{}, nil // an edit took it away; the go command says so
	}
	if err != nil {
		return relocation{}, err
	}
	mod, err := modfile.Parse(path, text, nil)
	if err != nil || exists(filepath.Join(at, "vendor", "modules.txt")) {
		return relocation{}, nil //nolint:nilerr // the go command reports a bad go.mod better
	}
	moved, err := l.moveReplaces(mod.Replace, at, mod.AddReplace)
	if err != nil || !moved {
		return relocation{}, err
	}
	out, err := mod.Format()
	if err != nil {
		return relocation{}, fmt.Errorf("write a copy of %s: %w", path, err)
	}
	copied := filepath.Join(scratch, "modfile", slug(m.rel), "go.mod")
	if err := writeBeside(copied, out, filepath.Join(at, "go.sum")); err != nil {
		return relocation{}, err
	}
	return relocation{flags: []string{"-modfile=" + copied}}, nil
}

// moveReplaces makes replacements by local directories that would miss their
// target absolute, through add, and reports whether there were any.
func (l layout) moveReplaces(all []*modfile.Replace, from string, add func(oldPath, oldVersion, newPath, newVersion string) error) (moved bool, err error) {
	for _, r := range all {
		if r.New.Version != "" || l.stays(from, r.New.Path) {
			continue
		}
		moved = true
		if err := add(r.Old.Path, r.Old.Version, l.resolve(from, r.New.Path), ""); err != nil {
			return moved, fmt.Errorf("replace %s in %s: %w", r.Old.Path, from, err)
		}
	}
	return moved, nil
}

// moveWork writes a copy of go.work with absolute paths when the tree's own
// would not do: it is not in the tree, or names a directory that only the
// origin reaches, or a module of it does.
func (l layout) moveWork(path, scratch string) (relocation, error) {
	work, err := parseWork(path)
	if errors.Is(err, fs.ErrNotExist) {
		return relocation{}, nil // an edit took it away; the modules stand alone
	}
	if err != nil {
		return relocation{vars: []string{"GOWORK=" + path}}, nil //nolint:nilerr // the go command reports it better
	}
	from := filepath.Dir(path)
	_, in := inside(l.dir, path)
	moved := !in
	members, err := l.moveUses(work, from)
	if err != nil {
		return relocation{}, err
	}
	moved = moved || members
	own, err := l.moveReplaces(work.Replace, from, work.AddReplace)
	if err != nil {
		return relocation{}, err
	}
	if !moved && !own {
		return relocation{vars: []string{"GOWORK=" + path}}, nil
	}
	work.Cleanup()
	copied := filepath.Join(scratch, "work", "go.work")
	if err := writeBeside(copied, modfile.Format(work.Syntax), path+".sum"); err != nil {
		return relocation{}, err
	}
	return relocation{vars: []string{"GOWORK=" + copied}}, nil
}

// moveUses makes every use of a go.work absolute, and takes over those
// replacements of its modules that would miss their target. It reports whether
// the go command would not have found all by itself.
func (l layout) moveUses(work *modfile.WorkFile, from string) (moved bool, err error) {
	var uses []*modfile.Use
	for _, use := range work.Use {
		at := l.resolve(from, use.Path)
		moved = moved || !l.stays(from, use.Path)
		uses = append(uses, &modfile.Use{Path: at})
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err != nil {
			continue // the go command reports it
		}
		mod, err := modfile.Parse("go.mod", text, nil)
		if err != nil {
			continue // the go command reports it
		}
		if _, ours := inside(l.dir, at); !ours {
			continue
		}
		theirs, err := l.moveReplaces(mod.Replace, at, addUnlessReplaced(work))
		if err != nil {
			return moved, err
		}
		moved = moved || theirs
	}
	work.SetUse(uses)
	return moved, nil
}

// addUnlessReplaced adds a replacement of a module to a go.work, whose own
// replacements go before those of its modules.
func addUnlessReplaced(work *modfile.WorkFile) func(oldPath, oldVersion, newPath, newVersion string) error {
	return func(oldPath, oldVersion, newPath, newVersion string) error {
		for _, r := range work.Replace {
			if r.Old.Path == oldPath && (r.Old.Version == "" || r.Old.Version == oldVersion) {
				return nil
			}
		}
		return work.AddReplace(oldPath, oldVersion, newPath, newVersion)
	}
}

// writeBeside writes text to path and copies the sum file, when there is one,
// to where the go command looks for it.
func writeBeside(path string, text []byte, sum string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	sums, err := os.ReadFile(sum)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	target := strings.TrimSuffix(path, ".mod") + ".sum"
	if strings.HasSuffix(path, ".work") {
		target = path + ".sum"
	}
	return os.WriteFile(target, sums, 0o644)
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// slug makes one path element of a slash-separated path.
func slug(rel string) string { return strings.NewReplacer("/", "_", ":", "_").Replace(rel) }

package worktree

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"
)

// Stamps tell cheaply whether anything in a directory was altered: names,
// kinds, sizes, times and link targets.
type stamps map[string]stamp

type stamp struct {
	mode fs.FileMode
	size int64
	time time.Time
	link string
}

// stampsOf walks dir. A directory's own time counts for nothing: a file made
// and removed again leaves no trace that matters.
func stampsOf(dir string) (stamps, error) {
	all := stamps{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		s := stamp{mode: info.Mode()}
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			if s.link, err = os.Readlink(path); err != nil {
				return err
			}
		case !d.IsDir():
			s.size, s.time = info.Size(), info.ModTime()
		}
		all[path] = s
		return nil
	})
	return all, err
}

// same reports whether dir still has these stamps; what cannot be read has
// not.
func (s stamps) same(dir string) bool {
	now, err := stampsOf(dir)
	return err == nil && maps.Equal(s, now)
}

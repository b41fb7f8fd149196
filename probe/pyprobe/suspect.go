package pyprobe

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// words are how Python sources speak of deadlines that interrupt.
var words = [...]string{"setitimer", ".alarm(", "import alarm", "mark.timeout", "interrupt_main", "SetAsyncExc"}

// errFound ends a walk.
var errFound = errors.New("found")

// Suspects looks through the Python sources of a tree.
func (prober) Suspects(dir string) (bool, error) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || isEnvironment(path)):
			return filepath.SkipDir
		case !d.Type().IsRegular() || filepath.Ext(path) != ".py":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, w := range words {
			if bytes.Contains(text, []byte(w)) {
				return errFound
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return false, fmt.Errorf("looking for deadlines in %s: %w", dir, err)
	}
	return err != nil, nil
}

// isEnvironment reports whether a directory is a virtual environment.
func isEnvironment(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err == nil
}

package probe

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errMentioned ends a walk.
var errMentioned = errors.New("mentioned")

// Mentioned reports whether any file below dir that reads accepts holds one of
// the words. Hidden directories, and those that skip names, are not entered. It
// fails when a directory or file cannot be read.
func Mentioned(dir string, words []string, skip func(path string) bool, reads func(path string, d fs.DirEntry) bool) (bool, error) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (strings.HasPrefix(d.Name(), ".") || skip(path)):
			return filepath.SkipDir
		case d.IsDir() || !reads(path, d):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, w := range words {
			if bytes.Contains(text, []byte(w)) {
				return errMentioned
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errMentioned) {
		return false, fmt.Errorf("looking for deadlines in %s: %w", dir, err)
	}
	return err != nil, nil
}

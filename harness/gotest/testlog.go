package gotest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// readTestLog reads what -test.testlogfile wrote: the files that the tests
// opened or looked at through package os, as paths of the tree in dir. cwd is
// where the binary began. A binary that died wrote nothing. The format is that
// of internal/testlog: "open NAME", "stat NAME", "chdir DIR", "getenv NAME".
func readTestLog(path, dir, cwd string) (map[string]bool, error) {
	opened := map[string]bool{}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return opened, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the log of opened files: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		verb, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if name == "" {
			continue
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(cwd, name)
		}
		switch verb {
		case "chdir":
			cwd = name
		case "open", "stat":
			if rel, ok := inside(dir, name); ok {
				opened[rel] = true
			}
		}
	}
	return opened, os.Remove(path)
}

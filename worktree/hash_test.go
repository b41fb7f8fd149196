package worktree_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// contents maps every path below dir, .git left out, to its mode and bytes.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	return walk(t, dir, func(path string, _ fs.FileInfo) bool { return path != ".git" }, false)
}

// everything maps every path below dir to its mode, time and bytes.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	return walk(t, dir, func(string, fs.FileInfo) bool { return true }, true)
}

func walk(t *testing.T, dir string, want func(string, fs.FileInfo) bool, times bool) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !want(rel, info) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := describe(path, info, times)
		found[rel] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func describe(path string, info fs.FileInfo, times bool) (string, error) {
	text := info.Mode().String()
	if times {
		text += info.ModTime().String()
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return text + " -> " + target, err
	case info.Mode().IsRegular():
		content, err := os.ReadFile(path)
		sum := sha256.Sum256(content)
		return fmt.Sprintf("%s %d %s", text, len(content), hex.EncodeToString(sum[:8])), err
	}
	return text, nil
}

func same(a, b map[string]string) bool { return maps.Equal(a, b) }

func wantSame(t *testing.T, before, after map[string]string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if now, there := after[path]; !there {
			t.Errorf("%s is gone", path)
		} else if now != before[path] {
			t.Errorf("%s was %s and is %s", path, before[path], now)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if _, there := before[path]; !there {
			t.Errorf("%s is new: %s", path, after[path])
		}
	}
}

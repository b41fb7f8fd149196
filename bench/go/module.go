package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/bench/beside"
)

// fetch brings a module, "path@version", from the module proxy, copies it below
// work and makes a repository of it.
func fetch(ctx context.Context, work, module string) (dir string, err error) {
	c, err := beside.Must(ctx, work, "go", "mod", "download", "-json", module)
	if err != nil {
		return "", err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal([]byte(c.Output), &got); err != nil {
		return "", fmt.Errorf("read what go mod download says of %s: %w", module, err)
	}
	name, _, _ := strings.Cut(module, "@")
	dir = filepath.Join(work, strings.ReplaceAll(name, "/", "+"))
	if err := errors.Join(os.RemoveAll(dir), copyTree(got.Dir, dir)); err != nil {
		return "", err
	}
	if _, err := beside.Must(ctx, dir, "git", "init", "--quiet"); err != nil {
		return "", err
	}
	return dir, commit(ctx, dir, module)
}

// commit records all that stands in dir, by nobody in particular.
func commit(ctx context.Context, dir, message string) error {
	if _, err := beside.Must(ctx, dir, "git", "add", "--all"); err != nil {
		return err
	}
	_, err := beside.Must(ctx, dir, "git", "-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", message)
	return err
}

// copyTree copies files and directories, which the module cache keeps
// read-only, as writable ones.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
}

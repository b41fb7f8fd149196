package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

func goEnv(key string) (string, error) {
	out, err := exec.Command("go", "env", key).Output()
	return strings.TrimSpace(string(out)), err
}

// stateCommand writes every file of the current directory's repository, .git
// included, with its mode, time and hash: a run that writes anything at all
// into the user's repository changes it.
func stateCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: state FILE")
	}
	var out strings.Builder
	root := ts.MkAbs(".")
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		hash := ""
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			hash = fmt.Sprintf(" %s %x", info.ModTime().UTC(), sha256.Sum256(content))
		}
		fmt.Fprintf(&out, "%s %s%s\n", name, info.Mode(), hash)
		return nil
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(out.String()), 0o644))
}

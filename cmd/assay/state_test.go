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
	"github.com/shirou/gopsutil/v4/process"
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

// runsCommand counts the directories that worktree keeps for runs.
func runsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: runs N")
	}
	entries, err := os.ReadDir(filepath.Join(ts.Getenv("ASSAY_CACHE_DIR"), "runs"))
	if err != nil && !os.IsNotExist(err) {
		ts.Check(err)
	}
	var dirs []string
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, e.Name())
		}
	}
	if fmt.Sprint(len(dirs)) != args[0] {
		ts.Fatalf("the cache holds the runs %q, want %s", dirs, args[0])
	}
}

func emptyCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: empty DIR")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		ts.Fatalf("%s holds %s", args[0], e.Name())
	}
}

// goneCommand looks for a process by its name, below the story's directory. Of
// a program that was removed since, Linux says so behind its path.
func goneCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: gone NAME")
	}
	processes, err := process.Processes()
	ts.Check(err)
	var left []string
	for _, p := range processes {
		exe, err := p.Exe()
		if err == nil && strings.HasPrefix(exe, ts.Getenv("WORK")) && filepath.Base(strings.TrimSuffix(exe, " (deleted)")) == args[0] {
			left = append(left, fmt.Sprintf("process %d still runs %s", p.Pid, exe))
		}
	}
	if neg == (len(left) == 0) {
		ts.Fatalf("%s: %q", args[0], left)
	}
}

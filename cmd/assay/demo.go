package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"assay/harness"
	"assay/harness/pytest"
	"assay/report"
	"assay/worktree"
)

//go:embed demo/change.txtar
var demoChange []byte

func demoCommand() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Prove an example change in Go and Python, end to end, in a temporary repository",
		Long: `demo writes a small repository with one change to a temporary directory and
proves it as assay prove would, so that every verdict can be seen at work. It
needs git and Go, and for its Python half a Python with pytest. It exits 0 when
the proof could be made, whatever the verdicts, and 4 when it could not.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			dir, err := os.MkdirTemp("", "assay-demo-")
			if err != nil {
				return mistakef("cannot make a temporary directory for the demo: %w; set TMPDIR to a place that can be written", err)
			}
			defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
			root := filepath.Join(dir, "shop")
			if err := f.layDemo(cmd, root); err != nil {
				return err
			}
			f.dir, f.failOn = root, []string{"baseline_red"}
			err = runProve(cmd, "HEAD~1..HEAD", &f)
			var code codeError
			if errors.As(err, &code) && code.code == exitBaseline {
				// The code itself says nothing; a fault in cleaning up would follow.
				return fmt.Errorf("nothing of the demo could be proven; install Go, or a Python with pytest, and put it on PATH%w", err)
			}
			return err
		},
	}
	f.registerFormats(cmd.Flags(), report.Formats())
	f.registerRun(cmd.Flags())
	return cmd
}

// layDemo makes the repository of the demo; without a Python that has pytest
// it says so and leaves the Python files out.
func (f *proveFlags) layDemo(cmd *cobra.Command, root string) error {
	ctx := cmd.Context()
	env, err := worktree.Environ(ctx)
	if err != nil {
		return err
	}
	if err := os.Mkdir(root, 0o755); err != nil {
		return err
	}
	archive := txtar.Parse(demoChange)
	if _, err := pytest.Interpreter(ctx, root, env, f.python); err != nil && f.python != "" {
		return userError{err}
	} else if err != nil {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "the Python half is left out: %v\n", err) // a courtesy, as all progress
		archive.Files = withoutPython(archive.Files)
	}
	for _, step := range []string{"base", "head"} {
		if err := writeSide(root, step, archive.Files); err != nil {
			return err
		}
		if err := commitAll(ctx, env, root, step); err != nil {
			return err
		}
	}
	return nil
}

func withoutPython(files []txtar.File) []txtar.File {
	var kept []txtar.File
	for _, file := range files {
		if !strings.HasSuffix(file.Name, ".py") {
			kept = append(kept, file)
		}
	}
	return kept
}

// writeSide writes the files of one side ("base" or "head") below root.
func writeSide(root, side string, files []txtar.File) error {
	for _, file := range files {
		name, ok := strings.CutPrefix(file.Name, side+"/")
		if !ok {
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// commitAll commits what stands in root, as nobody in particular and whatever
// the user's git is set up to do (signing, hooks, templates).
func commitAll(ctx context.Context, env []string, root, message string) error {
	env = harness.Setenv(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=assay", "GIT_AUTHOR_EMAIL=demo@example.com", "GIT_COMMITTER_NAME=assay", "GIT_COMMITTER_EMAIL=demo@example.com")
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"commit", "--quiet", "--message", message}} {
		end, err := harness.Start(ctx, harness.Process{Argv: append([]string{"git"}, args...), Dir: root, Env: env})
		if err != nil {
			return err
		}
		if end.Code != 0 {
			return fmt.Errorf("git %s in the demo's repository: %s", args[0], strings.TrimSpace(end.Tail))
		}
	}
	return nil
}

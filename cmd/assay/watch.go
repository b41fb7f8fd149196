package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"assay/change"
	"assay/worktree"
)

// settled is how long no file may change before a round begins: an editor that
// saves everything writes many files in a moment.
const settled = 300 * time.Millisecond

// A watch proves the working tree again and again, as files are saved.
type watch struct {
	cmd  *cobra.Command
	f    *proveFlags
	last map[string]string      // content of the changed files at the last round
	kind map[string]change.Kind // of the files of that round
}

// checkedWatch refuses what a watch cannot mean.
func checkedWatch(cmd *cobra.Command, spec string, f *proveFlags) error {
	switch {
	case spec != "":
		return mistakef("--watch proves the working tree against HEAD and takes no revision, but %q was given", spec)
	case f.baseline != "":
		return mistakef("--watch cannot be compared with a report; prove once with --baseline")
	}
	if _, err := f.checkRun(); err != nil {
		return err
	}
	return runWatch(cmd, f)
}

// runWatch proves what is not committed, and again what changed whenever files
// were saved, until it is interrupted.
func runWatch(cmd *cobra.Command, f *proveFlags) error {
	repo, err := worktree.Open(cmd.Context(), f.dir)
	if err != nil {
		return err
	}
	// Before the first round, so that what is saved while it runs starts another.
	saves, err := watchTree(repo.Root())
	if err != nil {
		return mistakef("cannot watch %s for changes: %w; prove without --watch", repo.Root(), err)
	}
	defer func() { _ = saves.Close() }() // nothing is written by it
	w := &watch{cmd: cmd, f: f}
	for {
		if err := w.round(); err != nil {
			return err
		}
		if err := waitForSaves(cmd.Context(), saves); err != nil {
			return err
		}
	}
}

// round proves once. What is the user's to mend is said, and the next save
// tries again; only the first round fails by it.
func (w *watch) round() (err error) {
	p, err := openProject(w.cmd.Context(), w.cmd.Flags(), w.f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	err = w.prove(p)
	var user userError
	if errors.As(err, &user) && w.last != nil {
		w.say(textOf(err))
		return nil
	}
	return err
}

func (w *watch) prove(p *project) error {
	ctx := w.cmd.Context()
	c, err := p.change(ctx, "", true)
	if err != nil {
		return err
	}
	if err := only(c, w.f.files); err != nil {
		return err
	}
	again, now := w.saved(c)
	w.last = now
	if len(again) == 0 {
		w.say(fmt.Sprintf("nothing to prove: %d files differ from HEAD, none changed since the last round; saving one starts the next", len(c.Files)))
		return nil
	}
	if len(again) < len(c.Files) {
		w.say(fmt.Sprintf("again: %s; the other %d files as before", paths(again), len(c.Files)-len(again)))
	}
	c.Files = again
	console := w.f.newConsole(w.cmd.ErrOrStderr())
	r, err := p.prove(ctx, c, w.f, console)
	console.close()
	if r == nil {
		return err
	}
	w.remember(c)
	return errors.Join(w.f.finish(w.cmd, p, r), err)
}

// saved picks the files that have to be proven again. A test, or anything
// that tests stand on, may change every verdict; production code only its own.
func (w *watch) saved(c *change.Change) (again []*change.File, now map[string]string) {
	now = map[string]string{}
	everything := w.kind == nil
	for _, f := range c.Files {
		now[f.Path] = string(f.New)
		old, known := w.last[f.Path]
		if known && old == now[f.Path] {
			continue
		}
		again = append(again, f)
		kind, seen := w.kind[f.Path]
		everything = everything || !seen || kind != change.Production
	}
	for path := range w.last {
		if _, still := now[path]; !still {
			everything = true // it is as at HEAD again
		}
	}
	if everything {
		again = c.Files
	}
	return again, now
}

func (w *watch) remember(c *change.Change) {
	if w.kind == nil {
		w.kind = map[string]change.Kind{}
	}
	for _, f := range c.Files {
		w.kind[f.Path] = f.Kind
	}
}

// say tells what the watch does, as all progress on standard error.
func (w *watch) say(text string) {
	if !w.f.quiet {
		_, _ = fmt.Fprintln(w.cmd.ErrOrStderr(), text) // a courtesy, as all progress
	}
}

func paths(files []*change.File) string {
	var all []string
	for _, f := range files {
		all = append(all, f.Path)
	}
	return strings.Join(all, ", ")
}

// watchTree watches every directory below root but git's own and those of
// package managers and caches, which change without anybody saving.
func watchTree(root string) (*fsnotify.Watcher, error) {
	saves, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := addTree(saves, root); err != nil {
		return nil, errors.Join(err, saves.Close())
	}
	return saves, nil
}

func addTree(saves *fsnotify.Watcher, root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone again in the meantime
		}
		if err != nil || !d.IsDir() {
			return err
		}
		if path != root && unwatched(d.Name()) {
			return filepath.SkipDir
		}
		return saves.Add(path)
	})
}

func unwatched(name string) bool {
	switch name {
	case "node_modules", "venv", "__pycache__", "target":
		return true
	}
	return strings.HasPrefix(name, ".")
}

// waitForSaves returns once something was saved and then nothing for a moment.
func waitForSaves(ctx context.Context, saves *fsnotify.Watcher) error {
	var quiet <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-quiet:
			return nil
		case err := <-saves.Errors:
			return fmt.Errorf("watching for changes: %w", err)
		case e := <-saves.Events:
			if e.Op == fsnotify.Chmod || unwatched(filepath.Base(e.Name)) {
				continue
			}
			if info, err := os.Stat(e.Name); err == nil && info.IsDir() && e.Has(fsnotify.Create) {
				if err := addTree(saves, e.Name); err != nil {
					return fmt.Errorf("watching %s for changes: %w", e.Name, err)
				}
			}
			quiet = time.After(settled)
		}
	}
}

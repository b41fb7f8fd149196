package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"assay/change"
	"assay/harness"
	"assay/harness/pytest"
)

// A comparison tries edits of one project both ways.
type comparison struct {
	python, origin, dir string
	files               []string
	out                 *log.Logger
	tree                string
	session             harness.Session

	forked, left, disagree    int
	forkSeconds, freshSeconds float64
}

func (c *comparison) run(ctx context.Context, n int, seed int64) (err error) {
	c.tree = filepath.Join(c.dir, filepath.Base(c.origin))
	if err := os.CopyFS(c.tree, os.DirFS(c.origin)); err != nil {
		return fmt.Errorf("copy the project: %w", err)
	}
	texts, err := c.read()
	if err != nil {
		return err
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.session.Close()) }()
	random := rand.New(rand.NewSource(seed))
	var all []change.Edit
	for _, file := range c.files {
		all = append(all, editsOf(file, texts[file], random)...)
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, e := range all {
		if c.forked+c.left == n {
			break
		}
		if err := c.compare(ctx, e, texts[e.Path]); err != nil {
			return err
		}
	}
	for _, note := range c.session.(harness.Noter).Notes() {
		c.out.Print("note: ", note)
	}
	return nil
}

func (c *comparison) read() (map[string][]byte, error) {
	texts := map[string][]byte{}
	for _, file := range c.files {
		text, err := os.ReadFile(filepath.Join(c.tree, file))
		if err != nil {
			return nil, err
		}
		texts[file] = text
	}
	return texts, nil
}

func (c *comparison) open(ctx context.Context) error {
	scratch := filepath.Join(c.dir, "scratch")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		return err
	}
	session, err := pytest.New(pytest.Config{Python: c.python}).Open(ctx, c.tree, harness.Options{
		Origin: c.tree, Env: os.Environ(), Scratch: scratch})
	if err != nil {
		return err
	}
	c.session = session
	var targets []harness.Target
	for _, file := range c.files {
		targets = append(targets, harness.Target{Path: file})
	}
	base, err := session.Baseline(ctx, c.tree, targets)
	if err == nil && base.Trouble != "" {
		err = errors.New(base.Trouble)
	}
	return err
}

// compare tries an edit both ways on the tests that run its lines; an edit that
// none runs is passed over.
func (c *comparison) compare(ctx context.Context, e change.Edit, text []byte) error {
	line := bytes.Count(text[:e.Start], []byte("\n")) + 1
	sel := c.session.Cover(e.Path, change.Span{Start: line, Lines: 1})
	if sel.Basis != harness.Hit || len(sel.Tests) == 0 {
		return nil
	}
	job := harness.Job{Dir: c.tree, Edits: []change.Edit{e}, Selection: sel, Scratch: c.dir}
	warm := c.session.(harness.Preparer)
	if err := warm.Prepare(ctx, c.tree, [][]change.Edit{job.Edits}); err != nil {
		return err
	}
	began := time.Now()
	got, done, err := warm.Try(ctx, job)
	if err != nil {
		return err
	}
	if !done {
		c.left++
		return nil
	}
	c.forked++
	c.forkSeconds += time.Since(began).Seconds()
	began = time.Now()
	want, err := c.fresh(ctx, job, text)
	c.freshSeconds += time.Since(began).Seconds()
	if err == nil && facts(got) != facts(want) {
		c.disagree++
		c.out.Printf("%s:%d: %q -> %q\nfork:\n%sfresh:\n%s\n", e.Path, line, text[e.Start:e.End], e.Text, facts(got), facts(want))
	}
	return err
}

func (c *comparison) fresh(ctx context.Context, job harness.Job, head []byte) (harness.Outcome, error) {
	path := filepath.Join(c.tree, job.Edits[0].Path)
	edited, err := change.Apply(head, job.Edits)
	if err != nil {
		return harness.Outcome{}, err
	}
	if err := os.WriteFile(path, edited, 0o644); err != nil {
		return harness.Outcome{}, err
	}
	o, err := c.session.Run(ctx, job)
	return o, errors.Join(err, os.WriteFile(path, head, 0o644))
}

// varying is what no two runs have in common: addresses, durations, and the
// numbers of temporary directories.
var varying = regexp.MustCompile(`0x[0-9a-f]+|after [0-9.]+ s\b|py-[0-9]+`)

// facts is what the two ways have to agree in.
func facts(o harness.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s complete %v trouble %q timed out %v signal %q exit %d\n", o.Phase, o.Complete, o.Trouble, o.TimedOut, o.Signal, o.Exit)
	for _, r := range o.Tests {
		if r.Status == harness.Failed {
			fmt.Fprintf(&b, "  %s %+v\n", r.ID, *r.Red)
		} else {
			fmt.Fprintf(&b, "  %s %s\n", r.ID, r.Status)
		}
	}
	return varying.ReplaceAllString(b.String(), "…")
}

package gosrc

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"assay/change"
	"assay/mutate"
	"assay/mutate/gosrc/typed"
	"assay/mutate/mutatetest"
)

// Every archive of testdata/ladder is a change, base/ and head/, and the plan
// of each of its units, with the exact edits below it: "path:line -old +new",
// line ends shown as ⏎. "whole" lines say what un-doing all of it drops. In
// stories of owners, "owner" lines are the errors of each unit un-done alone and
// who was asked for each. Every edit must type check with all tests of head.
func TestLadderStories(t *testing.T) {
	files, err := filepath.Glob("testdata/ladder/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(bytes.TrimSpace(archive.Comment)) == 0 {
				t.Error("a story says on top what it is for")
			}
			want := ""
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = string(f.Data)
				}
			}
			got := tellLadder(t, archive, strings.HasPrefix(filepath.Base(file), "owner_"))
			if got == want {
				return
			}
			if os.Getenv("ASSAY_UPDATE") == "" {
				t.Errorf("got\n%s\nwant\n%s", got, want)
				return
			}
			mutatetest.Rewrite(t, file, archive, got)
		})
	}
}

// goMod is the module of a story that brings none.
const goMod = "module example.com/m\n\ngo 1.22\n"

// sidesOfStory are the files of both sides.
func sidesOfStory(archive *txtar.Archive) (base, head map[string]string) {
	base, head = map[string]string{"go.mod": goMod}, map[string]string{"go.mod": goMod}
	for _, f := range archive.Files {
		switch side, name, _ := strings.Cut(f.Name, "/"); side {
		case "base":
			base[name] = string(f.Data)
		case "head":
			head[name] = string(f.Data)
		case "both":
			base[name], head[name] = string(f.Data), string(f.Data)
		}
	}
	return base, head
}

// writeHead puts head on disk.
func writeHead(t *testing.T, head map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range head {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func tellLadder(t *testing.T, archive *txtar.Archive, owners bool) string {
	base, head := sidesOfStory(archive)
	dir := writeHead(t, head)
	c := mutatetest.Change(base, head)
	for _, f := range c.Files {
		f.Kind, f.KindWhy, _ = Source{}.Kind(f)
	}
	ctx := context.Background()
	notes, err := Source{}.Study(ctx, c, c.Files)
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	l := NewLadder(env, nil)
	plans, err := l.Plans(ctx, dir, c, notes)
	if err != nil {
		t.Fatal(err)
	}
	w, err := typed.Load(ctx, typed.Config{Dir: dir, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, h := range c.Hunks() {
		for _, u := range h.Units {
			if h.File.Kind == change.Test || notes[u].Nothing != "" {
				continue
			}
			p := plans[u]
			tellPlan(&out, c, u, p)
			if p.Nothing == "" {
				checkBuilds(ctx, t, w, u, p)
			}
		}
	}
	if owners {
		tellOwners(ctx, t, &out, dir, env, c, notes)
	}
	_, dropped, err := l.Whole(ctx, dir, c, mutatetest.Untested(c))
	if err != nil {
		fmt.Fprintf(&out, "whole: %v\n", err)
	}
	for _, name := range dropped {
		fmt.Fprintf(&out, "whole: without %s\n", name)
	}
	return out.String()
}

// tellOwners writes how the partners of each unit are found.
func tellOwners(ctx context.Context, t *testing.T, out *strings.Builder, dir string, env []string, c *change.Change, notes map[*change.Unit]*mutate.Note) {
	t.Helper()
	s, err := openSides(ctx, typed.Config{Dir: dir, Env: env}, c, notes)
	if err != nil {
		t.Fatal(err)
	}
	on := newClimb(s)
	for _, m := range s.members {
		set := on.companions([]*member{m})
		for {
			try, err := on.try(ctx, set)
			if err != nil {
				t.Fatal(err)
			}
			if try.builds() {
				break
			}
			more := try.owners(s)
			fmt.Fprintf(out, "owner %s:%v: %s: %s\n", m.file.Path, m.unit.New, try.problem.Message, places(more))
			if len(more) == 0 {
				break
			}
			set = on.companions(append(set, more...))
		}
	}
}

func places(members []*member) string {
	if len(members) == 0 {
		return "nobody"
	}
	var out []string
	for _, m := range members {
		out = append(out, fmt.Sprintf("%s:%v", m.file.Path, m.unit.New))
	}
	return strings.Join(out, " ")
}

// checkBuilds holds that the un-doing of a plan compiles, tests included.
func checkBuilds(ctx context.Context, t *testing.T, w *typed.World, u *change.Unit, p *mutate.Plan) {
	t.Helper()
	res, err := w.Check(ctx, p.Edits)
	if err != nil {
		t.Errorf("%s: %v", u.Hunk.Name(), err)
	}
	for _, problem := range res.Problems {
		t.Errorf("%s: the edits of its plan do not build: %s", u.Hunk.Name(), problem.Message)
	}
	if (len(p.Edits) == 0) != (p.Rung == mutate.RungNone) {
		t.Errorf("%s: rung %s with %d edits", u.Hunk.Name(), p.Rung, len(p.Edits))
	}
}

func tellPlan(out *strings.Builder, c *change.Change, u *change.Unit, p *mutate.Plan) {
	out.WriteString(mutatetest.Planned(u, p) + "\n")
	for _, v := range p.Users {
		fmt.Fprintf(out, "    used by %s:%v\n", v.Hunk.File.Path, v.New)
	}
	if p.Rung == mutate.RungRevert && p.Nothing == "" {
		return // it is the hunk itself
	}
	for _, e := range p.Edits {
		for _, f := range c.Files {
			if f.Path == e.Path {
				fmt.Fprintf(out, "    %s\n", tellEdit(f, e))
			}
		}
	}
}

func tellEdit(f *change.File, e change.Edit) string {
	if e.Op == change.Remove {
		return e.Path + " removed"
	}
	line := 1 + bytes.Count(f.New[:e.Start], []byte{'\n'})
	show := func(mark string, text []byte) string {
		if len(text) == 0 {
			return ""
		}
		return " " + mark + strings.ReplaceAll(strings.ReplaceAll(string(text), "\t", ""), "\n", "⏎")
	}
	return fmt.Sprintf("%s:%d%s%s", e.Path, line, show("-", f.New[e.Start:e.End]), show("+", e.Text))
}

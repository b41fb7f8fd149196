package typed_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

var update = flag.Bool("update", false, "write what Check says into testdata")

// Each archive is a tree and, below undo/, edits of it; want/ is what Check
// says of them. An edit is a line "edit PATH", "create PATH" or "remove PATH",
// then lines that go (-) and lines that come (+). Every edit is also checked
// without shortcuts: the problems must be the same.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios found: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runScenario(t, name)
		})
	}
}

func runScenario(t *testing.T, name string) {
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	cfg := typed.Config{Dir: t.TempDir(), Env: append(os.Environ(), "GOFLAGS=", "GOWORK=", "CGO_ENABLED=1", "GOPROXY=off")}
	tree := map[string][]byte{}
	for _, f := range ar.Files {
		switch {
		case f.Name == "flags":
			cfg.Flags = strings.Fields(string(f.Data))
		case !strings.HasPrefix(f.Name, "undo/") && !strings.HasPrefix(f.Name, "want/"):
			tree[f.Name] = f.Data
		}
	}
	writeTree(t, cfg.Dir, tree)
	w, err := typed.Load(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{"want/head": broken(w)}
	for _, f := range ar.Files {
		if undo, ok := strings.CutPrefix(f.Name, "undo/"); ok {
			got["want/"+undo] = checked(t, w, parseEdits(t, tree, f.Data))
		}
	}
	compareGolden(t, name, ar, got)
}

func writeTree(tb testing.TB, dir string, tree map[string][]byte) {
	tb.Helper()
	for name, data := range tree {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(at, data, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

func parseEdits(t *testing.T, tree map[string][]byte, text []byte) []change.Edit {
	t.Helper()
	var edits []change.Edit
	var old, neu bytes.Buffer
	flush := func() {
		if len(edits) == 0 {
			return
		}
		e := &edits[len(edits)-1]
		if e.Text = bytes.Clone(neu.Bytes()); e.Op == change.Splice {
			e.Start = bytes.Index(tree[e.Path], old.Bytes())
			if e.Start < 0 {
				t.Fatalf("%s has no %q", e.Path, old.String())
			}
			e.End = e.Start + old.Len()
		}
		old.Reset()
		neu.Reset()
	}
	ops := map[string]change.Op{"edit": change.Splice, "create": change.Create, "remove": change.Remove}
	for line := range strings.Lines(string(text)) {
		switch line[0] {
		case '-':
			old.WriteString(line[1:])
		case '+':
			neu.WriteString(line[1:])
		default:
			flush()
			verb, path, _ := strings.Cut(strings.TrimSpace(line), " ")
			op, known := ops[verb]
			if !known {
				t.Fatalf("unknown edit %q", line)
			}
			edits = append(edits, change.Edit{Path: path, Op: op})
		}
	}
	flush()
	return edits
}

// checked renders what Check says, after comparing it with a check of every
// body.
func checked(t *testing.T, w *typed.World, edits []change.Edit) string {
	t.Helper()
	res, err := w.Check(context.Background(), edits)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	whole, err := w.Thorough().Check(context.Background(), edits)
	if err != nil || !reflect.DeepEqual(res.Problems, whole.Problems) {
		t.Errorf("in part: %v\nas a whole: %v %v", res.Problems, whole.Problems, err)
	}
	var out strings.Builder
	for _, p := range res.Problems {
		out.WriteString(render(p))
	}
	if res.TestsUnchecked {
		out.WriteString("tests unchecked\n")
	}
	if len(res.Broken) > 0 {
		fmt.Fprintf(&out, "broken at head: %s\n", strings.Join(res.Broken, " "))
	}
	fmt.Fprintf(&out, "checked %d packages, %d whole, %d bodies\n", res.Stats.Packages, res.Stats.Whole, res.Stats.Bodies)
	return out.String()
}

func render(p typed.Problem) string {
	message, _, _ := strings.Cut(p.Message, "\n")
	out := fmt.Sprintf("%s:%d:%d %s", p.Path, p.Line, p.Col, p.Code)
	if p.Test {
		out += " test"
	}
	if p.Head < 0 {
		out += " new"
	}
	if p.Name != "" {
		out += " name=" + p.Name
	}
	if p.Selector {
		out += " selector"
	}
	if p.Receiver != "" {
		out += " of=" + p.Receiver
	}
	for _, r := range p.Related {
		out += fmt.Sprintf(" see=%s:%d", r.Path, r.Line)
	}
	return out + ": " + message + "\n"
}

func broken(w *typed.World) string {
	var out strings.Builder
	for _, b := range w.Broken() {
		fmt.Fprintf(&out, "%s test=%v\n", b.Package, b.Test)
		for _, p := range b.Problems {
			out.WriteString("\t" + render(p))
		}
	}
	return out.String()
}

func compareGolden(t *testing.T, name string, ar *txtar.Archive, got map[string]string) {
	t.Helper()
	want := map[string]string{}
	for _, f := range ar.Files {
		if strings.HasPrefix(f.Name, "want/") {
			want[f.Name] = string(f.Data)
		}
	}
	both := maps.Clone(want)
	maps.Copy(both, got)
	if !*update {
		for _, key := range slices.Sorted(maps.Keys(both)) {
			if got[key] != want[key] {
				t.Errorf("%s:\ngot\n%swant\n%s", key, got[key], want[key])
			}
		}
		return
	}
	ar.Files = slices.DeleteFunc(ar.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
	for _, key := range slices.Sorted(maps.Keys(got)) {
		ar.Files = append(ar.Files, txtar.File{Name: key, Data: []byte(got[key])})
	}
	if err := os.WriteFile(name, txtar.Format(ar), 0o600); err != nil {
		t.Fatal(err)
	}
}

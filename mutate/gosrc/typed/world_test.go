package typed_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"assay/change"
	"assay/mutate/gosrc/typed"
)

func TestChecksMayRunTogether(t *testing.T) {
	w := lookupWorld(t)
	at := strings.Index(lookedAt, "helper(arg)")
	edits := func(n int) []change.Edit {
		return []change.Edit{{Path: "lib/lib.go", Start: at, End: at + len("helper"), Text: fmt.Appendf(nil, "missing%d", n)}}
	}
	results := make([]typed.Result, 64)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			res, err := w.Check(context.Background(), edits(i%8))
			if err != nil {
				t.Error(err)
			}
			results[i] = res
		})
	}
	wg.Wait()
	for i, res := range results {
		if len(res.Problems) != 1 || res.Problems[0].Name != fmt.Sprintf("missing%d", i%8) {
			t.Errorf("check %d says %v", i, res.Problems)
		}
		if !reflect.DeepEqual(res.Problems, results[i%8].Problems) {
			t.Errorf("check %d and %d differ", i, i%8)
		}
	}
}

func TestTheSameTextIsCheckedOnce(t *testing.T) {
	w := lookupWorld(t)
	edit := []change.Edit{{Path: "lib/lib.go", Start: len(lookedAt), End: len(lookedAt), Text: []byte("func extra() {}\n")}}
	first, err1 := w.Check(context.Background(), edit)
	second, err2 := w.Check(context.Background(), edit)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if first.Stats.Packages != 2 || second.Stats.Packages != 0 || second.Stats.Cached != 2 {
		t.Errorf("first %+v, second %+v", first.Stats, second.Stats)
	}
}

func TestResultsOutliveABoundedCache(t *testing.T) {
	w := lookupWorld(t)
	for i := range typed.KeptFiles + 10 {
		text := fmt.Sprintf("func extra%d() { missing() }\n", i)
		res, err := w.Check(context.Background(), []change.Edit{{Path: "lib/lib.go", Start: len(lookedAt), End: len(lookedAt), Text: []byte(text)}})
		if err != nil || len(res.Problems) != 1 || res.Problems[0].Line != 12 {
			t.Fatalf("check %d: %v %v", i, res.Problems, err)
		}
	}
	if files, results := w.Kept(); files != typed.KeptFiles || results != typed.KeptResults {
		t.Errorf("%d files and %d results are kept", files, results)
	}
}

func TestHeadOffsetsOfProblems(t *testing.T) {
	w := lookupWorld(t)
	res, err := w.Check(context.Background(), []change.Edit{
		{Path: "lib/lib.go", Start: 0, Text: []byte("// a line more\n")},
		{Path: "lib/helper.go", Op: change.Remove},
	})
	if err != nil || len(res.Problems) != 1 {
		t.Fatal(res.Problems, err)
	}
	p := res.Problems[0]
	if p.Head != strings.Index(lookedAt, "helper") || p.Offset != p.Head+len("// a line more\n") || p.Line != 11 || p.End != p.Offset+len("helper") {
		t.Errorf("%+v", p)
	}
}

func TestBadEditsAreErrors(t *testing.T) {
	w := lookupWorld(t)
	for name, edits := range map[string][]change.Edit{
		"outside":        {{Path: "lib/lib.go", Start: 5, End: 1 << 20}},
		"overlap":        {{Path: "lib/lib.go", Start: 5, End: 9}, {Path: "lib/lib.go", Start: 7, End: 12}},
		"create over":    {{Path: "lib/lib.go", Op: change.Create}},
		"two operations": {{Path: "lib/lib.go", Op: change.Remove}, {Path: "lib/lib.go", Start: 1, End: 1}},
	} {
		if _, err := w.Check(context.Background(), edits); err == nil || !strings.Contains(err.Error(), "lib/lib.go") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoadSaysWhatItCannotDo(t *testing.T) {
	if _, err := typed.Load(context.Background(), typed.Config{Dir: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a directory that is not there loads")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	writeTree(t, dir, map[string][]byte{"go.mod": []byte("module m\n"), "a.go": []byte("package m\n")})
	if _, err := typed.Load(ctx, typed.Config{Dir: dir, Env: os.Environ()}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := typed.Load(context.Background(), typed.Config{Dir: dir, Env: []string{"PATH=" + t.TempDir()}}); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("without a go command: %v", err)
	}
}

func TestATreeWithoutModulesIsEmpty(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string][]byte{"a.go": []byte("package m\n")})
	w, err := typed.Load(context.Background(), typed.Config{Dir: dir, Env: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := w.Syntax("a.go"); ok || len(w.Broken()) > 0 {
		t.Error("a file outside any module is compiled by nothing")
	}
}

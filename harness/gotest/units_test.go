package gotest

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"assay/change"
)

func TestFlagsGoToWhoReadsThem(t *testing.T) {
	got := splitFlags(` -mod=mod "-tags=a b" -short '-ldflags=-X "q"' -p=3`, []string{"-tags=x", "--parallel=2", "-run=Never", "-race", "-count=4"})
	want := flags{build: []string{"-tags=x", "-race"}, run: []string{"-test.short", "-test.parallel=2"}, atOnce: 3}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if n := splitFlags("", nil).atOnce; n != runtime.GOMAXPROCS(0) {
		t.Errorf("%d at once without -p", n)
	}
}

func TestAPatternMatchesTheNamedTestsOnly(t *testing.T) {
	p, ok := matching([]string{"TestA/x+y/z", "TestB", "TestB/sub", "TestA/x+y/z"})
	if want := pattern(`^TestB$|^TestA$/^x\+y$/^z$`); p != want || !ok {
		t.Errorf("got %s", p)
	}
	if p, ok := matching([]string{"TestB", "TestA"}); p != "^(TestA|TestB)$" || !ok {
		t.Errorf("got %s for two tests: one expression is to match them", p)
	}
	if p, ok := matching(nil); p != "" || !ok {
		t.Errorf("got %q for no names", p)
	}
	if _, ok := matching([]string{"Test" + strings.Repeat("x", maxPattern)}); ok {
		t.Error("a pattern too long for an argument")
	}
}

func TestBinariesAreNamedAsGoDoes(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/x/toml/v2": "toml", "gopkg.in/yaml.v3": "yaml.v3", "a": "a", "a/v1": "v1", "v2": "v2", "x/v10": "x", "x/v02": "v02",
	} {
		if got := binaryName(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestTheLogOfOpenedFilesFollowsChdir(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	text := "# test log\ngetenv HOME\nopen testdata/a\nstat ../b\nopen /etc/hosts\nchdir " + filepath.Join(dir, "c") + "\nopen d\n"
	if err := os.WriteFile(log, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := readTestLog(log, dir, filepath.Join(dir, "p"))
	if want := map[string]bool{"p/testdata/a": true, "b": true, "c/d": true}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := readTestLog(log, dir, dir); err != nil || len(got) > 0 {
		t.Errorf("the log is read twice: %v, %v", got, err)
	}
}

func TestTheCompilersWordsAreExplained(t *testing.T) {
	at := &suite{pkg: pkg{importPath: "ex/a"}}
	for _, c := range []struct{ output, text, missing string }{
		{"# ex/a [ex/a.test]\n./a_test.go:3:2: undefined: Gone\n", "tests need Gone: #", "Gone"},
		{"# ex/a_test [ex/a.test]\na/x_test.go:3:4: x.F undefined (type T has no field or method F)\n", "tests need x.F: #", "x.F"},
		{"# ex/b [ex/b.test]\nb_test.go:1:2: undefined: Theirs\n# ex/a\n./a.go:3:2: undefined: Ours\n", "# ex/a", "Ours"},
		{"# ex/a\n./a.go:1:2: cannot use T{} as I value in return statement: T does not implement I (missing method M)\n", "# ex/a", "M"},
		{"# ex/a\n./a.go:1:2: unknown field F in struct literal of type T\n", "# ex/a", "F"},
		{"a.go:3:8: no required module provides package gone.example/x; to add it:\n\tgo get gone.example/x\n", "a.go", "gone.example/x"},
		{"a.go:3:8: package gone is not in std (/goroot/src/gone)\n", "a.go", "gone"},
		{"go: updates to go.mod needed\n", "go: updates", ""},
		{"# ex/a [ex/a.test]\n./a_test.go:3:2: declared and not used: x\n", "tests need what is not there: ", ""},
	} {
		f := explain(at, c.output)
		if !strings.HasPrefix(f.text, c.text) || f.missing != c.missing {
			t.Errorf("%q: got %q, missing %q", c.output, f.text, f.missing)
		}
	}
}

func TestOldBinariesMakeRoomAndHeadStays(t *testing.T) {
	b := newBinaries(t.TempDir())
	var paths []string
	for _, key := range []string{"", "a", "b", "c", "d", "e"} {
		at, err := b.shelf("dir", key)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, at.path)
	}
	for i, path := range paths {
		if kept := exists(path); kept != (i != 1) {
			t.Errorf("shelf %d is kept: %v", i, kept)
		}
	}
	at, err := b.shelf("dir", "a")
	if err != nil || !exists(at.path) || at.have.binaries != nil {
		t.Errorf("a shelf that was removed comes back as %+v, %v", at, err)
	}
}

func TestEditsAreToldApart(t *testing.T) {
	e := change.Edit{Path: "a", Start: 1, End: 2, Text: []byte("x")}
	keys := map[string]bool{editsKey(nil): true}
	for _, edits := range [][]change.Edit{
		{e}, {e, e}, {{Path: "b", Start: 1, End: 2, Text: []byte("x")}}, {{Path: "a", Start: 1, End: 3, Text: []byte("x")}},
		{{Path: "a", Start: 1, End: 2, Text: []byte("y")}}, {{Path: "a", Op: change.Remove}}, {{Path: "a", Op: change.Create, Mode: 0o100755}},
	} {
		if key := editsKey(edits); keys[key] {
			t.Errorf("%+v has the key of others", edits)
		} else {
			keys[key] = true
		}
	}
}

// FuzzProfile and FuzzList hold that what a tool prints is parsed or refused,
// and never panics.
func FuzzProfile(f *testing.F) {
	f.Add("mode: set\nex/a/a.go:3.24,5.2 1 1\nex/a/a.go:7.1,9.2 2 0\n")
	f.Add("ex/a/a.go:99999999999999999999.1,1.1 1 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		blocks, err := parseProfile(strings.NewReader(text))
		if err != nil && blocks != nil {
			t.Error("blocks beside an error")
		}
		for _, b := range blocks {
			if !strings.Contains(text, b.file) {
				t.Errorf("%q is not in the profile", b.file)
			}
		}
	})
}

func FuzzList(f *testing.F) {
	f.Add(`{"ImportPath":"ex/a","Dir":"/tree/a","GoFiles":["a.go"]}{"ImportPath":"ex/a.test","Name":"main","Dir":"/tree/a","Deps":["ex/a"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseList(strings.NewReader(text))
		if err != nil {
			return
		}
		b := newGraphBuilder("/tree")
		b.add(module{rel: "."}, all)
		for _, s := range b.graph().suites {
			if _, known := b.pkgs[s.dir]; !known {
				t.Errorf("a suite of no package: %+v", s.pkg)
			}
		}
	})
}

// FuzzPattern holds that a pattern matches its own test by the rule of package
// testing: element by element.
func FuzzPattern(f *testing.F) {
	f.Add("TestA/b+(c)")
	f.Add("TestA/#01")
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ContainsAny(name, "|\x00\n") || name == "" {
			return
		}
		p, _ := matching([]string{name})
		elems := strings.Split(name, "/")
		patterns := strings.Split(string(p), "/")
		if len(elems) != len(patterns) {
			t.Fatalf("%q has another depth than %q", p, name)
		}
		for i, elem := range elems {
			if re, err := regexp.Compile(patterns[i]); err == nil && !re.MatchString(elem) {
				t.Errorf("%q does not match %q", patterns[i], elem)
			}
		}
	})
}

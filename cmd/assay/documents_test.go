package main

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/docs"
	"assay/prove"
)

// linkPattern finds the target of a link in Markdown.
var linkPattern = regexp.MustCompile(`\]\(([^)\s]+)\)`)

var update = flag.Bool("update", false, "write what is generated in the documents anew")

// generated compares a part of a document with what the code says of it:
// between two markers, or the whole of it without one.
func generated(t *testing.T, name, marker, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", name)
	raw, err := os.ReadFile(path)
	if err != nil && (!*update || marker != "") {
		t.Fatal(err)
	}
	before, got, after := "", string(raw), ""
	if marker != "" {
		var begins, ends bool
		before, got, begins = strings.Cut(string(raw), "<!-- generated: "+marker+" -->\n")
		got, after, ends = strings.Cut(got, "<!-- end -->\n")
		if !begins || !ends {
			t.Fatalf("%s has no part marked %q", name, marker)
		}
		before, after = before+"<!-- generated: "+marker+" -->\n", "<!-- end -->\n"+after
	}
	switch {
	case got == want:
	case *update:
		if err := os.WriteFile(path, []byte(before+want+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/%s is not what the code says; run go test ./cmd/assay -run Documents -update and read the difference", name)
	}
}

func TestTheDocumentsSayWhatTheCodeSays(t *testing.T) {
	generated(t, "configuration.md", "settings", settingsTable())
	generated(t, "commands.md", "", commandsText(rootCommand()))
}

func TestEverySettingIsDescribedInTheDocumentsAndHasItsFlag(t *testing.T) {
	var described []string
	flags := proveCommand().Flags()
	for _, s := range settings() {
		described = append(described, s.key)
		if s.flag != "" && flags.Lookup(s.flag) == nil {
			t.Errorf("%s: assay prove has no flag --%s", s.key, s.flag)
		}
		text := s.key + " = " + s.value
		if section, key, ok := strings.Cut(s.key, "."); ok {
			text = "[" + section + "]\n" + key + " = " + s.value
		}
		if _, err := parseConfig(configName, text); err != nil {
			t.Errorf("the example of %s is refused: %v", s.key, err)
		}
	}
	for _, key := range keysOf(reflect.TypeFor[Config](), "") {
		section := slices.ContainsFunc(described, func(d string) bool { return strings.HasPrefix(d, key+".") })
		if !section && !slices.Contains(described, key) {
			t.Errorf("settings.go does not describe %s", key)
		}
	}
}

func TestEveryReasonHasOnePageInTheDocumentsAndNoPageIsLeftOver(t *testing.T) {
	pages := docs.Reasons()
	for _, v := range []prove.Verdict{prove.Proven, prove.NotProven, prove.Inconclusive, prove.NothingToProve} {
		for _, reason := range prove.ReasonsOf(v) {
			page, ok := docs.Reason(string(reason))
			if !ok || !strings.HasPrefix(page, "# "+string(reason)+"\n\nVerdict: `"+v.String()+"`\n") ||
				!strings.Contains(page, "## What it means") || !strings.Contains(page, "## What to do") {
				t.Errorf("docs/reasons/%s.md is missing or does not say what it must", reason)
			}
			pages = slices.DeleteFunc(pages, func(p string) bool { return p == string(reason) })
		}
	}
	if len(pages) > 0 {
		t.Errorf("pages of no reason: %v", pages)
	}
}

func TestEveryLinkInTheDocumentsLeadsSomewhere(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, glob := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, glob))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s matches nothing (%v)", glob, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range linkPattern.FindAllStringSubmatch(string(text), -1) {
				target, _, _ := strings.Cut(link[1], "#")
				if target == "" || strings.Contains(target, "://") {
					continue
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(file), target)); err != nil {
					t.Errorf("%s links to %s: %v", file, link[1], err)
				}
			}
		}
	}
}

func TestManPagesAreWrittenForEveryCommand(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	dir := filepath.Join(t.TempDir(), "man1")
	root := rootCommand()
	root.SetArgs([]string{"man", dir})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range root.Commands() {
		page, err := os.ReadFile(filepath.Join(dir, "assay-"+cmd.Name()+".1"))
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		if err != nil || !strings.Contains(string(page), ".SH SYNOPSIS") {
			t.Errorf("%s: %v\n%s", cmd.Name(), err, page)
		}
	}
}

package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"assay/change"
	"assay/prove"
	"assay/report"
)

// large is the example with n more hunks that no test notices, the first with
// a diff of ten thousand lines.
func large(n int) *prove.Report {
	r := example()
	for i := range n {
		f := prove.Finding{ID: fmt.Sprintf("c%d", i), File: fmt.Sprintf("many/f%d.go", i/20), Language: "go", Old: span(i*9+1, 1), New: span(i*9+1, 2),
			Verdict: prove.Verdict(i % 4), Reason: prove.ReasonsOf(prove.Verdict(i % 4))[0], Rung: "revert", Covering: 3,
			Diff:   fmt.Sprintf("@@ -%d,3 +%d,4 @@\n func f%d() int {\n-\treturn %d\n+\tx := %d\n+\treturn x\n }\n", i*9, i*9, i, i, i),
			Trials: []prove.TrialReport{exampleTrial(fmt.Sprintf("c%d-1", i), "undo", "assay replay R c")}}
		if i == 0 {
			f.New = span(1, 10_000)
			f.Diff = "@@ -1,1 +1,10000 @@\n-old\n" + strings.Repeat("+\tx = append(x, \"a line of a large generated table\")\n", 10_000)
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

func TestSARIFKeepsThePublishedSchemaAndItsLibraryReadsIt(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*prove.Report{"full": example(), "empty": {Schema: prove.Schema}, "large": large(100)} {
		out := render(t, "sarif", r, report.Style{})
		if err := validate(t, schema, out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	log, err := sarif.FromBytes(render(t, "sarif", example(), report.Style{}))
	if err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != 8 {
		t.Fatalf("%d results, want one for each of 6 hunks and 2 probes", len(run.Results))
	}
	for _, res := range run.Results {
		rule := run.Tool.Driver.Rules[res.RuleIndex]
		if *rule.ID != *res.RuleID || rule.Help == nil || !strings.HasPrefix(*rule.ID, "probe-") && !strings.Contains(*rule.Help.Markdown, "# "+*rule.ID) {
			t.Errorf("%s has the rule %s, or that has no page", *res.RuleID, *rule.ID)
		}
		at := res.Locations[0].PhysicalLocation
		path, err := url.PathUnescape(*at.ArtifactLocation.URI)
		if u, uerr := url.Parse(*at.ArtifactLocation.URI); err != nil || uerr != nil || u.Scheme != "" || !strings.Contains(path, "/") {
			t.Errorf("%q is no relative URI of a path", *at.ArtifactLocation.URI)
		}
		if want := map[bool]string{true: "unchanged", false: "new"}[path == "src/größe.py"]; *res.BaselineState != want {
			t.Errorf("%s is %s, want %s", path, *res.BaselineState, want)
		}
	}
}

func TestJUnitIsReadByALibraryThatReadsIt(t *testing.T) {
	suites, err := junit.Ingest(render(t, "junit", example(), report.Style{}))
	if err != nil {
		t.Fatal(err)
	}
	count := map[junit.Status]int{}
	cases := 0
	for _, s := range suites {
		if s.Totals.Tests != len(s.Tests) {
			t.Errorf("%s says %d tests and has %d", s.Name, s.Totals.Tests, len(s.Tests))
		}
		for _, c := range s.Tests {
			count[c.Status]++
			cases++
		}
	}
	if cases != len(example().Findings)+3 || count[junit.StatusFailed] != 2 || count[junit.StatusError] != 5 || count[junit.StatusSkipped] != 6 {
		t.Errorf("%d cases: %v", cases, count)
	}
}

// workflowCommand is the form in which GitHub's runner recognises a command.
var workflowCommand = regexp.MustCompile(`^::(warning|notice|error)(?: ([^:]*))?::(.*)$`)

func TestGitHubCommandsSayWhatTheReportSaysOnceTheyAreUnescaped(t *testing.T) {
	files := map[string]bool{}
	for l := range strings.Lines(string(render(t, "github", example(), report.Style{}))) {
		m := workflowCommand.FindStringSubmatch(strings.TrimSuffix(l, "\n"))
		if m == nil {
			if strings.Contains(l, "::") {
				t.Errorf("%q is no command and looks like one", l)
			}
			continue
		}
		for _, pair := range strings.Split(m[2], ",") {
			key, value, _ := strings.Cut(pair, "=")
			plain, err := url.PathUnescape(value)
			if err != nil {
				t.Errorf("%q: %v", pair, err)
			}
			if key == "file" {
				files[plain] = true
			}
		}
	}
	if !files["src/مرحبا, a:b.py"] || files["src/größe.py"] || !files["tests/helper.py"] || len(files) != 7 {
		t.Errorf("annotated are %v; what is known is to be left out", files)
	}
}

func TestGitHubIsNeverGivenMoreThanItShows(t *testing.T) {
	out := string(render(t, "github", large(200), report.Style{}))
	if n := strings.Count(out, "::warning "); n != 10 {
		t.Errorf("%d warnings", n)
	}
	if !strings.Contains(out, "43 more are not shown here") {
		t.Errorf("what is left out is not counted:\n%s", out)
	}
}

func TestGitLabFindsTheFieldsThatItRequires(t *testing.T) {
	var issues []map[string]any
	if err := json.Unmarshal(render(t, "gitlab", example(), report.Style{}), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for _, i := range issues {
		location, _ := i["location"].(map[string]any)
		lines, _ := location["lines"].(map[string]any)
		begin, _ := lines["begin"].(float64)
		path, _ := location["path"].(string)
		if i["description"] == "" || i["check_name"] == "" || begin < 1 || path == "" || strings.HasPrefix(path, "./") || seen[i["fingerprint"]] {
			t.Errorf("GitLab would drop %v", i)
		}
		if s := i["severity"]; s != "major" && s != "minor" {
			t.Errorf("severity %v", s)
		}
		seen[i["fingerprint"]] = true
	}
	if len(issues) != 8 {
		t.Errorf("%d issues, want 8", len(issues))
	}
	if got := render(t, "gitlab", &prove.Report{Schema: prove.Schema}, report.Style{}); string(got) != "[]\n" {
		t.Errorf("nothing to object to is %q, want an empty list", got)
	}
}

func TestMarkdownShowsEveryHunkAndTakesNothingOfTheChangeForMarkup(t *testing.T) {
	source := render(t, "markdown", example(), report.Style{})
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	rows, links := 0, 0
	err := ast.Walk(md.Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *east.TableRow:
			if entering {
				rows++
				if n.ChildCount() != 4 {
					t.Errorf("a row has %d cells", n.ChildCount())
				}
			}
		case *ast.Link, *ast.AutoLink, *ast.Image, *ast.Emphasis, *ast.RawHTML:
			links++
		}
		return ast.WalkContinue, nil
	})
	if err != nil || rows != len(example().Findings) || links != 0 {
		t.Errorf("%d rows, %d links or other markup (%v)", rows, links, err)
	}
	var html bytes.Buffer
	if err := md.Convert(source, &html); err != nil || strings.Contains(html.String(), "<script") {
		t.Errorf("%v:\n%s", err, html.String())
	}
	if !bytes.HasPrefix(source, []byte(report.Marker+"\n")) {
		t.Error("the marker is not the first line")
	}
}

func TestMarkdownNeverOutgrowsACommentAndCountsWhatItLeavesOut(t *testing.T) {
	for _, n := range []int{50, 100, 200, 400, 2000} {
		out := string(render(t, "markdown", large(n), report.Style{}))
		if len(out) > 65_000 {
			t.Errorf("%d hunks give %d bytes", n, len(out))
		}
		if strings.Count(out, "<details>") != strings.Count(out, "</details>") {
			t.Errorf("%d hunks: something is left open", n)
		}
		if left := strings.Contains(out, "do not fit into a comment"); left != (n > 200) {
			t.Errorf("%d hunks: left out is %v, %d bytes", n, left, len(out))
		}
	}
}

func TestNoFormatFailsOnHunksWithoutLines(t *testing.T) {
	r := example()
	r.Findings = []prove.Finding{{ID: "x", File: "a b.bin", Kind: change.Production, Verdict: prove.Inconclusive, Reason: prove.Unsupported}}
	for _, format := range report.Formats() {
		if out := render(t, format, r, report.Style{Width: 80}); !bytes.Contains(out, []byte("unsupported")) {
			t.Errorf("%s does not say unsupported:\n%s", format, out)
		}
	}
}

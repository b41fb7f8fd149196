package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"assay/change"
	"assay/harness"
	"assay/prove"
	"assay/report"
)

// What npm publishes as dist/mutation-test-elements.js of the version that the
// report names.
const bundleSum = "751fb010242b0b44e32d84fe7fe0b9ff1da182823b94f59f5c52b001fcfc163b"

func TestTheWebComponentIsThePublishedOne(t *testing.T) {
	bundle, err := report.ElementsBundle()
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(bundle); hex.EncodeToString(sum[:]) != bundleSum {
		t.Errorf("the script has sha256 %x, mutation-testing-elements %s has %s", sum, report.ElementsVersion, bundleSum)
	}
	if bytes.Contains(bundle, []byte("</script")) {
		t.Error("the script would end itself inside a page")
	}
}

// hostile is a mutation report of a file that would end the page's script, and
// that holds letters of two bytes before a mutant.
func hostile() *prove.MutationReport {
	r := mutants()
	lines := []string{"package calc", "", "// Add </script><script>alert(1)</script> <!-- <U+202E>", `func Add(a, b int) string { return "größe" + show(a + b) }`, ""}
	source := strings.Join(lines, "\r\n")
	at := strings.Index(source, "a + b")
	r.Mutants = r.Mutants[:2]
	for i := range r.Mutants {
		m := &r.Mutants[i]
		column := strings.Index(lines[3], "a + b") + 1
		m.Start, m.End = prove.Position{Line: 4, Column: column}, prove.Position{Line: 4, Column: column + 5}
		m.Edits = []change.Edit{{Path: m.File, Start: at, End: at + 5, Text: []byte("a - b")}}
	}
	r.Mutants[0].Killers = []harness.TestID{"ex.com/calc.v2.TestAdd/1.Test", "tests/test_add.py::test_add[x::y]"}
	r.Sources[0].Source = []byte(source)
	return r
}

// shadow is a script's way to what stands below shadow roots: deep is the first
// element that a selector finds, words the text of an element.
const shadow = `(window.deep = (sel, root = document) => root.querySelector(sel) ?? [...root.querySelectorAll("*")].map(e => e.shadowRoot && deep(sel, e.shadowRoot)).find(Boolean),
	window.words = (node) => node.textContent + [...node.querySelectorAll("*")].map(e => e.shadowRoot ? words(e.shadowRoot) : "").join(""))`

func openMutants(t *testing.T, r *prove.MutationReport, fragment string) *tab {
	t.Helper()
	var page bytes.Buffer
	if err := report.WriteMutation(&page, "html", r, report.Style{}); err != nil {
		t.Fatal(err)
	}
	p := openPage(t, page.Bytes(), fragment)
	p.do(script(shadow))
	return p
}

func TestAPageOfMutantsOpensOfflineAndShowsEachInItsPlace(t *testing.T) {
	p := openMutants(t, hostile(), "#mutant/add.go") // the component takes away what all files have in common
	const mutant = `deep("mte-file").shadowRoot.querySelector("span.mutant.Survived")`
	p.want("the file is shown", `deep("mte-file") !== undefined`, true)
	p.want("the survivor stands where it is in the text", mutant+`?.textContent.trim()`, "a + b")
	p.want("a hostile line is text", `deep("mte-file").shadowRoot.querySelector("code").textContent.includes("</script><script>alert(1)</script> <!--")`, true)
	p.want("totals are those of the table", `document.querySelector("footer p").textContent`, report.MutationTotals(hostile()))
	p.want("the licence is in the page", `document.querySelector("footer pre").textContent.includes("Apache License")`, true)
	p.want("and the version", fmt.Sprintf(`document.querySelector("footer summary").textContent.includes(%q)`, "mutation-testing-elements "+report.ElementsVersion), true)
	p.do(script(mutant + `.dispatchEvent(new MouseEvent("click", {bubbles: true, composed: true}))`))
	p.want("on a click its story is told", `words(deep("mte-drawer-mutant").shadowRoot).includes("in words")`, true)
	p.want("and its replacement", `deep("mte-file").shadowRoot.textContent.includes("a - b")`, true)
	p.shoot("mutants", 1280, 900, "light")
	p.do(script(`deep("mutation-test-report-app").theme = "dark"`))
	p.want("it has a dark theme", `document.body.className`, "dark")
	p.want("also around the component", `getComputedStyle(document.documentElement).backgroundColor`, "oklch(0.21 0.006 285.885)")
	p.shoot("mutants-dark", 1280, 900, "dark")
	p.shoot("mutants-narrow", 390, 844, "light")
	p.do(chromedp.EmulateViewport(1280, 900), script(`location.hash = "#test"`))
	p.want("killers are listed by package and file", `[...deep("mte-metrics-table").shadowRoot.querySelectorAll("tbody a")].map(a => a.textContent.trim()).join()`, "ex.com/calc.v2,tests/test_add.py")
	p.clean()
}

// The schema's columns are those of a browser, ours count bytes.
func TestAMutantsReplacementFitsItsPlaceInTheMutationReport(t *testing.T) {
	var out bytes.Buffer
	if err := report.WriteMutation(&out, "mutation-report", hostile(), report.Style{}); err != nil {
		t.Fatal(err)
	}
	type position struct{ Line, Column int }
	var got struct {
		Files map[string]struct {
			Source  string
			Mutants []struct{ Location struct{ Start, End position } }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	file := got.Files["calc/add.go"]
	at := file.Mutants[0].Location
	line := []rune(strings.Split(file.Source, "\n")[at.Start.Line-1])
	if text := string(line[at.Start.Column-1 : at.End.Column-1]); text != "a + b" {
		t.Errorf("the mutant stands at %q", text)
	}
}

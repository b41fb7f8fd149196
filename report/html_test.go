package report_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"assay/prove"
	"assay/report"
)

// browserPath is a Chromium: the one that ASSAY_TEST_BROWSER names, or one on
// PATH. Without one the test fails, as it could not say anything.
func browserPath(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("ASSAY_TEST_BROWSER"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium is on PATH; install one (Debian: apt-get install chromium) or name it with ASSAY_TEST_BROWSER")
	return ""
}

// A tab is an open page that remembers what went wrong in it.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu     sync.Mutex
	faults []string
}

// open shows r in a headless browser, at a fragment of its address.
func open(t *testing.T, r *prove.Report, fragment string) *tab {
	t.Helper()
	return openPage(t, render(t, "html", r, report.Style{}), fragment)
}

// openPage shows a page in a headless browser and waits until it is drawn.
func openPage(t *testing.T, html []byte, fragment string) *tab {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, html, 0o644); err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browserPath(t)), chromedp.WindowSize(1280, 900),
		chromedp.NoSandbox, // it is our own page, and root has no sandbox
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(t.TempDir()))
	alloc, stopAlloc := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, stop := chromedp.NewContext(alloc)
	t.Cleanup(func() { stop(); stopAlloc() })
	p := &tab{t: t, ctx: ctx, url: "file://" + path}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatal(err)
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, log.Enable, cdp.Empty{})
	call(p, runtime.Enable, cdp.Empty{})
	call(p, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	p.do(chromedp.Navigate(p.url + fragment))
	p.want("the page is ready", `document.documentElement.dataset.ready`, "yes")
	return p
}

// hear keeps whatever a person would find in the browser's console, and every
// request for anything but the page.
func (p *tab) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.faults = append(p.faults, "exception: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		p.faults = append(p.faults, fmt.Sprintf("console.%s: %d values", e.Type, len(e.Args)))
	case *log.EventEntryAdded:
		p.faults = append(p.faults, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || u.Scheme != "file" && u.Scheme != "data" {
			p.faults = append(p.faults, "request: "+e.Request.URL)
		}
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// call makes one call of the browser's protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, command, params); err != nil {
		p.t.Fatal(err)
	}
}

// get evaluates JavaScript.
func get[T any](p *tab, script string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		p.t.Fatalf("%s: %v", script, err)
	}
	return value
}

// worked is how many milliseconds of processor time the page has taken.
func (p *tab) worked() float64 {
	p.t.Helper()
	result, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, m := range result.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value * 1000
		}
	}
	p.t.Fatal("the browser does not say how long it worked")
	return 0
}

// script runs JavaScript for its effect.
func script(text string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void]("void (" + text + ")")
}

// want waits until an expression of JavaScript has a value.
func (p *tab) want(what, expression string, want any) {
	p.t.Helper()
	value, err := json.Marshal(want)
	if err != nil {
		p.t.Fatal(err)
	}
	_, err = chromedp.Run(p.ctx, chromedp.Poll[bool](fmt.Sprintf("JSON.stringify(%s) === %q", expression, value)))
	if err != nil {
		p.t.Errorf("%s: %s is %s, want %s (%v)", what, expression, get[string](p, "String(JSON.stringify("+expression+"))"), value, err)
	}
}

// press types keys as a person would: a letter that the page takes for itself
// goes into no field.
func (p *tab) press(keys string) {
	p.t.Helper()
	for _, r := range keys {
		if strings.ContainsRune(kb.Enter+kb.Escape, r) {
			p.do(chromedp.KeyEvent(string(r)))
			continue
		}
		call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Text: string(r), Key: string(r)})
		call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: string(r)})
	}
}

// clean fails when anything went wrong on the page.
func (p *tab) clean() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.faults {
		p.t.Error(f)
	}
}

// shoot keeps a picture below the directory that ASSAY_TEST_SCREENSHOTS names,
// for people to look at.
func (p *tab) shoot(name string, width, height int64, scheme string) {
	dir := os.Getenv("ASSAY_TEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	p.do(chromedp.EmulateViewport(width, height))
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

const (
	shownHunks = `document.querySelectorAll(".hunk:not([hidden])").length`
	focused    = `document.activeElement.id`
	openBoxes  = `[...document.querySelectorAll(".evidence:not([hidden])")].map(e => e.id).join()`
	drawnRows  = `document.querySelectorAll(".diff tr").length`
)

func TestThePageOpensOfflineAndShowsWhatTheReportHolds(t *testing.T) {
	r := example()
	unnoticed(r)
	p := open(t, r, "")
	p.want("every hunk has a place", shownHunks, len(r.Findings))
	p.want("totals", `document.getElementById("totals").textContent`, report.Totals(r.Counts))
	p.want("the warning", `document.getElementById("lost").textContent.slice(0, 44)`, "No test tells this change from its absence. ")
	p.want("what is known says so", `document.querySelectorAll(".known").length`, 1)
	p.want("a hostile line is text", `document.querySelector("#h-a2 .diff").textContent.includes('if a < b && s != "</script>`+"```"+`" {')`, true)
	p.want("direction marks are spelled out", `document.querySelector("#h-a1 .diff").textContent.includes("<U+202E>")`, true)
	p.want("keywords are coloured", `document.querySelector("#h-a1 .diff .k").textContent`, "func")
	p.want("colours lose no text", `document.querySelector("#h-a1 .diff tr").lastChild.textContent`, "func Add(a, b int) int {")
	p.want("nothing is wider than the window", `document.documentElement.scrollWidth <= innerWidth`, true)
	p.shoot("light", 1280, 900, "light")
	p.shoot("dark", 1280, 900, "dark")
	p.shoot("narrow", 390, 844, "light")
	p.do(chromedp.EmulateViewport(390, 844))
	p.want("nor on a telephone", `document.documentElement.scrollWidth <= innerWidth`, true)
	p.clean()
}

func TestEvidenceIsShownOnRequest(t *testing.T) {
	p := open(t, example(), "")
	p.want("at first nothing is open", openBoxes, "")
	p.do(chromedp.Click(chromedp.CSS(`#h-a2 .acts button`)))
	p.want("one is open", openBoxes, "e-a2")
	p.want("with its patch", `document.querySelector("#e-a2 .patch .del").textContent`, "-\treturn a + b")
	p.want("and its replay", `document.querySelector("#e-a2 .replay code").textContent`, "assay replay REPORT.json a2-1")
	p.want("and its partner", `document.querySelector("#e-a2 a").getAttribute("href")`, "#h-a1")
	p.shoot("evidence", 1280, 1200, "light")
	p.do(chromedp.Click(chromedp.CSS(`#h-a1 .acts button`)))
	p.want("a mutant that survived is open as a patch", `[...document.querySelectorAll("#e-a1 details[open] summary")].map(s => s.textContent).join()`, "a mutant of these lines · 1 test by hit")
	p.want("and counted", `document.querySelector("#e-a1").textContent.includes("1 of 2 mutants of these lines are noticed")`, true)
	p.want("probes are shown", `[...document.querySelectorAll("#probes article strong")].map(s => s.textContent).join()`, "late,held,inconclusive")
	p.do(chromedp.Click(chromedp.CSS(`#h-a2 .reason`)))
	p.want("the page of the reason", `document.querySelector("dialog[open] h1").textContent`, "survived")
	p.shoot("reason", 1280, 900, "dark")
	p.clean()
}

func TestFiltersLeaveWhatIsAskedFor(t *testing.T) {
	p := open(t, example(), "")
	p.do(chromedp.Click(chromedp.CSS(`#verdicts button:nth-child(3)`)))
	p.want("without PROVEN", shownHunks, 11)
	p.want("files without hunks go as well", `document.querySelectorAll(".file:not([hidden]), #files a:not([hidden])").length`, 20)
	p.do(chromedp.Click(chromedp.CSS(`#fresh`)))
	p.want("without what is known", shownHunks, 10)
	p.do(chromedp.SetValue(chromedp.CSS(`#kind`), "inert"), script(`document.getElementById("kind").dispatchEvent(new Event("input"))`))
	p.want("only inert files", shownHunks, 2)
	p.do(chromedp.SendKeys(chromedp.CSS(`#find`), "logo nothing-like-it"))
	p.want("nothing is left", shownHunks, 0)
	p.want("and that is said", `document.getElementById("none").hidden`, false)
	p.want("and counted", `document.getElementById("shown").textContent`, "0 of 13 hunks")
	p.clean()
}

func TestALinkToAHunkShowsItWhateverTheFiltersHide(t *testing.T) {
	p := open(t, large(300), "#h-c250")
	p.want("its evidence is open", openBoxes, "e-c250")
	p.want("it has the focus", focused, "h-c250")
	inView := `(() => { const r = document.getElementById(%q).getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight })()`
	p.want("it is seen", fmt.Sprintf(inView, "h-c250"), true)
	p.do(chromedp.SendKeys(chromedp.CSS(`#find`), "nothing-like-it"), script(`location.hash = "#h-a2"`))
	p.want("its evidence is open as well", openBoxes, "e-a2,e-c250")
	p.want("the other is seen", fmt.Sprintf(inView, "h-a2"), true)
	p.clean()
}

func TestThePageIsWorkedByKeysAlone(t *testing.T) {
	p := open(t, example(), "")
	press := p.press
	press("j")
	p.want("j goes to the first", focused, "h-a1")
	press("jk")
	p.want("and back", focused, "h-a1")
	press("nn")
	p.want("n goes to objections", focused, "h-a3")
	press("p")
	p.want("p back", focused, "h-a2")
	press("o")
	p.want("o opens", openBoxes, "e-a2")
	press(kb.Enter)
	p.want("Enter closes", openBoxes, "")
	press("3")
	p.want("3 hides PROVEN", shownHunks, 11)
	press("3u")
	p.want("u is side by side", `document.querySelector("#h-a1 .diff tr").children.length`, 6)
	p.shoot("split", 1280, 900, "light")
	press("/jn")
	p.want("what is typed into find is no key", `document.getElementById("find").value`, "jn")
	press(kb.Escape + "?")
	p.want("? lists them", `document.querySelector("dialog[open]").id`, "keys")
	press(kb.Escape + "t")
	p.want("t is the light theme", `document.documentElement.dataset.theme`, "light")
	press("t")
	p.want("then the dark one", `getComputedStyle(document.body).backgroundColor`, "rgb(13, 17, 23)")
	p.clean()
}

// How long a page of two thousand hunks takes is logged and not judged: what
// makes it quick is that only what is near is drawn, and that is.
func TestTwoThousandHunksAndTenThousandLinesAreDrawnOnlyWhereTheyAreSeen(t *testing.T) {
	r := large(2000)
	p := open(t, r, "")
	p.want("every hunk has a place", shownHunks, len(r.Findings))
	rows := get[float64](p, drawnRows)
	if total := 2000*5 + 10_000; rows == 0 || rows > float64(total)/10 {
		t.Errorf("%v rows are drawn of about %d", rows, total)
	}
	t.Logf("%d bytes; the page's main thread worked %.0f ms; %.0f rows drawn", len(render(t, "html", r, report.Style{})), p.worked(), rows)
	p.do(script(`document.getElementById("h-c0").scrollIntoView()`))
	p.want("a long hunk offers the rest", `document.querySelector("#h-c0 .more")?.textContent`, "show 2000 of 9601 more lines")
	p.do(script(`document.querySelector("#h-c0 .more").click()`))
	p.want("and gives it", `document.querySelectorAll("#h-c0 tr").length`, 2400)
	p.clean()
}

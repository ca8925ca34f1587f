package page

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

// required is the variable that makes a missing browser an error.
const required = "FUZZMUT_BROWSER"

var (
	pictureOf = flag.String("page", "", "page to take a picture of, for TestPicture")
	picture   = flag.String("picture", "", "file of the picture")
	dark      = flag.Bool("dark", false, "take the picture in dark colors")
	before    = flag.String("script", "", "script to run before the picture is taken")
)

// A browser is Chromium without a window. It is spoken to by its remote debugging protocol,
// over a pipe: messages of JSON, each ended by a zero byte.
type browser struct {
	t       testing.TB
	to      io.Writer
	from    *bufio.Reader
	session string
	last    int
	events  []message
}

type message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
}

// startBrowser starts a browser with an empty page. Where there is none, the test is skipped.
func startBrowser(t testing.TB) *browser {
	t.Helper()
	name := ""
	for _, n := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(n); err == nil {
			name = path
			break
		}
	}
	switch {
	case name == "" && os.Getenv(required) != "":
		t.Fatal("there is no Chromium: install it, as by apt-get install chromium")
	case name == "":
		t.Skip("there is no Chromium: the page is not opened; make check-browser fails instead")
	case testing.Short():
		t.Skip("a browser takes seconds to start")
	}
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	home := t.TempDir()
	cmd := exec.CommandContext(ctx, name, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe", "--user-data-dir="+home, "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+home)
	cmd.ExtraFiles = []*os.File{inRead, outWrite}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	inRead.Close()
	outWrite.Close()
	b := &browser{t: t, to: inWrite, from: bufio.NewReaderSize(outRead, 1<<20)}
	t.Cleanup(func() {
		b.session = ""
		b.send("Browser.close", nil) // or files in its directory could not be removed
		cmd.Wait()
		cancel()
		inWrite.Close()
		outRead.Close()
	})
	var target struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	b.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1040, "height": 1040, "deviceScaleFactor": 1, "mobile": false}, nil)
	return b
}

func (b *browser) send(method string, params any) error {
	b.last++
	m := map[string]any{"id": b.last, "method": method}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	data, err := json.Marshal(m)
	if err == nil {
		_, err = b.to.Write(append(data, 0))
	}
	return err
}

// call calls a method, and waits for its result.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	if err := b.send(method, params); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	for want := b.last; ; {
		m := b.receive()
		switch {
		case m.ID != want:
			b.events = append(b.events, m)
			continue
		case m.Error != nil:
			b.t.Fatalf("%s: %s", method, m.Error)
		case result != nil:
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
		return
	}
}

func (b *browser) receive() (m message) {
	b.t.Helper()
	data, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser has ended: %v", err)
	}
	if err := json.Unmarshal(data[:len(data)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// open opens a file, and waits until it is loaded.
func (b *browser) open(path string) {
	b.t.Helper()
	b.events = nil
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	b.call("Page.navigate", map[string]any{"url": address.String()}, nil)
	for !b.seen("Page.loadEventFired") {
		b.events = append(b.events, b.receive())
	}
}

func (b *browser) seen(method string) bool {
	for _, m := range b.events {
		if m.Method == method {
			return true
		}
	}
	return false
}

// eval evaluates an expression on the page, and stores its value.
func (b *browser) eval(expression string, value any) {
	b.t.Helper()
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &out)
	if out.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, out.ExceptionDetails)
	}
	if value != nil {
		if err := json.Unmarshal(out.Result.Value, value); err != nil {
			b.t.Fatalf("%s: %v", expression, err)
		}
	}
}

// is compares the value of an expression, as text.
func (b *browser) is(want, expression string) {
	b.t.Helper()
	var got any
	b.eval(expression, &got)
	if fmt.Sprint(got) != want {
		b.t.Errorf("%s is %v, want %s", expression, got, want)
	}
}

// press presses a key.
func (b *browser) press(key string) {
	b.t.Helper()
	text := key
	if len(key) > 1 {
		text = ""
	}
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": key, "text": text}, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
}

// quiet checks that the console is empty, and that nothing but the page was loaded.
func (b *browser) quiet() {
	b.t.Helper()
	b.eval("1", nil) // what was said before it is here now
	for _, m := range b.events {
		switch m.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
			b.t.Errorf("%s: %s", m.Method, m.Params)
		case "Network.requestWillBeSent":
			var request struct {
				Type    string
				Request struct{ URL string }
			}
			if err := json.Unmarshal(m.Params, &request); err != nil || request.Type != "Document" || !strings.HasPrefix(request.Request.URL, "file:") {
				b.t.Errorf("a request: %s", m.Params)
			}
		}
	}
}

// shot writes a picture of what the window shows.
func (b *browser) shot(path string) {
	b.t.Helper()
	var out struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": false}, &out)
	data, err := base64.StdEncoding.DecodeString(out.Data)
	if err := errors.Join(err, os.WriteFile(path, data, 0o666)); err != nil {
		b.t.Fatal(err)
	}
}

// pageFile writes a result as a page.
func pageFile(t testing.TB, r report.Result) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, written(t, r), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// settled waits until the filters have been applied.
const settled = "new Promise(done => setTimeout(() => requestAnimationFrame(() => done(1)), 200))"

const (
	shownMutants  = "[...document.querySelectorAll('.src li')].filter(li => !li.hidden).length"
	shownFindings = "[...document.querySelectorAll('.finding')].filter(f => !f.hidden).length"
)

func TestBrowser(t *testing.T) {
	r := reporttest.Tested()
	r.Mutants[0].Operator, r.Mutants[0].Description = "statement-deletion", "removed <b>\u202ethis</b>"
	rooted(t, strings.Repeat(lineOfSource, 100), r.Mutants)
	path := pageFile(t, r)
	b := startBrowser(t)
	b.open(path)
	n := len(r.Mutants)
	b.is(fmt.Sprint(n), shownMutants)
	b.is("false", "document.getElementById('filters').hidden")

	b.is("true", "[...document.querySelectorAll('.src > *')].every((l, i, all) => i === 0 || l.getBoundingClientRect().top - all[i-1].getBoundingClientRect().bottom < 1)")

	// Filters, by hand and by keys.
	b.eval("document.querySelector('[name=status][value=k]').click(); "+settled, nil)
	b.is(fmt.Sprint(n-2), shownMutants)
	b.press("s")
	b.eval(settled, nil)
	b.is("7", shownMutants)
	b.is("true", "[...document.querySelectorAll('.src li')].every(li => li.hidden === (li.className !== 's'))")
	b.press("r")
	b.eval(settled, nil)
	b.is(fmt.Sprint(n), shownMutants)
	b.eval("{ const s = document.querySelector('[name=operator]'); s.selectedIndex = [...s.options].findIndex(o => o.text === 'statement-deletion'); s.dispatchEvent(new Event('input', {bubbles: true})); }", nil)
	b.eval(settled, nil)
	b.is("1", shownMutants)
	b.is("0", shownFindings)
	b.press("r")
	b.eval(settled, nil)
	b.press("/")
	b.is("text", "document.activeElement.name")
	for _, key := range strings.Split("k1", "") {
		b.press(key)
	}
	b.eval(settled, nil)
	b.is("1", shownMutants)
	b.is(`removed <b>\u202ethis</b>`, "document.querySelector('#m-k1 p').childNodes[1].data.trim()")
	b.press("Escape")
	b.press("r")
	b.eval(settled, nil)

	// A mutant is shown: by keys, and by a link of a finding.
	b.press("n")
	b.is("true", "document.activeElement.matches('.src li') && document.activeElement.checkVisibility()")
	b.eval("document.querySelector('#m-n1').closest('details').open = false; document.querySelector('.file').open = false; location.hash = '#m-n1'; "+settled, nil)
	b.is("true", "document.querySelector('#m-n1').checkVisibility()")
	b.press("o")
	b.is("false", "document.querySelector('.file').open")
	b.quiet()

	// Dark and light.
	background := "getComputedStyle(document.body).backgroundColor"
	b.is("rgb(255, 255, 255)", background)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	b.is("rgb(15, 19, 24)", background)
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
	b.is("none", "getComputedStyle(document.querySelector('nav')).display")
}

func TestBrowserWithoutScripts(t *testing.T) {
	r := reporttest.Tested()
	rooted(t, strings.Repeat(lineOfSource, 100), r.Mutants)
	path := pageFile(t, r)
	b := startBrowser(t)
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.open(path)
	b.is("true", "document.getElementById('filters').hidden")
	b.is("true", "document.querySelector('.tiles').checkVisibility()")
	b.is("true", "document.querySelector('.finding').checkVisibility()")
	b.eval("document.querySelector('.file > summary').click(); document.querySelector('.l > summary').click()", nil)
	b.is("true", "document.querySelector('.src li').checkVisibility()")
	b.quiet()
}

// Nothing that a result holds runs, or is loaded.
// The page of a fleet is of another module: what is opened is a golden file of its tests.
func TestBrowserWithTheFleetsPage(t *testing.T) {
	path, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "cmd", "fuzzmut-fleet", "testdata", "page.html"))
	if err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t)
	b.open(path)
	b.is("2", "[...document.querySelectorAll('h2')].find(h => h.textContent === 'Failing inputs by bug').nextElementSibling.querySelectorAll('tbody tr').length")
	b.is("3", "document.querySelectorAll('figure svg').length")
	b.is("true", "[...document.querySelectorAll('.tiles li, figure svg, tbody tr')].every(e => e.getBoundingClientRect().height > 10)")
	b.is("0", "document.querySelectorAll('td b, script').length")
	b.is("FuzzA r0-t0-s3 for 5s", "[...document.querySelectorAll('td')].pop().textContent")
	background, curve := "getComputedStyle(document.body).backgroundColor", "getComputedStyle(document.querySelector('figure.k polyline')).stroke"
	b.is("rgb(255, 255, 255)", background)
	b.is("rgb(26, 127, 55)", curve)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	b.is("rgb(15, 19, 24)", background)
	b.is("rgb(86, 208, 113)", curve)
	for _, width := range []int{360, 1200} {
		b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
		b.is("true", "document.documentElement.scrollWidth <= innerWidth")
	}
	b.quiet()
}

func TestBrowserWithHostileResults(t *testing.T) {
	b := startBrowser(t)
	for _, r := range results(t, `</script></style></pre><script>console.log(1)</script><img src="https://example.com/x.png" onerror="console.log(2)">`) {
		b.open(pageFile(t, r))
		b.eval(settled, nil)
		b.quiet()
	}
}

// perFile is how many mutants a file of a large result has.
const perFile = 2000

// large is a result with many mutants, in files of a thousand lines with a block of what is
// covered for each five of them.
func large(t testing.TB, n int) *report.TestReport {
	t.Helper()
	dir := t.TempDir()
	r := &report.TestReport{
		Packages: []report.TestRun{{Package: "example.com/calc", Tests: []report.TestResult{{Name: "TestA", Kills: n}}, Judged: n}},
		Covered:  make(report.Profile),
	}
	for i := range n {
		name := fmt.Sprintf("file%02d.go", i/perFile)
		if i%perFile == 0 {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat(lineOfSource, perFile/2)), 0o666); err != nil {
				t.Fatal(err)
			}
			for line := 1; line <= perFile/2; line += 5 {
				key := path.Join(reporttest.Killed("", 1, "").Package, name)
				r.Covered[key] = append(r.Covered[key], blockAt(line, 3, line+4, 9, 5, line%15 != 1))
			}
		}
		m := reporttest.Killed(fmt.Sprintf("k%05d", i), 1+i%perFile/2, "assertion")
		switch i % 10 {
		case 0, 1:
			m = reporttest.Mutant(fmt.Sprintf("s%05d", i), "f", 1+i%perFile/2, report.Survived, 3, 1)
			m.Tests = []string{"TestA", "TestB"}
		case 2:
			m = reporttest.Mutant(fmt.Sprintf("n%05d", i), "f", 1+i%perFile/2, report.NotCovered, 0, 0)
		}
		m.File, m.Root, m.Function = name, dir, fmt.Sprintf("f%03d", i/100)
		m.Replacement = fmt.Sprintf("sum >= x+%d", i%7)
		r.Mutants = append(r.Mutants, m)
	}
	r.Score = report.Summarise(r.Mutants)
	return r
}

// spent is how long the page kept a processor busy so far, in seconds.
func (b *browser) spent() (seconds float64) {
	b.t.Helper()
	b.eval(settled, nil)
	var metrics struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	b.call("Performance.getMetrics", nil, &metrics)
	for _, m := range metrics.Metrics {
		if m.Name == "TaskDuration" {
			seconds = m.Value
		}
	}
	return seconds
}

// A page with many mutants opens, and its filters work. How long it takes is logged, as time of a
// processor: what else the machine does has no part in it.
func TestBrowserWithManyMutants(t *testing.T) {
	const n = 20_000
	path := pageFile(t, large(t, n))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t)
	b.call("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
	before := b.spent()
	step := func(what, script string) {
		t.Helper()
		if script != "" {
			b.eval(script, nil)
		}
		now := b.spent()
		t.Logf("%s: %.2f s of a processor", what, now-before)
		before = b.spent()
	}
	const key = `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: %q, bubbles: true}))`

	b.open(path)
	step(fmt.Sprintf("open a page of %.1f MB", float64(info.Size())/1e6), "")
	var nodes, load float64
	b.eval("(() => { let n = 0; for (const w = document.createTreeWalker(document); w.nextNode();) n++; return n })()", &nodes)
	b.eval("performance.getEntriesByType('navigation')[0].loadEventEnd", &load)
	t.Logf("%.0f nodes, loaded after %.0f ms by the clock", nodes, load)
	b.is("0", "document.querySelectorAll('.src').length") // no file is open
	b.spent()

	step("filter", fmt.Sprintf(key, "s"))
	b.is("4,000 of 20,000 mutants", "document.getElementById('filters').elements.shown.value")
	b.is(fmt.Sprint(n/10), shownFindings) // two survivors each
	step("go to the next mutant", fmt.Sprintf(key, "n"))
	b.is("true", "document.activeElement.matches('.src li.s')")
	b.is(fmt.Sprint(perFile/5), shownMutants)
	step("go to the last mutant", fmt.Sprintf(key+";"+key, "p", "p"))
	b.is("true", "document.activeElement.checkVisibility() && document.activeElement.closest('.file') === [...document.querySelectorAll('.file')].at(-1)")
	step("open a file", "document.querySelectorAll('.file > summary')[1].focus();"+fmt.Sprintf(key, "o"))
	b.is(fmt.Sprint(3*perFile/5), shownMutants)
	b.is(fmt.Sprint(3*perFile/2), "document.querySelectorAll('.src .cv, .src .un, .src .pt').length") // two mutants a line
	step("follow a link", "location.hash = '#m-k09999'")
	b.is("true", "document.querySelector('#m-k09999').closest('details').open")
	b.is("true", "document.querySelector('#m-k09999').hidden") // the filter holds there, too
	step("filter by text", "document.querySelector('[name=text]').value = 'x+5'; document.querySelector('[name=text]').dispatchEvent(new Event('input', {bubbles: true}))")
	b.is("571 of 20,000 mutants", "document.getElementById('filters').elements.shown.value")
	b.quiet()
}

// TestPicture takes a picture of a page that flags name.
func TestPicture(t *testing.T) {
	if *pictureOf == "" {
		t.Skip("no -page is given")
	}
	path, err := filepath.Abs(*pictureOf)
	if err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t)
	if *dark {
		b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, nil)
	}
	b.open(path)
	if *before != "" {
		b.eval(*before+"; "+settled, nil)
	}
	b.shot(*picture)
}

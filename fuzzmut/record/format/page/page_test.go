package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/source"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
	values "github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// rooted writes the source of the mutants of package reporttest.
func rooted(t testing.TB, text string, lists ...[]report.Mutant) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "eval.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, ms := range lists {
		for i := range ms {
			ms[i].Root = dir
		}
	}
}

// lineOfSource is where package reporttest has its mutants.
var lineOfSource = "\tif é (sum > x) {\n"

func written(t testing.TB, r report.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (Format{}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// parsed reads a page as a browser does that runs no scripts: the source is there.
func parsed(t testing.TB, page []byte) *html.Node {
	t.Helper()
	return parsedWith(t, page, false)
}

// parsedWith reads a page as a browser does. If it runs scripts, noscript elements are text.
func parsedWith(t testing.TB, page []byte, scripts bool) *html.Node {
	t.Helper()
	doc, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(scripts))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// elements returns the elements with a name, in order.
func elements(doc *html.Node, name string) (list []*html.Node) {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			list = append(list, n)
		}
	}
	return list
}

// textOf is all text of a node, with single spaces.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func byID(t testing.TB, doc *html.Node, id string) *html.Node {
	t.Helper()
	var found *html.Node
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && attribute(n, "id") == id {
			if found != nil {
				t.Errorf("two elements have the ID %s", id)
			}
			found = n
		}
	}
	if found == nil {
		t.Fatalf("no element has the ID %s", id)
	}
	return found
}

func contains(t testing.TB, n *html.Node, wants ...string) {
	t.Helper()
	text := textOf(n)
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// checkLinks: each link leads to an element of the page.
func checkLinks(t testing.TB, doc *html.Node) {
	t.Helper()
	ids := make(map[string]bool)
	for n := range doc.Descendants() {
		if id := attribute(n, "id"); id != "" {
			if ids[id] {
				t.Errorf("two elements have the ID %q", id)
			}
			ids[id] = true
		}
	}
	for _, a := range elements(doc, "a") {
		if href := attribute(a, "href"); !strings.HasPrefix(href, "#") || !ids[strings.TrimPrefix(href, "#")] {
			t.Errorf("link to %q leads nowhere", href)
		}
	}
}

func TestPageOfTests(t *testing.T) {
	r := reporttest.Tested()
	rooted(t, strings.Repeat(lineOfSource, 100), r.Mutants)
	doc := parsed(t, written(t, r))
	checkLinks(t, doc)
	contains(t, byID(t, doc, "summary"), "Mutation score 20.0 %: 2 of 10 mutants killed.", "7 survived", "1 not covered", "1 ignored", "1 not judged",
		"TestRed, TestFlaky", "verdicts can't be kept", "interrupted")
	contains(t, byID(t, doc, "survivors"), "eval.go:30 changed > to >=", "calc_test.go:12 (TestA) does not check result 0 (calc.Sum) of calc.Sub: .n: 1 vs 2",
		"- if (sum > x) != (y > 0) {", "+ if (sum >= x) != (y > 0) {")
	contains(t, byID(t, doc, "m-k1"), "killed changed > to >=", "-if é (sum > x) {", "+if é (sum >= x) {", "assertion", "by seed#0")
	contains(t, byID(t, doc, "m-s1"), "survived", "reached by TestA, TestB, example.com/calc/zero.TestZ")
	contains(t, byID(t, doc, "m-n1"), "not covered", report.OnlySetAside+"TestFlaky")
	contains(t, byID(t, doc, "m-x2"), "ignored", "directive: debugging aid")
	if n := len(elements(byID(t, doc, "f1"), "code")); n != 101 {
		t.Errorf("%d lines of source with the file's name", n)
	}
}

func TestPageOfFuzzTests(t *testing.T) {
	r := reporttest.Fuzzed()
	// Another fuzz test knows more of a survivor, and less of a killed one.
	other := reporttest.Mutant("k1", "add", 10, report.Survived, 3, 0)
	r.Tests[1].Mutants = []report.Mutant{reporttest.Killed("sa", 30, "panic"), other, reporttest.Mutant("so", "add", 62, report.Survived, 3, 0)}
	rooted(t, strings.Repeat(lineOfSource, 100), r.Tests[0].Mutants, r.Tests[1].Mutants)
	r.Tests[0].Mutants[11].ReachedBy, r.Tests[0].Mutants[23].ReachedBy = "mine", "gone"
	r.Covered = report.Profile{"example.com/calc/eval.go": {blockAt(10, 2, 12, 7, 2, true), blockAt(12, 8, 13, 20, 1, false)}}
	r.Tests[0].Golden = goldenFileOf(t, "a", "calc.Eval #1 result 0", "int64 7")
	r.Tests[0].Growth = []runlog.Point{{}, {Seconds: 30, Covered: 79, Killed: 4}, {Seconds: 60, Covered: 89, Killed: 5}}
	r.Tests[0].Late.Unconfirmed = 2
	r.Tests[0].Entries = []report.Entry{
		{Name: "seed#0", Data: string(corpus.Marshal([]any{"1+2", 3})), Blocks: 12},
		{Name: "mine", Path: "testdata/fuzz/FuzzEval/mine", Data: string(corpus.Marshal([]any{"a"}))},
		{Name: corpus.ManagedName(corpus.Marshal([]any{"b"})), Path: "x", Data: string(corpus.Marshal([]any{"b"}))},
		{Name: "damaged", Path: "y", Data: "no entry"},
	}
	doc := parsed(t, written(t, r))
	checkLinks(t, doc)
	contains(t, byID(t, doc, "summary"), "FuzzEval", "89 of 90 blocks", "FuzzRun", "read-only file system", "git add testdata/fuzz")
	contains(t, byID(t, doc, "summary"), "3 of them only by a different result (oracle gaps)", "FuzzEval: left for another run, since the time or budget was over: 2 kills to be confirmed",
		"FuzzEval: blocks covered while fuzzing 89", "FuzzEval: mutants killed while fuzzing 5 0 s 60.0 s")
	if curves := elements(doc, "polyline"); len(curves) != 2 || attribute(curves[0], "points") != "0.0,120.0 300.0,120.0 300.0,13.5 600.0,13.5 600.0,0.0" {
		t.Errorf("%d curves, the first %q", len(curves), attribute(curves[0], "points"))
	}
	contains(t, byID(t, doc, "failing"), "panic FuzzRun: index out of range [2] with length 2", "example.com/calc.(*S).nth calc.go:151", "go test -run='^FuzzRun$/^a1$' .",
		"hang FuzzRun: it does not end", "1,500 failing executions", "2 more inputs not shown")
	contains(t, byID(t, doc, "failing"), "Failing and costly inputs", "costly FuzzEval: work grows as length^2.0, processor time as length^1.9", "example.com/calc.sub eval.go:33",
		`"(" + strings.Repeat(";", n)`, "argument 1 is int64(3)", "1 MiB takes 70.0 s (extrapolated)")
	contains(t, byID(t, doc, "summary"), "1 place with costly inputs")
	contains(t, byID(t, doc, "m-sa"), "killed", "by FuzzRun/seed#0")
	contains(t, byID(t, doc, "corpus"), "FuzzEval: 4 entries, 2 new ones")
	contains(t, byID(t, doc, "e1"), `seed "1+2", 3 first to kill 5 mutants; covers 12 blocks`, `string("1+2") int(3)`, "eval.go:10 changed > to >=")
	contains(t, byID(t, doc, "e2"), `file "a"`, "golden values", "calc.Eval #1 result 0 int64 7")
	contains(t, byID(t, doc, "e3"), `fuzzmut "b"`)
	byID(t, doc, "e4")
	contains(t, byID(t, doc, "m-k1"), "killed", "by FuzzEval/seed#0")
	contains(t, byID(t, doc, "m-so"), "killed by an input that is left out", "killed by an input that -corpus-size leaves no room for: 811e73f41885be1b")
	contains(t, byID(t, doc, "summary"), "13 survived", "1 killed by an input that is left out",
		"FuzzEval: killed only by inputs that the corpus has no room for: 1 mutant; another run with -corpus-size 15 adds them")
	contains(t, byID(t, doc, "m-sb"), "survived", "one of them: FuzzEval/mine FuzzEval/mine")
	contains(t, byID(t, doc, "s-sb"), `FuzzEval/mine reaches it: "a"`)
	contains(t, byID(t, doc, "s-sn"), "FuzzEval/gone reaches it")
	contains(t, byID(t, doc, "summary"), "66.7 % of statements covered")
	contains(t, byID(t, doc, "source"), "stands what the resulting corpus covers", "66.7 % of 3 statements covered")
}

// blockAt is a block of a profile.
func blockAt(line, column, endLine, endColumn, statements int, covered bool) report.ProfileBlock {
	return report.ProfileBlock{
		StartLine: line, StartColumn: column, EndLine: endLine, EndColumn: endColumn, Statements: statements, Covered: covered,
	}
}

// The lines of a file say how far they are covered, by the blocks of go test.
func TestWhatIsCoveredStandsBesideTheSource(t *testing.T) {
	src := source.New("a.go", "func f(x int) {\n\tif x > 0 { g() }\r\n\tfor {\n\t\t// nothing\n\n\t\th(func() {\n\t\t})\n\t}\n}\n")
	blocks := []report.ProfileBlock{
		blockAt(1, 15, 2, 11, 1, true), blockAt(2, 11, 2, 18, 1, false), blockAt(3, 2, 3, 6, 1, true), blockAt(3, 6, 7, 5, 2, false), blockAt(8, 1, 99, 9, 1, true), blockAt(0, 0, 0, 0, 1, true),
	}
	lines := covers(src, blocks)
	if want := []cover{0, partly, covered, 0, 0, uncovered, 0, 0, 0, 0}; !slices.Equal(lines, want) {
		t.Errorf("%v, want %v", lines, want)
	}
	want := map[int][]piece{1: {{"\tif x > 0 ", false}, {"{ g() }", true}}}
	if got := pieces(src, blocks, lines); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, c := range []struct {
		parts [][2]int
		want  []piece
	}{
		{nil, []piece{{"abcdef", false}}},
		{[][2]int{{4, 6}, {0, 2}}, []piece{{"ab", true}, {"cd", false}, {"ef", true}}},
		{[][2]int{{1, 4}, {2, 3}, {3, 9}}, []piece{{"a", false}, {"bcd", true}, {"ef", true}}},
	} {
		if got := cutAt("abcdef", c.parts); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.parts, got, c.want)
		}
	}
}

// goldenFileOf writes the golden value of an entry with one string.
func goldenFileOf(t testing.TB, arg, name, text string) string {
	t.Helper()
	path := store.Path(t.TempDir(), "FuzzEval")
	e := corpus.Entry{Name: "mine", Input: corpus.Of(arg)}
	put := store.Entry(&e, []values.Value{{Name: name, Text: text}})
	if err := store.Apply(path, store.Change{Packages: ".", Put: []values.Entry{put}}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPageOfTriage(t *testing.T) {
	doc := parsed(t, written(t, reporttest.Triaged()))
	checkLinks(t, doc)
	contains(t, byID(t, doc, "summary"), "2 failing inputs in 2 buckets.", "FuzzX: input c: flaky: it depends")
	contains(t, byID(t, doc, "b1"), "panic FuzzX, bucket 1: boom", "x.Parse x.go:7", `string("(")`, "It passes with returned early if p == nil Parse x.go:7",
		"+ if p == nil { return }; use(p)", "passes at v1; fails since abc a change", "Suspected places, the most suspect first muse: x.go:7 (0.50) ochiai: x.go:7 (0.25)", "at distance 0.50: buckets 2, 3", "go test -run='^FuzzX$/^a$' .")
	contains(t, byID(t, doc, "b2"), "hang", "sorted by stack and coverage", "fails at v1, too", "breaks an input that passes")
}

func TestPageOfCostlyInputsThatWereSorted(t *testing.T) {
	doc := parsed(t, written(t, reporttest.TriagedCostly()))
	checkLinks(t, doc)
	contains(t, byID(t, doc, "summary"), "2 failing inputs in 2 buckets.", "1 costly input in 1 bucket.")
	contains(t, byID(t, doc, "b3"), "cost FuzzX, bucket 3: work grows as length^2.0", "The input, as a function of n", "It is cheap with left early Eval eval.go:30", "at v1: not run: it passes")
}

func TestPageOfGoldenValues(t *testing.T) {
	doc := parsed(t, written(t, reporttest.Verified()))
	checkLinks(t, doc)
	contains(t, byID(t, doc, "summary"), "7 differences from the golden values, and 1 entry fails: 5 causes.", "FuzzNone", "no golden values")
	contains(t, byID(t, doc, "d1"), "value FuzzParse: a different value", "p.Late result 0 (p/p_test.go:10)", "- bool true", "+ bool false", "entries: seed#0, seed#1, seed#2")
	contains(t, byID(t, doc, "d4"), "panic", "+ boom")
	contains(t, byID(t, doc, "d5"), "damaged", "fuzz-golden/FuzzParse/x: line 3: a git conflict marker")
}

func TestPageOfADifference(t *testing.T) {
	doc := parsed(t, written(t, reporttest.Compared()))
	checkLinks(t, doc)
	contains(t, byID(t, doc, "summary"), "1 difference in behavior, and 1 accepted.", "FuzzP 1,234 input 7", "p.go:3-4 a difference was seen", "p.go:9, taken out not reached",
		"1 of 2 3 of 5", "not compared: Q: unexported", "warning: slow", "written: p_test.go", "derived for P", "fuzzmut diff main .")
	contains(t, byID(t, doc, "d1"), "value P: a different value", "12 inputs of FuzzP and 1 other fuzz test show it", "- a + b + c", "- int 1 + int 2", `string("x")`,
		"fuzzmut diff -input x", "10 → 1,000 units of work", "caused by example.com/dep v1.1.0 in place of v1.0.0")
	contains(t, byID(t, doc, "d2"), "accepted P: fails, and did not")
	nothing := parsed(t, written(t, &behavior.Report{Nothing: "no Go file differs"}))
	contains(t, byID(t, nothing, "summary"), "Nothing to compare: no Go file differs.")
}

// A page without scripts has no part that only a script shows, but for the filters.
func TestOnlyFiltersNeedTheScript(t *testing.T) {
	r := reporttest.Tested()
	rooted(t, strings.Repeat(lineOfSource, 100), r.Mutants)
	for n := range parsed(t, written(t, r)).Descendants() {
		for _, a := range n.Attr {
			if a.Key == "hidden" && attribute(n, "id") != "filters" {
				t.Errorf("a hidden %s", n.Data)
			}
		}
	}
}

func TestTheSameResultIsWrittenTheSame(t *testing.T) {
	r := reporttest.Tested()
	rooted(t, strings.Repeat(lineOfSource, 100), r.Mutants)
	first := written(t, r)
	for range 10 {
		if !bytes.Equal(first, written(t, r)) {
			t.Fatal("the bytes differ")
		}
	}
}

func TestAChangedFileIsAnError(t *testing.T) {
	for _, text := range []string{"", "\tif e (sum < x)", strings.Repeat(lineOfSource, 5)} {
		r := reporttest.Tested()
		rooted(t, text, r.Mutants)
		if err := (Format{}).Write(new(bytes.Buffer), r); err == nil || !strings.Contains(err.Error(), "eval.go has changed since its mutants were made") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := (Format{}).Write(new(bytes.Buffer), &report.Written{}); err == nil {
		t.Error("a page of another result")
	}
}

func TestLinesThatChange(t *testing.T) {
	const src = "a\n\tb(\n\t\tc)\r\nd\n"
	for _, c := range []struct {
		line, column          int
		original, replacement string
		want                  string
	}{
		{1, 1, "a", "x", "-a +x"},
		{2, 2, "b(\n\t\tc)", "", "-b( -\tc)"},
		{2, 4, "\n\t\tc", "d", "-b( -\tc) +b(d)"},
		{4, 1, "d", "d\ne", "+e"},
		{4, 1, "d\n", "", "-d"},
		{1, 1, "", "z\n", "+z"},
	} {
		m := &report.Mutant{Line: c.line, Column: c.column, Original: c.original, Replacement: c.replacement}
		var got []string
		for _, l := range changesOf(t, src, m) {
			got = append(got, l.Sign+l.Text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q to %q: %q, want %q", c.original, c.replacement, got, c.want)
		}
	}
}

// elementsOfPages are those that pages have.
var elementsOfPages = strings.Fields(`html head meta title style body header h1 h2 h3 h4 p nav a main section ul li b i span svg rect div table caption thead tbody tr th td
	pre article details summary small del ins dl dt dd form fieldset legend label input select option button output kbd code u footer script noscript figure figcaption polygon polyline`)

// checkSafe: nothing that a result holds is markup, nor obeyed by whoever shows the page.
func checkSafe(t testing.TB, page []byte) {
	t.Helper()
	if !utf8.Valid(page) {
		t.Error("the page is not UTF-8")
	}
	for _, r := range string(page) {
		if r != '\n' && r != '\t' && !unicode.IsGraphic(r) {
			t.Errorf("the page has %U", r)
		}
	}
	for _, scripts := range []bool{false, true} {
		checkElements(t, parsedWith(t, page, scripts))
	}
	checkPolicy(t, parsed(t, page))
}

// checkElements: the elements are those of pages, and run or load nothing.
func checkElements(t testing.TB, doc *html.Node) {
	t.Helper()
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode || n.Type == html.ElementNode && !slices.Contains(elementsOfPages, n.Data) {
			t.Errorf("the page has a %q", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || slices.Contains([]string{"style", "src", "srcset", "action"}, a.Key) || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("the page has %s=%q", a.Key, a.Val)
			}
		}
	}
}

// checkPolicy: the page allows its own style and script, and nothing else.
func checkPolicy(t testing.TB, doc *html.Node) {
	t.Helper()
	var policy string
	for _, meta := range elements(doc, "meta") {
		if attribute(meta, "http-equiv") == "Content-Security-Policy" {
			policy = attribute(meta, "content")
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("policy %q", policy)
	}
	for _, name := range []string{"style", "script"} {
		list := elements(doc, name)
		if len(list) != 1 {
			t.Fatalf("%d elements %s", len(list), name)
		}
		sum := sha256.Sum256([]byte(list[0].FirstChild.Data))
		if !strings.Contains(policy, name+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("the policy does not allow the page's own %s", name)
		}
	}
}

// spoil puts a text into each text of a value, but for those that say where source is.
func spoil(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			spoil(v.Elem(), text)
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i), text)
		}
	case reflect.Struct:
		_, mutant := v.Interface().(report.Mutant)
		for i := range v.NumField() {
			if mutant && slices.Contains([]string{"File", "Root", "Original", "Status"}, v.Type().Field(i).Name) {
				continue
			}
			spoil(v.Field(i), text)
		}
	case reflect.String:
		v.SetString(text)
	}
}

// results returns a result of each kind, with a text everywhere, in the source, too.
func results(t testing.TB, text string) []report.Result {
	fuzzed, tested := reporttest.Fuzzed(), reporttest.Tested()
	fuzzed.Tests[0].Entries = []report.Entry{{}, {}}
	fuzzed.Tests[0].Growth = []runlog.Point{{}, {Seconds: 1, Killed: 2}}
	triaged, verified, differing := reporttest.Triaged(), reporttest.Verified(), reporttest.Compared()
	all := []report.Result{fuzzed, tested, triaged, verified, differing}
	for _, r := range all {
		spoil(reflect.ValueOf(r), text)
	}
	rooted(t, strings.Repeat(lineOfSource, 100)+text, tested.Mutants, fuzzed.Tests[0].Mutants)
	fuzzed.Covered = report.Profile{path.Join(text, "eval.go"): {blockAt(1, 1, 50, 9, 3, true), blockAt(50, 9, 300, 2, 3, false)}}
	tested.Covered = fuzzed.Covered
	fuzzed.Tests[0].Golden = goldenFileOf(t, "a", "x", strings.ToValidUTF8(text, "?"))
	fuzzed.Tests[0].Entries[1].Data = string(corpus.Marshal([]any{text}))
	fuzzed.Tests[0].Entries[0].Data = string(corpus.Marshal([]any{"a"}))
	return all
}

// FuzzPage puts any text everywhere in results.
func FuzzPage(f *testing.F) {
	f.Add("plain")
	f.Add("</script><script>alert(1)</script>")
	f.Add("</style></title></pre></code></details><img src=x onerror=alert(1)>")
	f.Add("\" onclick=alert(1) x=\"' -->&amp;&#60;b&gt;<!--")
	f.Add("\xff\xfe\x00\x1b[31m\r\n\u202e\u2066\u200b\ufeff")
	f.Add("javascript:alert(1)//{{.Style}}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range results(t, text) {
			page := written(t, r)
			checkSafe(t, page)
			checkLinks(t, parsed(t, page))
		}
	})
}

func changesOf(t *testing.T, text string, m *report.Mutant) []change {
	t.Helper()
	src := source.New("a.go", text)
	at, err := src.Locate(m)
	if err != nil {
		t.Fatal(err)
	}
	return changes(src, at, m)
}

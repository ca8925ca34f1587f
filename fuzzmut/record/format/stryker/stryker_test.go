package stryker

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/source"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

// schema compiles the schema of the reports.
func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("testdata/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate holds a report against the schema, and reads it.
func validate(t testing.TB, s *jsonschema.Schema, data []byte) *document {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	var doc document
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

// written returns a result as a report that the schema allows.
func written(t testing.TB, r report.Result) (*document, []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := (Format{Version: "v1.2.3"}).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return validate(t, schema(t), b.Bytes()), b.Bytes()
}

// writeFile writes a file below a new directory, and returns that.
func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// rooted gives the mutants of package reporttest the source that they are of.
func rooted(t testing.TB, lists ...[]report.Mutant) string {
	t.Helper()
	dir := writeFile(t, "eval.go", strings.Repeat("\tif é (sum > x) {\n", 100))
	for _, ms := range lists {
		for i := range ms {
			ms[i].Root = dir
		}
	}
	return dir
}

func compareGolden(t *testing.T, name, root string, got []byte) {
	t.Helper()
	quoted, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	goldenfile.Compare(t, name, bytes.ReplaceAll(got, quoted, []byte(`"ROOT"`)))
}

func TestResultsOfFuzzTests(t *testing.T) {
	r := reporttest.Fuzzed()
	r.Tests[0].Mutants = append(r.Tests[0].Mutants, reporttest.Killed("k6", 15, "fuel"))
	// Another fuzz test knows more of a survivor, and less of a killed one.
	other := reporttest.Mutant("k1", "add", 10, report.Survived, 3, 0)
	r.Tests[1].Mutants = []report.Mutant{reporttest.Killed("sa", 30, "panic"), other}
	root := rooted(t, r.Tests[0].Mutants, r.Tests[1].Mutants)
	doc, got := written(t, r)
	compareGolden(t, "fuzzed.json", root, got)
	checkScore(t, doc, report.Total(r.Tests))
}

func TestResultsOfTests(t *testing.T) {
	r := reporttest.Tested()
	root := rooted(t, r.Mutants)
	doc, got := written(t, r)
	compareGolden(t, "tested.json", root, got)
	checkScore(t, doc, r.Score)
}

// checkScore computes the score as readers of the schema do.
func checkScore(t *testing.T, doc *document, want report.Score) {
	t.Helper()
	n := make(map[string]int)
	for _, f := range doc.Files {
		for _, m := range f.Mutants {
			n[m.Status]++
		}
	}
	detected := n["Killed"] + n["Timeout"]
	if all := detected + n["Survived"] + n["NoCoverage"]; detected != want.Killed || all != want.Mutants {
		t.Errorf("%d of %d mutants detected, want %d of %d", detected, all, want.Killed, want.Mutants)
	}
}

func TestTheSameResultIsWrittenTheSame(t *testing.T) {
	r := reporttest.Tested()
	rooted(t, r.Mutants)
	_, first := written(t, r)
	for range 10 {
		if _, again := written(t, r); !bytes.Equal(first, again) {
			t.Fatal("the bytes differ")
		}
	}
}

func TestStatuses(t *testing.T) {
	mutant := func(status, kind, detail, reason string) report.Mutant {
		m := reporttest.Mutant("m", "f", 1, status, 1, 1)
		m.KillKind, m.Detail, m.Reason = kind, detail, reason
		if status == report.Killed {
			m.KilledBy = "seed#0"
		}
		return m
	}
	with := func(m report.Mutant, change func(*report.Mutant)) report.Mutant {
		change(&m)
		return m
	}
	for _, c := range []struct {
		name           string
		m              report.Mutant
		status, reason string
		static         bool
	}{
		{"assertion", mutant(report.Killed, "assertion", "got 1", ""), "Killed", "assertion: the fuzz test fails: got 1", false},
		{"difference", mutant(report.Killed, "difference", "1 vs 2", ""), "Killed", "difference: a value that is observed differs: 1 vs 2", false},
		{"only inside", mutant(report.Killed, "only-inside", "", ""), "Killed", "only-inside: a value differs, but in nothing that a caller can see", false},
		{"exit", mutant(report.Killed, "exit", "", ""), "Killed", "exit: the process exits or dies", false},
		{"memory", mutant(report.Killed, "memory", "", ""), "Killed", "memory", false},
		{"fuel", mutant(report.Killed, "fuel", "", ""), "Timeout", "fuel: it does many times the work of the original, or never ends", false},
		{"timeout", mutant(report.Killed, "timeout", "", ""), "Timeout", "timeout", false},
		{
			"unconfirmed, before the first input", with(mutant(report.Killed, "panic", "boom", ""), func(m *report.Mutant) { m.KilledBy, m.Unconfirmed = "", true }),
			"Killed", "panic: the code under test panics: boom; before the first input or test; it was not run once more", false,
		},
		{"survived", mutant(report.Survived, "", "", ""), "Survived", "", false},
		{
			"no effect", with(mutant(report.Survived, "", "", ""), func(m *report.Mutant) { m.Class = report.NotInfected }),
			"Survived", "no different value was computed", false,
		},
		{
			"accepted", with(mutant(report.Survived, "", "", "a reason"), func(m *report.Mutant) { m.Baseline = report.Accepted }),
			"Survived", "accepted; a reason", false,
		},
		{
			"noticed elsewhere", with(mutant(report.Survived, "", "", ""), func(m *report.Mutant) {
				m.OtherTests = report.Others{Status: report.Killed, KilledBy: "TestA"}
			}),
			"Survived", "another test notices it: TestA", false,
		},
		{"not covered", mutant(report.NotCovered, "", "", ""), "NoCoverage", "", false},
		{"skipped", mutant(report.Skipped, "", "", "directive: debugging aid"), "Ignored", "directive: debugging aid", false},
		{"static", mutant(report.Static, "", "", "package-level initializer"), "Ignored", "package-level initializer", true},
		{
			"run at the start", with(mutant(report.Survived, "", "", ""), func(m *report.Mutant) { m.Start.Reached = true }),
			"Survived", "", true,
		},
		{"pending", mutant(report.Pending, "", "", "out of time"), "Pending", "out of time", false},
	} {
		ms := []report.Mutant{c.m}
		rooted(t, ms)
		doc, _ := written(t, &report.Report{Tests: []report.FuzzTest{{Package: "p", Name: "FuzzF", Mutants: ms}}})
		got := doc.Files["eval.go"].Mutants[0]
		if got.Status != c.status || got.StatusReason != c.reason || got.Static != c.static {
			t.Errorf("%s: %s %q static %v", c.name, got.Status, got.StatusReason, got.Static)
		}
	}
}

func TestKillsByTestsSayWhatTestsDo(t *testing.T) {
	ms := []report.Mutant{reporttest.Killed("a", 1, "timeout"), reporttest.Killed("b", 2, "memory")}
	ms[0].KilledBy, ms[1].KilledBy = "TestA", "example.com/other.TestB"
	rooted(t, ms)
	doc, _ := written(t, &report.TestReport{
		Packages: []report.TestRun{{Package: "example.com/other", Tests: []report.TestResult{{Name: "TestB"}}}}, Mutants: ms,
	})
	got := doc.Files["eval.go"].Mutants
	if got[0].StatusReason != "timeout: it blocks: -timeout has passed" || got[1].StatusReason != "memory: it uses more than -memlimit" {
		t.Errorf("%q, %q", got[0].StatusReason, got[1].StatusReason)
	}
	want := map[string]*testFile{
		"example.com/calc":  {Tests: []test{{ID: "example.com/calc.TestA", Name: "TestA"}}},
		"example.com/other": {Tests: []test{{ID: "example.com/other.TestB", Name: "TestB"}}},
	}
	if diff := cmp.Diff(want, doc.TestFiles); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got[0].KilledBy[0] != "example.com/calc.TestA" || got[1].KilledBy[0] != "example.com/other.TestB" {
		t.Errorf("killed by %q and %q", got[0].KilledBy, got[1].KilledBy)
	}
}

// Columns of the schema are in UTF-16: a reader in JavaScript finds the text by them.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line, col  int // in bytes
		original   string
		want       location
	}{
		{"ASCII", "x := a < b\n", 1, 8, "<", location{position{1, 8}, position{1, 9}}},
		{"nothing is replaced", "x()\n", 1, 1, "", location{position{1, 1}, position{1, 1}}},
		{"two bytes, one unit", "é := a\n", 1, 7, "a", location{position{1, 6}, position{1, 7}}},
		{"four bytes, two units", "\"🙂\" + a\n", 1, 8, "+", location{position{1, 6}, position{1, 7}}},
		{"within", "a\nf(\"🙂\")\n", 2, 3, "\"🙂\"", location{position{2, 3}, position{2, 7}}},
		{"several lines", "{\n\té(\n\tüb)\n}\n", 2, 2, "é(\n\tüb)", location{position{2, 2}, position{3, 5}}},
		{"CRLF", "a\r\nb\r\nc\r\n", 2, 1, "b\r\nc", location{position{2, 1}, position{3, 2}}},
		{"to the end of a line", "a\nb\n", 1, 1, "a\n", location{position{1, 1}, position{2, 1}}},
		{"the end of the file", "ab", 1, 3, "", location{position{1, 3}, position{1, 3}}},
		{"byte order mark", "\ufeffx", 1, 4, "x", location{position{1, 2}, position{1, 3}}},
		{"no UTF-8", "\xff\xfe x", 1, 4, "x", location{position{1, 4}, position{1, 5}}},
	} {
		m := &report.Mutant{Root: writeFile(t, "a.go", c.text), File: "a.go", Line: c.line, Column: c.col, Original: c.original}
		src, err := source.Of(nil).Read(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := locate(src, m)
		if err != nil || got != c.want {
			t.Errorf("%s: %v (%v), want %v", c.name, got, err, c.want)
		}
	}
}

func TestAChangedFileIsAnError(t *testing.T) {
	m := reporttest.Mutant("m", "f", 1, report.Survived, 1, 1)
	for _, text := range []string{"", "\tif e (sum < x)", "\n\n"} {
		m.Root = writeFile(t, "eval.go", text)
		err := Format{}.Write(new(bytes.Buffer), &report.TestReport{Mutants: []report.Mutant{m}})
		if want := filepath.Join(m.Root, "eval.go") + " has changed since its mutants were made, at line 1: run fuzzmut again"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	m.Root = t.TempDir()
	if err := (Format{}).Write(new(bytes.Buffer), &report.TestReport{Mutants: []report.Mutant{m}}); err == nil || !strings.Contains(err.Error(), "run fuzzmut in the module") {
		t.Errorf("without the file: %v", err)
	}
}

// Results that are read, as those of shards, don't say where the module is.
func TestMutantsOfTheModuleHere(t *testing.T) {
	ms := []report.Mutant{reporttest.Mutant("m", "f", 1, report.Survived, 1, 1)}
	root := rooted(t, ms)
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	ms[0].Root = ""
	t.Chdir(filepath.Join(root, "sub"))
	var b bytes.Buffer
	if err := (Format{}).Write(&b, &report.TestReport{Mutants: ms}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"eval.go": {`) {
		t.Errorf("%s", &b)
	}
}

func TestMutantsOfSeveralModules(t *testing.T) {
	dir := t.TempDir()
	var ms []report.Mutant
	for _, module := range []string{"a", "b"} {
		m := reporttest.Mutant("m", "f", 1, report.Survived, 1, 1)
		m.Package, m.Root = "example.com/"+module, filepath.Join(dir, module)
		if err := os.Mkdir(m.Root, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(m.Root, "eval.go"), []byte("        sum > x // "+module), 0o666); err != nil {
			t.Fatal(err)
		}
		ms = append(ms, m)
	}
	outside := reporttest.Mutant("o", "f", 1, report.Survived, 1, 1)
	outside.File, outside.Root = filepath.Join(writeFile(t, "o.go", "        sum > x"), "o.go"), ms[0].Root
	doc, _ := written(t, &report.TestReport{Mutants: append(ms, outside)})
	if doc.ProjectRoot != dir || len(doc.Files) != 3 || doc.Files[filepath.ToSlash(outside.File)] == nil {
		t.Errorf("%s, %d files", doc.ProjectRoot, len(doc.Files))
	}
	for _, module := range []string{"a", "b"} {
		f := doc.Files[module+"/eval.go"]
		if f == nil || !strings.HasSuffix(f.Source, module) || f.Mutants[0].ID != "m example.com/"+module {
			t.Errorf("%s: %+v", module, f)
		}
	}
}

func TestOnlyResultsWithMutantsAreWritten(t *testing.T) {
	if err := (Format{}).Write(new(bytes.Buffer), &report.Verification{}); err == nil {
		t.Error("no error")
	}
	doc, _ := written(t, &report.TestReport{})
	if len(doc.Files) != 0 {
		t.Errorf("%d files of nothing", len(doc.Files))
	}
}

func FuzzReport(f *testing.F) {
	f.Add("x := \"</script>\"\n\xff\u2028🙂", "\x00\u2029]]>", "seed#0", "panic", 1, 3)
	f.Add("\r\n\ufeff", "", "", "fuel", 2, 1)
	s := schema(f)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, source, text, entry, kind string, line, column int) {
		if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		killed := report.Mutant{
			ID: text, Operator: text, Package: text, Function: text, File: "a.go", Root: dir, Line: line, Column: column, Replacement: text,
			Description: text, Status: report.Killed, KillKind: kind, KilledBy: entry, Detail: text, Reached: 1,
		}
		if start := min(len(source), len(text)); line == 1 && column == 1 {
			killed.Original = source[:start]
		}
		skipped := killed
		skipped.ID, skipped.Status, skipped.Reason = text+"2", report.Skipped, text
		r := &report.Report{Tests: []report.FuzzTest{{Package: text, Name: text, Mutants: []report.Mutant{killed, skipped}}}}
		var b bytes.Buffer
		if err := (Format{Version: "v1"}).Write(&b, r); err != nil {
			if strings.Contains(err.Error(), "has changed since") && (line != 1 || column != 1) {
				t.Skip() // the place is not in the source
			}
			t.Fatal(err)
		}
		doc := validate(t, s, b.Bytes())
		if got, want := doc.Files["a.go"].Source, strings.ToValidUTF8(source, "\ufffd"); !strings.Contains(source, "\ufffd") && strings.Count(got, "\ufffd") == 0 && got != want {
			t.Errorf("source %q, want %q", got, want)
		}
		if bytes.Contains(b.Bytes(), []byte("</script")) {
			t.Error("markup is not escaped")
		}
	})
}

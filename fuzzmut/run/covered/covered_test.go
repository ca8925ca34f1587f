package covered

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// loaded is a package under test of that import path.
func loaded(path string) *load.Result {
	return &load.Result{Test: instrument.TestPackage{ImportPath: path}}
}

func TestWhatFailsIsLeftOut(t *testing.T) {
	list := []corpus.Entry{corpus.Of(1).Seed(0), corpus.Of(2).Seed(1), corpus.Of(3).Seed(2), corpus.Of(4).Found(), corpus.Of(5).Found()}
	var c Corpora
	c.Add(loaded("p"), "FuzzA", nil, nil)
	c.Add(loaded("p"), "FuzzA", list, func(i int) bool { return i == 1 || i == 2 || i == 4 })
	c.Add(loaded("p"), "FuzzB", list[:1], func(int) bool { return false })
	c.Add(loaded("q"), "FuzzB", nil, nil)
	if len(c.packages) != 2 {
		t.Fatalf("%d packages", len(c.packages))
	}
	p := c.packages[0]
	if of := p.fuzz["FuzzA"]; of.seeds != 1 || len(of.files) != 1 || of.files[0].Name != list[3].Name {
		t.Errorf("%+v", of)
	}
	if got := p.pattern(); got != "^(FuzzA|FuzzB)$" {
		t.Errorf("runs %s", got)
	}
	if got := p.skipped(); got != `^FuzzA$/^(seed#1|seed#2)$` {
		t.Errorf("skips %s", got)
	}
	if got := c.packages[1].skipped(); got != "" {
		t.Errorf("skips %s", got)
	}
}

func TestProfilesAreWrittenAsTheGoCommandDoes(t *testing.T) {
	const text = "mode: set\na/a.go:1.2,3.4 5 0\na/a.go:3.4,5.6 1 1\nb/b.go:1.1,2.2 1 1\n"
	profile, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	profile[0].Blocks[1].Count = 7 // as the race detector's mode has it
	var out strings.Builder
	if err := profile.write(&out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := report.Profile{
		"a/a.go": {{StartLine: 1, StartColumn: 2, EndLine: 3, EndColumn: 4, Statements: 5, Covered: false}, {StartLine: 3, StartColumn: 4, EndLine: 5, EndColumn: 6, Statements: 1, Covered: true}},
		"b/b.go": {{StartLine: 1, StartColumn: 1, EndLine: 2, EndColumn: 2, Statements: 1, Covered: true}},
	}
	if diff := cmp.Diff(want, profile.Report()); diff != "" {
		t.Errorf("in a result (-want +got):\n%s", diff)
	}
}

func TestOutputOfGoTest(t *testing.T) {
	out := readOutput([]byte(`go: downloading
{"Action":"start"}
{"Action":"run","Test":"FuzzA"}
{"Action":"output","Test":"FuzzA","Output":"=== RUN   FuzzA\n"}
{"Action":"run","Test":"FuzzA/seed#0"}
{"Action":"run","Test":"FuzzA/my entry"}
{"Action":"run","Test":"FuzzA/my entry/sub"}
{"Action":"run","Test":"FuzzB/x"}
{"Action":"output","Test":"FuzzB","Output":"--- PASS: FuzzB\n"}
{"Action":"output","Test":"FuzzB","Output":"    b_test.go:1: no\n"}
`))
	if diff := cmp.Diff(map[string]int{"FuzzA": 2, "FuzzB": 1}, out.ran); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := out.firstLine(nil); got != "go: downloading" {
		t.Errorf("first line %q", got)
	}
	p := &tested{loaded: loaded("p"), fuzz: map[string]entries{"FuzzA": {seeds: 2, files: make([]corpus.Entry, 1)}, "FuzzB": {seeds: 1}}}
	if got := p.less(out); got != "2 of 3 entries of p.FuzzA" {
		t.Errorf("less: %q", got)
	}
	if p.fuzz["FuzzA"] = (entries{seeds: 2}); p.less(out) != "" {
		t.Errorf("less: %q", p.less(out))
	}
}

func TestFirstLine(t *testing.T) {
	failed := errors.New("exit status 1")
	for _, c := range []struct {
		text string
		err  error
		want string
	}{
		{"# p\n=== RUN   FuzzA\n--- PASS: FuzzA\n  panic: no\n", failed, "panic: no"},
		{"", failed, "exit status 1"},
		{"", nil, "it says nothing of it"},
		{"x", exec.ErrNotFound, "the go command is not in PATH"},
	} {
		var o output
		o.text.WriteString(c.text)
		if got := o.firstLine(c.err); got != c.want {
			t.Errorf("%q, %v: %q, want %q", c.text, c.err, got, c.want)
		}
	}
}

func TestValuesAreFoundInLogs(t *testing.T) {
	out := readOutput([]byte(`{"Action":"run","Test":"FuzzA/seed#0"}
{"Action":"output","Test":"FuzzA/seed#0","Output":"    a_test.go:7: the input is\n"}
{"Action":"output","Test":"FuzzA/seed#0","Output":"        p.T{\n"}
{"Action":"output","Test":"FuzzA/seed#0","Output":"        \tA: 1,\n"}
{"Action":"output","Test":"FuzzA/seed#0","Output":"        }\n"}
{"Action":"output","Test":"FuzzA/seed#0","Output":"    a_test.go:9: more\n"}
{"Action":"output","Test":"FuzzA/x","Output":"    a_test.go:9: no input\n"}
`))
	if diff := cmp.Diff(map[string]string{"FuzzA/seed#0": "p.T{\n\tA: 1,\n}"}, out.values()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

func TestVerificationText(t *testing.T) {
	var b bytes.Buffer
	if err := (Format{}).Write(&b, reporttest.Verified()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"FuzzParse  example.com/p  9 entries, 40 values unchanged, 2 unstable, 6 changed, 1 entry fails, 1 known failure skipped\n",
		"1. FuzzParse: a different value  (3 entries)\n   FuzzParse(string(\"a\"))\n     p.Late result 0  (p/p_test.go:10)\n     - bool true\n     + bool false\n   on seed#0, seed#1, seed#2\n\n",
		"2. FuzzParse: a different value  (1 entry)\n   FuzzParse(string(\"a\"))\n     p.Parse result 0\n     - int 1\n     + int 2\n   on seed#0\n\n",
		"     p.Parse result 1\n     - nil\n   on seed#1\n",
		"4. FuzzParse: fails, and did not  (1 entry)\n   FuzzParse(string(\"c\"))\n     fuzz target\n     - passes\n     + boom\n   on p/testdata/fuzz/FuzzParse/y\n",
		"  p/testdata/fuzz-golden/FuzzParse/x: damaged: line 3: a git conflict marker\n",
		"FuzzNone  example.com/p  no golden values\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	if !strings.HasSuffix(text, "\n7 differences from the golden values, and 1 entry fails\n") {
		t.Error("the text does not end with the sum")
	}
	if t.Failed() {
		t.Log("\n" + text)
	}
}

// What was accepted is no difference, but for a failure.
func TestVerificationUpdated(t *testing.T) {
	v := reporttest.Verified()
	v.Tests[0].Updated, v.Tests[0].Written = true, []string{"x"}
	if n := v.Differences(); n != 1 {
		t.Errorf("%d differences, want the failure only", n)
	}
	v.Tests[0].Changes = v.Tests[0].Changes[:1]
	var b bytes.Buffer
	if err := (Format{Quiet: true}).Write(&b, v); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "golden values accepted: 1 entry written, 0 removed\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A verbose text has each value of each entry.
func TestAllChangedValuesAreListed(t *testing.T) {
	var b bytes.Buffer
	if err := (Format{Verbose: true}).Write(&b, reporttest.Verified()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"  p/p_test.go:10: p.Late result 0, on seed#1:\n      - bool true\n      + bool false\n",
		"  p/p_test.go:9: p.Parse result 1 is no longer observed, on seed#1:\n      - nil\n",
		"  p/p_test.go:8: p.New result 0 was not observed before, on seed#1:\n      + *p.T &{\n      + \ta: 1\n      + }\n",
		"  p/p_test.go:5: the fuzz target fails, on p/testdata/fuzz/FuzzParse/y:\n      boom\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q in\n%s", want, text)
		}
	}
}

func TestCausesOfChangesAreBounded(t *testing.T) {
	test := report.VerifiedTest{Name: "FuzzX", Package: "p"}
	var long []string
	for i := range 40 {
		long = append(long, fmt.Sprint("\t", i))
	}
	for i := range 7 {
		c := behavior.Cause{Kind: behavior.KindOrder, Fuzz: "FuzzX", Call: "FuzzX", Input: strings.Repeat("x", 150*i+100), Inputs: 5, Entries: []string{"a", "b", "c", "d", "e"}}
		for k := range 3 {
			c.Values = append(c.Values, behavior.Value{Name: fmt.Sprint("p.F", k, " #1 result 0"), Old: strings.Join(long, "\n")})
		}
		test.Causes = append(test.Causes, c)
	}
	write := func(o Format) string {
		var b bytes.Buffer
		if err := o.Write(&b, &report.Verification{Tests: []report.VerifiedTest{test}}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	text := write(Format{})
	for _, want := range []string{
		"     - \t9\n     ... 30 lines more\n", "     1 value more\n   on a, b, c and 2 more\n",
		"   FuzzX(" + strings.Repeat("x", 100) + ")\n", "   FuzzX(" + strings.Repeat("x", 200) + "...)\n",
		"\n\n10 more entries differ in 2 other ways; -v shows them\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log("\n" + text)
	}
	if all := write(Format{Verbose: true}); strings.Contains(all, "more") || strings.Contains(all, "...") || !strings.Contains(all, "   on a, b, c, d, e\n") {
		t.Errorf("%s", all)
	}
}

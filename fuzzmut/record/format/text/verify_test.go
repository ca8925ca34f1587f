package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

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
		"  p/p_test.go:10: p.Late result 0, on 3 entries:\n      - bool true\n      + bool false\n        on seed#0, seed#1, seed#2\n",
		"  p/p_test.go:9: p.Parse result 0, on seed#0:\n      - int 1\n      + int 2\n",
		"  p/p_test.go:9: p.Parse result 1 is no longer observed, on seed#1:\n      - nil\n",
		"  p/p_test.go:8: p.New result 0 was not observed before, on seed#1:\n      + *p.T &{\n      + \ta: 1\n      + }\n",
		"  p/p_test.go:5: the fuzz target fails, on p/testdata/fuzz/FuzzParse/y:\n      boom\n",
		"  p/testdata/fuzz-golden/FuzzParse/x: damaged: line 3: a git conflict marker\n",
		"FuzzNone  example.com/p  no golden values\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	if !strings.HasSuffix(text, "\n8 differences from the golden values\n") {
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

func TestChangesAreGroupedByCause(t *testing.T) {
	var changes []report.ValueChange
	change := func(entry, value string, line int, want, got string) {
		changes = append(changes, report.ValueChange{Entry: entry, Value: value, File: "p_test.go", Line: line, Want: want, Got: got})
	}
	change("seed#0", "p.G #1 result 0", 8, "int 1", "int 2")
	for i := range 6 {
		change(fmt.Sprint("e", i), "p.F #1 result 0", 9, "p.T {A: 1, B: 2}", "p.T {A: 1, B: 3}")
		change(fmt.Sprint("e", i), "p.F #2 result 0", 9, fmt.Sprintf("p.T {A: %d}", i), "p.T {A: 7}")
	}
	var long []string
	for i := range 40 {
		long = append(long, fmt.Sprintf("\t%d", i))
	}
	change("seed#1", "p.H #1 result 0", 10, "[]int [\n"+strings.Join(long, "\n")+"\n]", "[]int []")
	for i := range 4 {
		change("seed#2", fmt.Sprintf("p.H%d #1 result 0", i), 11+i, "int 1", "int 2")
	}
	write := func(o Format) string {
		var b bytes.Buffer
		v := &report.Verification{Tests: []report.VerifiedTest{{Name: "FuzzX", Package: "p", Changes: changes}}}
		if err := o.Write(&b, v); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := `  p_test.go:9: p.F result 0, 12 values on 6 entries:
      .B: 2 -> 3
        on e0, e1, e2 and 3 more
      .A: 0 -> 7
        on e0
      .A: 1 -> 7
        on e1
      4 more differences of this value; -v shows them
  p_test.go:8: p.G result 0, on seed#0:
      - int 1
      + int 2
  p_test.go:10: p.H result 0, on seed#1:
      - []int [
`
	text := write(Format{})
	if !strings.Contains(text, want) || !strings.Contains(text, "      - \t10\n        ... 31 more lines; -v shows them\n") ||
		!strings.Contains(text, "\n  2 more changed values at 2 other places; -v shows them\n") {
		t.Errorf("%s", text)
	}
	if all := write(Format{Verbose: true}); strings.Contains(all, "-v shows them") || !strings.Contains(all, "        on e0, e1, e2, e3, e4, e5\n") {
		t.Errorf("%s", all)
	}
}

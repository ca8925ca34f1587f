package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// verification has a change of each sort, and more of them than are shown.
func verification() *Verification {
	test := VerifiedTest{
		Package: "example.com/p", Name: "FuzzParse", Entries: 9, Values: 40, Unstable: 2, Changed: 6, Failing: 1,
		Files: []FileProblem{{Path: "p/testdata/fuzz-golden/FuzzParse/x", Kind: FileDamaged, Text: "line 3: a git conflict marker"}},
		Changes: []ValueChange{
			{Entry: "seed#0", Value: "p.Parse #1 result 0", File: "p/p_test.go", Line: 9, Want: "int 1", Got: "int 2"},
			{Entry: "seed#1", Value: "p.Parse #1 result 1", File: "p/p_test.go", Line: 9, Want: "nil"},
			{Entry: "seed#1", Value: "p.New #1 result 0", File: "p/p_test.go", Line: 8, Got: "*p.T &{\n\ta: 1\n}"},
			{Entry: "p/testdata/fuzz/FuzzParse/y", Value: "fuzz target", File: "p/p_test.go", Line: 5, Failure: "boom"},
		},
	}
	for i := range 3 {
		test.Changes = append(test.Changes, ValueChange{
			Entry: fmt.Sprint("seed#", i), Value: "p.Late #1 result 0", File: "p/p_test.go", Line: 10, Want: "bool true", Got: "bool false",
		})
	}
	return &Verification{Tests: []VerifiedTest{test, {Package: "example.com/p", Name: "FuzzNone", None: true}}}
}

func TestVerificationText(t *testing.T) {
	var b bytes.Buffer
	if err := verification().WriteText(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"FuzzParse  example.com/p  9 entries, 40 values unchanged, 2 unstable, 6 changed, 1 entry fails\n",
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
	v := verification()
	v.Tests[0].Updated, v.Tests[0].Written = true, []string{"x"}
	if n := v.Differences(); n != 1 {
		t.Errorf("%d differences, want the failure only", n)
	}
	v.Tests[0].Changes = v.Tests[0].Changes[:1]
	var b bytes.Buffer
	if err := v.WriteText(&b, TextOptions{Quiet: true}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "golden values accepted: 1 entry written, 0 removed\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestVerificationJSONHasNoNull(t *testing.T) {
	var b bytes.Buffer
	if err := verification().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("null in %s", b.String())
	}
	var back Verification
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(verification().Tests[0].Changes, back.Tests[0].Changes); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

func TestChangesAreGroupedByCause(t *testing.T) {
	var changes []ValueChange
	change := func(entry, value string, line int, want, got string) {
		changes = append(changes, ValueChange{Entry: entry, Value: value, File: "p_test.go", Line: line, Want: want, Got: got})
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
	write := func(o TextOptions) string {
		var b bytes.Buffer
		v := &Verification{Tests: []VerifiedTest{{Name: "FuzzX", Package: "p", Changes: changes}}}
		if err := v.WriteText(&b, o); err != nil {
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
	text := write(TextOptions{})
	if !strings.Contains(text, want) || !strings.Contains(text, "      - \t10\n        ... 31 more lines; -v shows them\n") ||
		!strings.Contains(text, "\n  2 more changed values at 2 other places; -v shows them\n") {
		t.Errorf("%s", text)
	}
	if all := write(TextOptions{Verbose: true}); strings.Contains(all, "-v shows them") || !strings.Contains(all, "        on e0, e1, e2, e3, e4, e5\n") {
		t.Errorf("%s", all)
	}
}

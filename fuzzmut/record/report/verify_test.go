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
		Files: []FileProblem{{Path: "p/testdata/fuzz-golden/FuzzParse/x", Kind: FileDamaged, Text: "line 3: a conflict mark of git"}},
		Changes: []ValueChange{
			{Entry: "seed#0", Value: "p.Parse #1 result 0 (int)", File: "p/p_test.go", Line: 9, Want: "int 1", Got: "int 2"},
			{Entry: "seed#1", Value: "p.Parse #1 result 1 (error)", File: "p/p_test.go", Line: 9, Want: "nil"},
			{Entry: "seed#1", Value: "p.New #1 result 0 (*p.T)", File: "p/p_test.go", Line: 8, Got: "*p.T &{\n\ta: 1\n}"},
			{Entry: "p/testdata/fuzz/FuzzParse/y", Value: "fuzz target", File: "p/p_test.go", Line: 5, Failure: "boom"},
		},
	}
	for i := range 3 {
		test.Changes = append(test.Changes, ValueChange{
			Entry: fmt.Sprint("seed#", i), Value: "p.Late #1 result 0 (bool)", File: "p/p_test.go", Line: 10, Want: "bool true", Got: "bool false",
		})
	}
	return &Verification{Tests: []VerifiedTest{test, {Package: "example.com/p", Name: "FuzzNone", None: true}}}
}

func TestVerificationText(t *testing.T) {
	var b bytes.Buffer
	if err := verification().WriteText(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	// go-cmp's output is not stable on purpose: only that it is there is pinned.
	text := strings.ReplaceAll(b.String(), "\u00a0", " ")
	for _, want := range []string{
		"FuzzParse  example.com/p  9 entries, 40 values as before, 2 unstable, 6 changed, 1 entry fails\n",
		"  p/p_test.go:9: p.Parse #1 result 0 (int), on seed#0:\n      (-golden +now)\n",
		"      is not observed any more; was nil\n",
		"      was not observed before; now *p.T &{\n      \ta: 1\n      }\n",
		"  p/p_test.go:5: the fuzz target fails on p/testdata/fuzz/FuzzParse/y: boom\n",
		"  2 more changed values, of 2 entries; -v shows them\n",
		"  p/testdata/fuzz-golden/FuzzParse/x: damaged: line 3: a conflict mark of git\n",
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

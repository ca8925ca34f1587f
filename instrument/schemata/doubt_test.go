package schemata

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// TestDoubts: which mutants of a function are seldom worth a test.
func TestDoubts(t *testing.T) {
	c := checker{imports: stdTypes(t)}
	in, errs := c.check("p", map[string][]byte{"/p/a.go": []byte(`package p

func f(list []*int, n int) []*int {
	if n > 3 {
		n++
	}
	list[n] = nil
	return list[:n]
}
`)})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	in.Operators = operator.All()
	doubted := make(map[string]bool)
	for _, m := range mustRewrite(t, in).Mutants {
		doubted[m.Original+" → "+m.Replacement] = m.Doubt != ""
	}
	for change, want := range map[string]bool{
		"> → >=": true, "> → !=": true, "> → <": false, "3 → 2": true, "3 → 4": false,
		"list[n] = nil → ": true, "n++ → ": false, "nil → ": false,
	} {
		if got, ok := doubted[change]; got != want || !ok && want {
			t.Errorf("%s: %t", change, got)
		}
	}
}

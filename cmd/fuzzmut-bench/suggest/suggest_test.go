package suggest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
)

func TestRows(t *testing.T) {
	var all row
	var b bytes.Buffer
	for _, r := range []row{
		{Package: suggestion.Package{Mutants: 90, Killed: 50, Survivors: 40, Closed: 12, Cases: make([]suggestion.Case, 4), Seconds: 61.4}, lines: 50, checked: 5, killed: 4},
		{Package: suggestion.Package{Mutants: 10, Killed: 10, Seconds: 3}},
	} {
		r.write(&b, "p")
		all.add(r)
	}
	all.write(&b, "in all")
	for i, want := range []string{"p 90 50 40 12 30 % 4 3.0 50 4 of 5 61", "p 10 10 0 0 - 0 - 0 0 of 0 3", "in all 100 60 40 12 30 % 4 3.0 50 4 of 5 64"} {
		line := strings.Split(b.String(), "\n")[i]
		if got := strings.Join(strings.Fields(line), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A module with a version stands for the package in its root, whether it is of the list or not.
func TestNamedPackages(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"etree"}, packages[1]},
		{[]string{"beevik/etree", "example.com/m@v1.0.0"}, packages[1] + "|example.com/m@v1.0.0 ."},
		{[]string{strings.TrimSuffix(packages[1], " .")}, packages[1]},
		{[]string{"nowhere"}, ""},
		{nil, strings.Join(packages, "|")},
	} {
		if got := strings.Join(named(c.names), "|"); got != c.want {
			t.Errorf("%q: %s, want %s", c.names, got, c.want)
		}
	}
}

// Written files are relative to the module.
func TestModuleOf(t *testing.T) {
	for written, want := range map[string]string{"a_test.go": "/m/p/q", "q/a_test.go": "/m/p", "p/q/a_test.go": "/m"} {
		if got := moduleOf("/m/p/q", []string{written}); got != want {
			t.Errorf("%s: %s, want %s", written, got, want)
		}
	}
}

func TestRowsOfProperties(t *testing.T) {
	var all row
	var b bytes.Buffer
	for _, r := range []row{
		{Package: suggestion.Package{Survivors: 40, Seconds: 61, Oracles: &suggestion.Oracles{Proposed: 9, Held: 7, Asserted: 5, Properties: make([]suggestion.Property, 2), Failing: make([]suggestion.Failing, 1)}}, gaps: 20, checked: 5, killed: 4},
		{Package: suggestion.Package{Survivors: 3, Oracles: &suggestion.Oracles{Proposed: 1, Held: 1}}},
	} {
		r.writeOracles(&b, "p")
		all.add(r)
	}
	all.writeOracles(&b, "in all")
	for i, want := range []string{"p 40 9 7 1 2 20 5 25 % 4 of 5 61", "p 3 1 1 0 0 0 0 - 0 of 0 0", "in all 43 10 8 1 2 20 5 25 % 4 of 5 61"} {
		line := strings.Split(b.String(), "\n")[i]
		if got := strings.Join(strings.Fields(line), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

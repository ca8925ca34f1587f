package replay

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

func TestLines(t *testing.T) {
	values := []golden.Value{
		{Name: "p.Parse #1 result 0", Text: "*p.Tree &{\n\tLeft: 1\n\tName:\n\t\t\"a\\n\" +\n\t\t\"b\"\n\tRight: [\n\t\t1\n\t\t2\n\t]\n}"},
		{Name: "p.Parse #1 result 1", Text: "nil"},
		{Name: "p.Parse #1 argument v", Text: "int 3"},
		{Name: "p.Parse #2 result 0", Text: golden.Unstable},
		{Name: "p.Parse #2 result 1", Text: "nil"},
		{Name: "p.Clock #1 result 0", Text: "int 17"},
		{Name: "fuzz target #1 outcome", Text: "skip"},
		{Name: "more values", Text: "3, hash x"},
	}
	want := []string{
		`p.Parse = *p.Tree &{Left: 1, Name:, "a\n" + "b", Right: [1, 2]}; nil; argument v: int 3`,
		"p.Parse #2 = nil",
		"fuzz target = outcome: skip",
		"more values = 3, hash x",
		"unstable = p.Parse #2 result 0",
		"unstable = p.Clock #1 result 0",
	}
	if diff := cmp.Diff(want, Lines(values, []string{"unstable = p.Clock #1 result 0"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDifference(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, test := range []struct{ want, got, text string }{
		{"int 1", "int 2", "- int 1\n+ int 2"},
		{"", "int 2", "- \n+ int 2"},
		{
			long + "1" + long, long + "23" + long,
			"- ... " + long[:60] + "1" + long[:60] + " ... 401 bytes\n+ ... " + long[:60] + "23" + long[:60] + " ... 402 bytes",
		},
	} {
		if diff := cmp.Diff(test.text, difference(test.want, test.got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

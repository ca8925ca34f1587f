package hook

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

func TestGoldenValuesAreCountedNotFiles(t *testing.T) {
	file := func(values ...golden.Value) []byte {
		return (&golden.File{Packages: ".", Entries: []golden.Entry{{Name: "fuzzmut-0123456789abcdef", Values: values}}}).Marshal()
	}
	a, b, c := golden.Value{Name: "a", Text: "1"}, golden.Value{Name: "b", Text: "2"}, golden.Value{Name: "c", Text: "3"}
	other := golden.Value{Name: "a", Text: "9"}
	for name, test := range map[string]struct {
		list []fileChange
		want string
	}{
		"none":    {nil, ""},
		"new":     {[]fileChange{{after: file(a, b, c)}}, "3 added, 0 removed, 0 changed"},
		"gone":    {[]fileChange{{before: file(a, b)}}, "0 added, 2 removed, 0 changed"},
		"changed": {[]fileChange{{before: file(a, b), after: file(other, b, c)}, {after: file(a)}}, "2 added, 0 removed, 1 changed"},
		"damaged": {[]fileChange{{before: []byte("<<<<<<<"), after: file(a)}}, "1 added, 0 removed, 0 changed"},
	} {
		if got := countValues(test.list); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

package versions

import (
	"slices"
	"testing"
)

func TestRaisedModulesAreThoseOfBothSides(t *testing.T) {
	const was = "module m\n\nrequire (\n\ta.b/z v1.0.0\n\ta.b/c v1.2.0\n\ta.b/same v1.0.0\n\ta.b/gone v1.0.0\n)\n"
	const is = "module m\n\nrequire (\n\ta.b/z v1.1.0\n\ta.b/c v1.1.0\n\ta.b/same v1.0.0\n\ta.b/more v1.0.0\n)\n"
	for _, c := range []struct {
		name, was, is string
		want          []string
	}{
		{"raised and lowered", was, is, []string{"a.b/c v1.1.0 in place of v1.2.0", "a.b/z v1.1.0 in place of v1.0.0"}},
		{"the same", was, was, nil},
		{"not a go.mod", was, "}", nil},
	} {
		if got := raised([]byte(c.was), []byte(c.is)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTwoVersionsOfAModule(t *testing.T) {
	fork := &module{Path: "a.b/fork", Version: "v1.5.0"}
	for want, m := range map[string]moved{
		"a.b/c v1.1.0 in place of v1.0.0":                          {&module{Path: "a.b/c", Version: "v1.0.0"}, &module{Path: "a.b/c", Version: "v1.1.0"}},
		"a.b/c v1.0.0 => a.b/fork v1.5.0 in place of a.b/c v1.0.0": {&module{Path: "a.b/c", Version: "v1.0.0"}, &module{Path: "a.b/c", Version: "v1.0.0", Replace: fork}},
		"a.b/c v1.1.0 in place of a.b/c v1.0.0 => a.b/fork v1.5.0": {&module{Path: "a.b/c", Version: "v1.0.0", Replace: fork}, &module{Path: "a.b/c", Version: "v1.1.0"}},
	} {
		if got := m.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

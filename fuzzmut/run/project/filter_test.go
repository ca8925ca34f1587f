package project

import (
	"testing"
)

func TestParseFilter(t *testing.T) {
	for s, want := range map[string]Filter{
		"":                  {Name: "adaptive"},
		"adaptive":          {Name: "adaptive"},
		"all":               {Name: "all"},
		"split":             {Name: "split"},
		"none":              {Name: "none"},
		"random:1":          {Name: "random", K: 1},
		"least-executed:10": {Name: "least-executed", K: 10},
	} {
		got, err := ParseFilter(s)
		if err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", s, got, err, want)
		}
		if again, err := ParseFilter(got.String()); err != nil || again != got {
			t.Errorf("%q: String is %q, which reads as %+v, %v", s, got, again, err)
		}
	}
	for _, s := range []string{
		"foo", "foo:3", ":3", "all:3", "none:", "random", "random:", "random:0", "random:-1", "random:x",
		"random:99999999999", "least-executed", "Adaptive", " all",
	} {
		if got, err := ParseFilter(s); err == nil {
			t.Errorf("%q: got %+v, want an error", s, got)
		}
	}
}

package verify

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

func TestDirectoriesOfPackages(t *testing.T) {
	p := &instrument.TestPackage{ModulePath: "example.com/m", ModuleDir: filepath.FromSlash("/src/m")}
	var got []string
	for _, dir := range directories(p, []string{"example.com/m", "example.com/m/a/b", "example.com/more", "strings"}) {
		got = append(got, filepath.ToSlash(dir))
	}
	if diff := cmp.Diff([]string{"/src/m", "/src/m/a/b"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A part repairs an entry if its golden values are there again, or if it passes and has none.
func TestWhatAPartRepairs(t *testing.T) {
	values := func(text string) observed.Observation {
		return observed.Observation{Values: []golden.Value{{Name: "p.F #1 result 0", Text: text}}}
	}
	for _, c := range []struct {
		d    difference
		seen observed.Observation
		want bool
	}{
		{difference{want: values("1")}, values("1"), true},
		{difference{want: values("1")}, values("2"), false},
		{difference{want: values("1")}, observed.Observation{Failure: "boom"}, false},
		{difference{none: true}, values("2"), true},
		{difference{none: true}, observed.Observation{Failure: "boom"}, false},
	} {
		if got := c.d.gone(&c.seen); got != c.want {
			t.Errorf("%+v, %+v: %v", c.d, c.seen, got)
		}
	}
}

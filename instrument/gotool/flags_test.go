package gotool

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

func TestNormalize(t *testing.T) {
	for _, c := range []struct {
		flags string // separated by spaces
		want  string
		err   string
	}{
		{"", "", ""},
		{"-race", "-race", ""},
		{"--race", "-race", ""},
		{"-tags a,b", "-tags=a,b", ""},
		{"--tags=a", "-tags=a", ""},
		{"-tags=", "-tags=", ""},
		{"-race -tags a -v", "-race -tags=a -v", ""},
		{"-tags -race", "-tags=-race", ""}, // as the go command reads it
		{"-ldflags=-X=a.b=c", "-ldflags=-X=a.b=c", ""},
		{"-race=false", "-race=false", ""},
		{"-tags", "", "flag -tags needs a value"},
		{"-race -mod", "", "flag -mod needs a value"},
		{"race", "", `build flag "race" does not begin with a dash`},
		{"-tags a b", "", `build flag "b" does not begin with a dash`},
		{"-", "", `build flag "-" `},
		{"-=x", "", `build flag "-=x" `},
		{"-o x", "", "flag -o can't be used: the test binary belongs to fuzzmut"},
		{"--o=x", "", "flag -o can't be used: the test binary belongs to fuzzmut"},
		{"-C dir", "", "flag -C can't be used: run fuzzmut in that directory"},
		{"-n", "", "flag -n can't be used: "},
		{"-overlay=x", "", "flag -overlay can't be used: "},
	} {
		got, err := normalize(strings.Fields(c.flags))
		switch {
		case c.err == "" && (err != nil || strings.Join(got, " ") != c.want):
			t.Errorf("%s: %q, %v; want %q", c.flags, got, err, c.want)
		case c.err != "" && (err == nil || !strings.HasPrefix(err.Error(), c.err) || got != nil || kindOf(err) != problem.KindUsage):
			t.Errorf("%s: %q, %v; want an error of usage: %s", c.flags, got, err, c.err)
		}
	}
}

func TestLookup(t *testing.T) {
	flags := []string{"-race", "-tags=a", "-mod=vendor", "-tags=b=c", "-x=false", "-empty="}
	for name, want := range map[string]string{"race": "true", "tags": "b=c", "mod": "vendor", "x": "false", "empty": ""} {
		if got, ok := lookup(flags, name); got != want || !ok {
			t.Errorf("%s: %q, %v; want %q", name, got, ok, want)
		}
	}
	for _, name := range []string{"rac", "tag", "-race", ""} {
		if got, ok := lookup(flags, name); ok {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWithout(t *testing.T) {
	flags := []string{"-race", "-modfile=a", "-tags=modfile", "-modfile=b"}
	before := slices.Clone(flags)
	if diff := cmp.Diff([]string{"-race", "-tags=modfile"}, without(flags, "modfile")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"-tags=modfile"}, without(flags, "modfile", "race")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !slices.Equal(flags, before) {
		t.Errorf("the flags of the caller have changed: %q", flags)
	}
}

// The command line counts before GOFLAGS.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		flags, defaults string
		name, want      string
		given           bool
	}{
		{"-mod=vendor", "-mod=mod", "mod", "vendor", true},
		{"", "-mod=mod", "mod", "mod", true},
		{"-race", "", "race", "true", true},
		{"-v", "-x", "mod", "", false},
	} {
		tool := Toolchain{Flags: strings.Fields(c.flags), defaults: strings.Fields(c.defaults)}
		if got, ok := tool.setting(c.name); got != c.want || ok != c.given || tool.Given(c.name) != c.given {
			t.Errorf("%s with %q and %q: %q, %v", c.name, c.flags, c.defaults, got, ok)
		}
	}
}

// The values are those that the go command takes for a boolean flag.
func TestRace(t *testing.T) {
	for flag, want := range map[string]bool{
		"": false, "-race": true, "-race=true": true, "-race=1": true, "-race=t": true, "-race=TRUE": true, "-race=True": true,
		"-race=false": false, "-race=0": false, "-race=F": false, "-msan": false,
	} {
		tool := Toolchain{Flags: strings.Fields(flag)}
		if got := tool.Race(); got != want {
			t.Errorf("with %q: %v", flag, got)
		}
		tool = Toolchain{defaults: strings.Fields(flag)}
		if got := tool.Race(); got != want {
			t.Errorf("with GOFLAGS=%q: %v", flag, got)
		}
	}
	tool := Toolchain{Flags: []string{"-race=false"}, defaults: []string{"-race"}}
	if tool.Race() {
		t.Error("GOFLAGS counts before the command line")
	}
}

// An entry of GOFLAGS may be quoted as a whole, as the go command reads it.
func TestFlagsOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"  ", nil},
		{"-race", []string{"-race"}},
		{" -race\t-mod=mod\n", []string{"-race", "-mod=mod"}},
		{"'-modfile=my go.mod' -race", []string{"-modfile=my go.mod", "-race"}},
		{`"-ldflags=-s -w" '-tags=a "b"'`, []string{"-ldflags=-s -w", `-tags=a "b"`}},
		{`-ldflags='-s`, []string{"-ldflags='-s"}}, // quotes within an entry mean nothing
		{`-v '-race`, []string{"-v"}},              // the go command refuses it
		{`'' -v`, []string{"", "-v"}},
	} {
		if diff := cmp.Diff(c.want, splitFlags(c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

// Flags in their form stay as they are, and each is found by its name.
func FuzzNormalize(f *testing.F) {
	f.Add("-race --tags a -mod=vendor")
	f.Add("-ldflags '-s -w' \"-x\"")
	f.Add("-- -=x - x")
	f.Fuzz(func(t *testing.T, text string) {
		list := splitFlags(text)
		if !strings.ContainsAny(text, `'"`) && !strings.ContainsAny(text, "\v\f\u0085\u00a0") && utf8.ValidString(text) {
			if want := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }); !slices.Equal(list, want) {
				t.Errorf("%q, want %q", list, want)
			}
		}
		flags, err := normalize(list)
		if err != nil {
			return
		}
		again, err := normalize(flags)
		if err != nil || !slices.Equal(flags, again) {
			t.Errorf("%q becomes %q, %v", flags, again, err)
		}
		for _, flag := range flags {
			name, _, _ := cutFlag(flag)
			if _, ok := lookup(flags, name); !ok {
				t.Errorf("%s is not found in %q", name, flags)
			}
			if _, ok := lookup(without(flags, name), name); ok {
				t.Errorf("%s is still in %q", name, flags)
			}
		}
	})
}

// The user's flags for the linker stay, wherever they were given and for whatever packages.
func TestLinkerFlags(t *testing.T) {
	for _, c := range []struct {
		defaults, flags []string
		arg             string
		want            []string
	}{
		{nil, []string{"-race"}, "-X=a.b=c", []string{"-ldflags=-X=a.b=c"}},
		{nil, []string{"-ldflags="}, "-X=a.b=c", []string{"-ldflags=-X=a.b=c"}},
		{nil, nil, "-X=a.b=c d", []string{"-ldflags='-X=a.b=c d'"}},
		{
			[]string{"-ldflags=-s"},
			[]string{"-ldflags=all=-w '-X=m.v=1 2'"},
			"-X=a.b=c",
			[]string{"-ldflags=-X=a.b=c", "-ldflags=-s -X=a.b=c", "-ldflags=all=-w '-X=m.v=1 2' -X=a.b=c"},
		},
	} {
		tool := Toolchain{Flags: c.flags, defaults: c.defaults}
		if diff := cmp.Diff(c.want, tool.LinkerFlags(c.arg)); diff != "" {
			t.Errorf("%q %q (-want +got):\n%s", c.defaults, c.flags, diff)
		}
	}
}

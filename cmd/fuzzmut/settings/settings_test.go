package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettingsHaveTheirTableAndLine(t *testing.T) {
	got, err := Parse("f.toml", `# settings
mutate = ["./a", "./b"]
fuzztime = "30s"

[test]
timeout = "5s"
strict = true

[corpus.regen]
seed = 7

[timeouts]
"p.FuzzX" = "1m"
hook.run.regen = true
`)
	if err != nil {
		t.Fatal(err)
	}
	want := &File{
		Path: "f.toml",
		Settings: []Setting{
			{Key: "mutate", Values: []string{"./a", "./b"}, List: true, Line: 2},
			{Key: "fuzztime", Values: []string{"30s"}, Line: 3},
			{Table: []string{"test"}, Key: "timeout", Values: []string{"5s"}, Line: 6},
			{Table: []string{"test"}, Key: "strict", Values: []string{"true"}, Bool: true, Line: 7},
			{Table: []string{"corpus", "regen"}, Key: "seed", Values: []string{"7"}, Line: 10},
			{Table: []string{"timeouts"}, Key: "p.FuzzX", Values: []string{"1m"}, Line: 13},
			{Table: []string{"timeouts", "hook", "run"}, Key: "regen", Values: []string{"true"}, Bool: true, Line: 14},
		},
		Tables: []Table{
			{Path: []string{"test"}, Line: 5},
			{Path: []string{"corpus"}, Line: 9},
			{Path: []string{"corpus", "regen"}, Line: 9},
			{Path: []string{"timeouts"}, Line: 12},
			{Path: []string{"timeouts", "hook"}, Line: 14},
			{Path: []string{"timeouts", "hook", "run"}, Line: 14},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWrongFilesAreErrorsWithTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\nb = [\n\"x\",\n1]\n":         "f.toml:2: b: this list has a value that is no string; write strings",
		"a = 1\n\nd = 2026-01-02\n":          "f.toml:3: d: no setting has a value of this type; write a string in quotes",
		"[[test]]\na = 1\n":                  "f.toml:1: test: no setting has a value of this type",
		"a = 1\na = 2\n":                     "f.toml:2: ",
		"a = 30s\n":                          "f.toml:1: ",
		"a = \"x\n":                          "f.toml:1: ",
		"[test\na = 1\n":                     "f.toml:2: expected '.' or ']'",
		"a = \"\\q\"\n":                      "f.toml:1: ",
		"a = \"\xff\"\n":                     "f.toml:1: ",
		"ok = 1\n[t]\n[t.u]\nx = [[\"a\"]]":  "f.toml:4: x: this list has a value",
		"a = {b = 1, c = 1979-05-27}\n":      "f.toml:1: c: no setting",
		"big = 99999999999999999999999999\n": "f.toml:1: ",
	} {
		_, err := Parse("f.toml", text)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestTheRootIsThatOfTheNearestModule(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "a", "b", "c")
	if err := os.MkdirAll(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	put := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("go.work")
	if got := Root(inner); got != dir {
		t.Errorf("in a workspace: %q", got)
	}
	put("a/b/go.mod")
	if got := Root(inner); got != filepath.Join(dir, "a", "b") {
		t.Errorf("in a module: %q", got)
	}
	if got := Root(filepath.Join(dir, "a")); got != dir {
		t.Errorf("beside a module: %q", got)
	}
	if _, err := Read(filepath.Join(dir, Name), Name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("mutate = [\"./a\"]\n[test]\ntimeout = \"5s\"\n")
	f.Add("a.b.c = true\n[a.d]\nx = 1.5\n")
	f.Add("[[x]]\n[x.y]\nz = 1979-05-27\n")
	f.Add("a = {b = [], c = {}}\n\"\" = ''\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("f", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("an error without the file: %v", err)
			}
			return
		}
		lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1
		last := 0
		for _, s := range file.Settings {
			if s.Line < 1 || s.Line > lines || s.Line < last {
				t.Errorf("%v is on line %d of %d, after line %d", s, s.Line, lines, last)
			}
			last = s.Line
			if !s.List && len(s.Values) != 1 {
				t.Errorf("%v has %d values", s, len(s.Values))
			}
		}
	})
}

package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestShellQuote(t *testing.T) {
	for _, tt := range []struct{ word, want string }{
		{"go", "go"},
		{"-tags=a,b", "-tags=a,b"},
		{"./dir with space", "'./dir with space'"},
		{"-run=^FuzzX$/^1234$", "-run='^FuzzX$/^1234$'"},
		{"-gcflags=all=-N -l", "-gcflags='all=-N -l'"},
		{"it's", `'it'\''s'`},
		{"", "''"},
	} {
		if got := ShellQuote(tt.word); got != tt.want {
			t.Errorf("ShellQuote(%q) = %s, want %s", tt.word, got, tt.want)
		}
	}
}

func TestRelFramesNamesFunctionsByPackage(t *testing.T) {
	s := &session{b: &built{program: testProgram("/m", "example.com/m/p")}}
	got := s.relFrames([]string{"example.com/m/p.(*T).f /m/p/f.go:7", "odd"})
	if len(got) != 2 || got[0] != "p.(*T).f p/f.go:7" || got[1] != "odd" {
		t.Errorf("got %q", got)
	}
}

func TestOneLineTellsOfInputsThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	if err := os.WriteFile(cache, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := &session{
		runner: &runner{gocache: cache}, b: &built{program: testProgram(dir, "example.com/m/p")},
		test: instrument.FuzzTest{Name: "FuzzX"}, result: &report.FuzzTest{},
	}
	s.b.program.Test.Dir = dir
	var inputs [][]byte
	for _, text := range []string{"a", "b", "c"} {
		inputs = append(inputs, wire.Encode([]any{text}))
	}
	err := s.writeCrashes([]bug{{inputs: inputs}})
	if err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.HasPrefix(err.Error(), "2 failing inputs could not be written, the first: ") {
		t.Errorf("%v", err)
	}
	if c := s.result.Crashes; len(c) != 1 || len(c[0].Entries) != 1 || c[0].Repro == "" {
		t.Errorf("the bucket has %+v", c)
	}
}

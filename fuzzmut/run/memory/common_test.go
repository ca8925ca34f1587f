package memory

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
)

// sharing is a setup on another machine: it has a separate tree and cache, and shares a
// directory.
func sharing(t *testing.T, dir string) *setup {
	t.Helper()
	s := newSetup(t)
	s.share, s.binary = dir, filepath.Join(t.TempDir(), "test.bin")
	if err := os.WriteFile(s.binary, []byte("binary"), 0o777); err != nil {
		t.Fatal(err)
	}
	return s
}

// knows reports whether the verdict on mutant 1 is known.
func (s *setup) knows(t *testing.T) bool {
	t.Helper()
	m := s.open(t)
	defer m.Close()
	_, ok := m.Known(m.mutant(1), reach)
	return ok
}

func TestAVerdictIsKnownToOtherMachines(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share")
	sharing(t, dir).run(t, killed(1))
	for name, c := range map[string]struct {
		change func(s *setup)
		want   bool
	}{
		"nothing":           {func(*setup) {}, true},
		"where the tree is": {func(s *setup) { s.env = []string{"GOCACHE=/elsewhere", "GOPROXY=https://example.com"} }, true},
		"another binary": {func(s *setup) {
			if err := os.WriteFile(s.binary, []byte("other"), 0o777); err != nil {
				t.Fatal(err)
			}
		}, false},
		"test data":       {func(s *setup) { s.data = "more data" }, false},
		"fuzzmut":         {func(s *setup) { s.self = "fuzzmut 2" }, false},
		"the environment": {func(s *setup) { s.env = []string{"GODEBUG=x=1"} }, false},
		"-short":          {func(s *setup) { s.options.Short = true }, false},
		"-run":            {func(s *setup) { s.options.Run = "TestF" }, false},
		"-fresh":          {func(s *setup) { s.options.Fresh = true }, false},
		"no directory":    {func(s *setup) { s.share = "" }, false},
	} {
		s := sharing(t, dir)
		c.change(s)
		if got := s.knows(t); got != c.want || len(s.warnings) > 0 {
			t.Errorf("%s: known %v, want %v; %q", name, got, c.want, s.warnings)
		}
	}
}

func TestAVerdictOnWhichProcessesDisagreeIsNotKnown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share")
	survived := unittest.Verdict{Mutant: 1, Status: unittest.StatusSurvived, Tests: reach}
	sharing(t, dir).run(t, killed(1))
	s := sharing(t, dir)
	s.options.Fresh = true
	s.run(t, survived)
	if sharing(t, dir).knows(t) {
		t.Error("one of two verdicts is known")
	}
}

func TestAVerdictThatWasWithdrawnIsNotKnown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share")
	m := sharing(t, dir).open(t)
	m.Keep(killed(1))
	m.Keep(killed(2))
	m.Withdraw([]uint32{1})
	m.Close()
	m = sharing(t, dir).open(t)
	defer m.Close()
	_, first := m.Known(m.mutant(1), reach)
	_, second := m.Known(m.mutant(2), reach)
	if first || !second {
		t.Errorf("known: %v and %v", first, second)
	}
}

func TestVerdictsThatCantBeLeftAreWarnedOfOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share")
	s := sharing(t, dir)
	m := s.open(t)
	name, err := share.HashFile(s.binary)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil { // where its directory would be
		t.Fatal(err)
	}
	m.Keep(killed(1))
	m.Keep(killed(2))
	m.Close()
	if len(s.warnings) != 1 || !strings.Contains(s.warnings[0], dir) || !strings.Contains(s.warnings[0], "move the file") {
		t.Errorf("%q", s.warnings)
	}
	s.share = ""
	if !s.knows(t) {
		t.Error("the run has kept nothing for itself")
	}
}

func TestAReleasedProgramIsKnownByItsModules(t *testing.T) {
	info := func() *debug.BuildInfo {
		return &debug.BuildInfo{
			GoVersion: "go1.26.8", Path: "example.com/m/cmd", Main: debug.Module{Path: "example.com/m", Version: "v1.2.3", Sum: "h1:a"},
			Deps: []*debug.Module{{Path: "example.com/d", Version: "v1.0.0", Sum: "h1:b"}},
		}
	}
	plain, ok := released(info())
	if !ok {
		t.Fatal("it is not known")
	}
	for name, c := range map[string]struct {
		change     func(*debug.BuildInfo)
		same, none bool
	}{
		"how it was linked":      {change: func(i *debug.BuildInfo) { i.Settings = []debug.BuildSetting{{Key: "-ldflags", Value: "-s"}} }, same: true},
		"another version":        {change: func(i *debug.BuildInfo) { i.Main.Version = "v1.2.4" }},
		"another content":        {change: func(i *debug.BuildInfo) { i.Main.Sum = "h1:c" }},
		"another dependency":     {change: func(i *debug.BuildInfo) { i.Deps[0].Sum = "h1:c" }},
		"another Go":             {change: func(i *debug.BuildInfo) { i.GoVersion = "go1.27.3" }},
		"a replaced dependency":  {change: func(i *debug.BuildInfo) { i.Deps[0].Replace = &debug.Module{Path: "x", Version: "v1.0.0", Sum: "h1:c"} }},
		"a tree":                 {change: func(i *debug.BuildInfo) { i.Main.Version, i.Main.Sum = "(devel)", "" }, none: true},
		"a dependency in a tree": {change: func(i *debug.BuildInfo) { i.Deps[0].Replace = &debug.Module{Path: "../d"} }, none: true},
	} {
		i := info()
		c.change(i)
		if text, ok := released(i); ok == c.none || (text == plain) != c.same {
			t.Errorf("%s: the same %v, known %v", name, text == plain, ok)
		}
	}
}

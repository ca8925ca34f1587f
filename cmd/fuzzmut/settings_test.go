package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/settings"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// inModule makes a module with a file of settings, and goes to a directory of it.
func inModule(t *testing.T, text, dir string) (root string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"go.mod": "module m\n", settings.Name: text} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(root, dir))
	return root
}

// parseAs parses the flags of a command.
func parseAs(command, line string) (*flags, error) {
	f := findPath(strings.Fields(command)).flags(command)
	return f, f.parse(strings.Fields(line))
}

const manySettings = `mutate = ["./a", "std"]
operators = "math"
arid = ["zap.Logger.Warn"]
tags = ["x", "y"]
fuzztime = "30s"
total = "10m"
timeout = "3s"
parallel = 2
baseline = "accepted.txt"
study = false

[test]
timeout = "20s"
min-score = "80%"
run = "TestX"

[corpus]
corpus = "c"

[corpus.regen]
fuzztime = "500x"

[timeouts]
FuzzX = "1m"
"a.FuzzX" = "2m"
`

func TestTheFileSetsFlags(t *testing.T) {
	inModule(t, manySettings, "")
	for _, c := range []struct {
		command, line string
		check         func(f *flags) bool
	}{
		{"fuzz", "", func(f *flags) bool {
			return cmp.Equal(f.opts.Mutate, []string{"./a", "std"}) && f.opts.Operators == "math" &&
				f.opts.FuzzTime.Duration == 30*time.Second && f.opts.Total.Duration == 10*time.Minute && f.opts.Timeout == 3*time.Second &&
				f.opts.Parallel == 2 && f.opts.Accepted == "accepted.txt" && f.opts.NoStudy &&
				cmp.Equal(f.opts.BuildFlags, []string{"-tags=x,y"}) && cmp.Equal(f.opts.Arid, []string{"zap.Logger.Warn"}) &&
				cmp.Equal(f.opts.Timeouts, project.Timeouts{"FuzzX": time.Minute, "a.FuzzX": 2 * time.Minute})
		}},
		// Flags win, lists as well, and what they contradict does not hold.
		{"fuzz", "-mutate ./b -tags z -study", func(f *flags) bool {
			return cmp.Equal(f.opts.Mutate, []string{"./b"}) && cmp.Equal(f.opts.BuildFlags, []string{"-tags=z"}) && !f.opts.NoStudy
		}},
		{"fuzz", "-fuzztime 20000x", func(f *flags) bool { return f.opts.FuzzTime.Execs == 20000 && f.opts.Total == (project.FuzzTime{}) }},
		{"fuzz", "-timeout 5s", func(f *flags) bool { return f.opts.Timeout == 5*time.Second && f.opts.Timeouts == nil }},
		{"test", "", func(f *flags) bool {
			return f.opts.Timeout == 20*time.Second && f.opts.MinScore == 0.8 && f.test.Run == "TestX" && f.opts.Timeouts == nil
		}},
		{"score", "", func(f *flags) bool { return f.opts.MinScore == 0 && f.score.Baseline == "accepted.txt" }},
		{"triage", "", func(f *flags) bool {
			return f.opts.Mutate == nil && f.opts.Operators == "" && f.opts.Timeout == 3*time.Second
		}},
		{"corpus regen", "", func(f *flags) bool {
			return f.opts.FuzzTime.Execs == 500 && f.opts.Parallel == 0 && f.opts.CorpusDir == "c"
		}},
		{"hook run", "", func(f *flags) bool { return f.opts.FuzzTime == (project.FuzzTime{}) && f.opts.Operators == "math" }},
		{"hook install", "", func(f *flags) bool { return f.opts.Operators == "" }},
		{"version", "", func(f *flags) bool { return f.file == nil }},
	} {
		f, err := parseAs(c.command, c.line)
		if err != nil || !c.check(f) {
			t.Errorf("%s %s: %v, %+v", c.command, c.line, err, f.opts)
		}
	}
}

func TestPathsAreRelativeToTheFile(t *testing.T) {
	const text = "mutate = [\"./a\", \"./sub/...\", \".\", \"std\"]\ncorpus = \"c\"\nbaseline = \"accepted.txt\"\n"
	root := inModule(t, text, "sub")
	check := func(line string, want []string, baseline string) {
		t.Helper()
		f, err := parseAs("fuzz", line)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, f.opts.Mutate); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if f.opts.Accepted != baseline {
			t.Errorf("-baseline %s, want %s", f.opts.Accepted, baseline)
		}
		dir := f.opts.CorpusDir
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(f.opts.Dir, dir)
		}
		if want := filepath.Join(root, "c"); dir != want {
			t.Errorf("-corpus %s, want %s", dir, want)
		}
	}
	check("", []string{"../a", "./...", "..", "std"}, filepath.Join("..", "accepted.txt"))
	t.Chdir(filepath.Dir(root))
	check("-C "+filepath.Join(root, "sub"), []string{"../a", "./...", "..", "std"}, filepath.Join(filepath.Base(root), "accepted.txt"))
	check("-C "+root, []string{"./a", "./sub/...", ".", "std"}, filepath.Join(filepath.Base(root), "accepted.txt"))
}

func TestAFileOfAnotherModuleIsNotRead(t *testing.T) {
	root := inModule(t, "nonsense = 1\n", "other")
	if err := os.WriteFile("go.mod", []byte("module other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := parseAs("fuzz", ""); err != nil {
		t.Errorf("in a module below: %v", err)
	}
	t.Chdir(root)
	if err := os.Remove("go.mod"); err != nil {
		t.Fatal(err)
	}
	if _, err := parseAs("fuzz", ""); err != nil {
		t.Errorf("outside of modules: %v", err)
	}
	if err := os.WriteFile("go.work", []byte("go 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := parseAs("fuzz", ""); err == nil {
		t.Error("in a workspace it is not read")
	}
}

func TestWrongSettingsAreUsageErrorsWithTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"\nfuztime = \"1s\"":                        `fuzzmut.toml:2: unknown setting "fuztime"; did you mean "fuzztime"?`,
		"zzzzzzzz = 1":                              `fuzzmut.toml:1: unknown setting "zzzzzzzz"; "fuzzmut help settings" lists`,
		"fuzztime = 30":                             "fuzzmut.toml:1: fuzztime: \"30\" is neither",
		"fuzztime = [\"1s\"]":                       "fuzzmut.toml:1: fuzztime: write one value, and no list",
		"operators = [\"math\", \"loop\"]":          "fuzzmut.toml:1: operators: unknown operator",
		"generated = \"true\"":                      "fuzzmut.toml:1: generated: write true or false, without quotes",
		"baseline = true":                           "fuzzmut.toml:1: baseline: neither true nor false",
		"baseline = \"\"":                           "fuzzmut.toml:1: baseline: there is no value",
		"mutate = []":                               "fuzzmut.toml:1: mutate: there is no value",
		"seed = -1":                                 "fuzzmut.toml:1: seed: not a number from 0",
		"memlimit = \"5TiB\"":                       "fuzzmut.toml:1: memlimit: not a number of bytes",
		"min-score = 0.8":                           "fuzzmut.toml:1: min-score is set for each command, in its table: write it below [fuzz], [test]",
		"[tset]\nrun = \"X\"":                       "fuzzmut.toml:1: no command has settings in a table [tset]; did you mean \"test\"?",
		"[version]":                                 "fuzzmut.toml:1: no command has settings in a table [version]",
		"[hook.install]\nregen = true":              "fuzzmut.toml:1: no command has settings in a table [hook.install]",
		"[test]\n# x\ntotal = \"1s\"":               "fuzzmut.toml:3: fuzzmut test has no -total; it is a setting of fuzz, diff",
		"test = 1":                                  "fuzzmut.toml:1: test is a table: write [test]",
		"json = \"x\"":                              "fuzzmut.toml:1: -json is for the command line",
		"regen = true":                              "",
		"[timeouts]\nfuzzX = \"1s\"":                "fuzzmut.toml:2: \"fuzzX\" is no fuzz test",
		"[timeouts]\nFuzzX = 5":                     "fuzzmut.toml:2: FuzzX: not a duration above zero",
		"[timeouts]\nFuzzX = [\"5s\"]":              "fuzzmut.toml:2: FuzzX: not a duration above zero",
		"[timeouts.FuzzX]\na = 1":                   "fuzzmut.toml:1: no command has settings in a table [timeouts.FuzzX]",
		"x = ":                                      "fuzzmut.toml:1: ",
		"total = \"1m\"\nfuzztime = \"20x\"":        "",
		"new-only = true":                           "",
		"[hook.run]\nbudget = \"1s\"":               "",
		"engine = \"native\"\ninputs = \"derived\"": "-inputs needs the guided engine: for Go's own, inputs are bytes\n-engine", // below
	} {
		inModule(t, text, "")
		_, err := parseAs("fuzz", "")
		if strings.HasPrefix(want, "-inputs") {
			want = "-inputs needs the guided engine: for Go's own, inputs are bytes\n-inputs is set by fuzzmut.toml:2"
		}
		switch {
		case want == "" && err != nil, want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%q: %v, want %q", text, err, want)
		case err != nil && exit.CodeOf(err) != exit.Usage:
			t.Errorf("%q: code %d", text, exit.CodeOf(err))
		}
	}
}

func TestSettingsHaveDefaultsAndFlags(t *testing.T) {
	used := make(map[string]bool)
	for name := range allCommands() {
		for _, s := range settingsOf(name) {
			used[s.name] = true
			if fl := findPath(strings.Fields(name)).allFlags(name).set.Lookup(s.name); (s.kind == boolValue) != isBoolFlag(fl.Value) {
				t.Errorf("%s of %s: its kind is that of other flags", s.name, name)
			}
			def := s.def(name)
			if def == "" || strings.HasPrefix(def, "(") {
				continue
			}
			if err := findPath(strings.Fields(name)).allFlags(name).set.Set(s.name, def); err != nil {
				t.Errorf("%s of %s does not take its default %s: %v", s.name, name, def, err)
			}
		}
	}
	for _, s := range settingList() {
		if !used[s.name] {
			t.Errorf("no command has -%s", s.name)
		}
		for _, name := range s.not {
			if allCommands()[name] == nil {
				t.Errorf("%s: there is no command %s", s.name, name)
			}
		}
	}
}

func isBoolFlag(v any) bool {
	b, ok := v.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func TestManualDocumentsTheSettings(t *testing.T) {
	want := make(map[string]string)
	members(reflect.TypeFor[configuration](), "", want)
	members(reflect.TypeFor[effects](), "settings[].", want)
	got := documentedMembers(t, "settings")
	for name, kind := range want {
		have := strings.ReplaceAll(got[name], ":", "")
		if have != kind {
			t.Errorf("help/settings.txt: %s is %q, want %q", name, got[name], kind)
		}
	}
	// Its example is valid.
	example := ""
	for line := range strings.Lines(sectionText(t, "settings")) {
		if strings.HasPrefix(line, "The keys are") {
			break
		}
		if rest, ok := strings.CutPrefix(line, "\t"); ok {
			example += rest
		}
	}
	inModule(t, example, "")
	f, err := parseAs("hook run", "")
	if err != nil || !f.regen || f.budget != 30*time.Second || len(f.opts.Timeouts) != 2 {
		t.Errorf("the example: %v", err)
	}
}

func TestConfigShowsWhereSettingsComeFrom(t *testing.T) {
	inModule(t, manySettings, "")
	f := newFake(nil)
	f.check(t, exit.OK, "config", "fuzz", "-fuzztime", "20000x", "-study", "-operators=all", "./...")
	rows := make(map[string]bool)
	for line := range strings.Lines(f.out.String()) {
		rows[words(line)] = true
	}
	for _, want := range []string{
		"fuzzmut fuzz: fuzzmut.toml", "mutate ./a,std fuzzmut.toml:1", "operators all flag", "fuzztime 20000x flag",
		"total (none) default; fuzzmut.toml:6 does not hold here", "timeouts.FuzzX 1m fuzzmut.toml:24", "memlimit 2GiB default",
		"study true flag", "arid zap.Logger.Warn fuzzmut.toml:3",
	} {
		if !rows[want] {
			t.Errorf("no %q in\n%s", want, &f.out)
		}
	}
	f = newFake(nil)
	f.check(t, exit.OK, "config", "test", "-json", "-")
	for _, want := range []string{`"name": "timeout",` + "\n      " + `"value": "20s",` + "\n      " + `"source": "file",` + "\n      " + `"line": 13`, `"command": "test"`} {
		if !strings.Contains(f.out.String(), want) {
			t.Errorf("no %s in\n%s", want, &f.out)
		}
	}
	f = newFake(nil)
	f.check(t, exit.Usage, "config", "version")
	if !strings.Contains(f.errs.String(), "fuzzmut version has no settings; fuzz, diff, ") {
		t.Errorf("stderr: %s", &f.errs)
	}
}

// FuzzSettings: whatever the file holds, there is one error with its line, or flags.
func FuzzSettings(f *testing.F) {
	f.Add(manySettings)
	f.Add("operators = \"x\"\n[timeouts]\nFuzzX = \"1s\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := settings.Parse("f", text)
		if err != nil {
			return
		}
		if err := checkSettings(file); err != nil && !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("an error without the file: %v", err)
		}
	})
}

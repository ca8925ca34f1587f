package main

import (
	"errors"
	"flag"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

func fmtCode(code exit.Code) string { return strconv.Itoa(int(code)) }

// parsed parses a line of arguments of fuzz.
func parsed(line string) (*flags, error) {
	f := newFlags("fuzz")
	f.addRun()
	f.addFuzz()
	f.addCorpusSize()
	f.addWithTests()
	f.addWriteTest()
	f.addShare()
	f.addPacked()
	return f, f.parse(strings.Fields(line))
}

func TestFlagsBecomeOptions(t *testing.T) {
	for line, want := range map[string]project.Options{
		"":                     {},
		"./a ./b":              {Packages: []string{"./a", "./b"}},
		"-fuzz ^FuzzA$ ./a":    {Fuzz: "^FuzzA$", Packages: []string{"./a"}},
		"./a -fuzztime 20000x": {FuzzTime: project.FuzzTime{Execs: 20000}, Packages: []string{"./a"}},
		"./a -n ./b -n=false":  {Packages: []string{"./a", "./b"}},
		"-n -- -odd ./b":       {DryRun: true, Packages: []string{"-odd", "./b"}},
		"-n --":                {DryRun: true},
		"--n ./a --":           {DryRun: true, Packages: []string{"./a"}},
		"-fuzztime=5s -parallel=3 -seed=18446744073709551615": {
			FuzzTime: project.FuzzTime{Duration: 5 * time.Second}, Parallel: 3, Seed: 1<<64 - 1,
		},
		"-engine native -filter random:7":                               {Engine: "native", Filter: "random:7"},
		"-mutate ./a,./b -mutate std -operators math":                   {Mutate: []string{"./a", "./b", "std"}, Operators: "math", MutateOnce: true, OperatorsOnce: true},
		"-arid log/slog.Info,zap.Logger.Warn -arid gopkg.in/log.v2.Say": {Arid: []string{"log/slog.Info", "zap.Logger.Warn", "gopkg.in/log.v2.Say"}},
		"-generated":     {Generated: true},
		"-corpus-size 7": {CorpusSize: 7},
		"-corpus-size 0": {CorpusSize: -1}, // no bound
		"-study=false":   {NoStudy: true},
		"-study":         {},
		"-corpus dir -timeout 1s -memlimit 512MiB": {CorpusDir: "dir", Timeout: time.Second, MemLimit: 512 << 20},
		"-min-score 80% -memlimit off":             {MinScore: 0.8, MemLimit: -1},
		"-min-score 0.25 -memlimit 1000":           {MinScore: 0.25, MemLimit: 1000},
		"-race -tags a,b -gcflags=all=-N -x -p 2 -race=0": {
			BuildFlags: []string{"-race=true", "-tags=a,b", "-gcflags=all=-N", "-x=true", "-p=2", "-race=false"},
		},
		"-buildvcs -buildvcs=auto -mod vendor": {BuildFlags: []string{"-buildvcs=true", "-buildvcs=auto", "-mod=vendor"}},
	} {
		f, err := parsed(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		switch want.CorpusSize {
		case 0:
			want.CorpusSize = defaultCorpusSize
		case -1:
			want.CorpusSize = 0
		}
		if diff := cmp.Diff(want, f.opts, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(filepath.Dir(dir))
	f, err := parsed("./a -C " + filepath.Base(dir))
	if err != nil || f.opts.Dir != dir {
		t.Errorf("got %q, %v, want %q", f.opts.Dir, err, dir)
	}
}

func TestWrongFlagsAreUsageErrors(t *testing.T) {
	for line, want := range map[string]string{
		"-C missing":                         "no such directory",
		"-C flags_test.go":                   "no such directory",
		"-nope":                              "unknown flag -nope",
		"./a -nope=3":                        "unknown flag -nope",
		"-fuzz [":                            "missing closing ]",
		"-fuzztime 30":                       "write 30s or 20000x",
		"-fuzztime":                          "flag needs an argument",
		"-json -fuzztime 3s":                 "-json needs a value, and -fuzztime is a flag; if it is the value, write -json=-fuzztime",
		"--mutate --v=true":                  "--mutate needs a value, and -v is a flag",
		"-parallel 0":                        "write 1 or more",
		"-parallel -1":                       "write 1 or more",
		"-seed -1":                           "-seed",
		"-engine x":                          "guided and native",
		"-filter foo":                        "adaptive, all, eager, random:K",
		"-filter random":                     "write random:10",
		"-timeout 0s":                        "write 10s",
		"-memlimit 5TiB":                     "write 512MiB",
		"-memlimit -1":                       "write 512MiB",
		"-memlimit 99999999999GB":            "write 512MiB",
		"-min-score 80":                      "write 0.8 or 80%",
		"-min-score -0.1":                    "write 0.8 or 80%",
		"-min-score NaN":                     "write 0.8 or 80%",
		"-operators foo":                     "default, strong, all",
		"-mutate a,,b":                       "empty pattern",
		"-overlay x":                         "passes another overlay",
		"-cover":                             "holds the coverage",
		"-run X":                             "-fuzz chooses",
		"-race=maybe":                        "-race",
		"-v -q":                              "contradict",
		"-packed a.zip":                      "-packed needs -share",
		"-packed a.zip ./a":                  "in place of packages; leave out ./a",
		"-packed a.zip -share d -filter all": "-filter and -packed contradict",
		"-packed=":                           "write a file",
		"-pack=":                             "write a directory",
		"-with-tests -write-test":            "does not fuzz; choose one",
		"-v score":                           `"score" is a command`,
		"-show x":                            "unknown flag -show",
	} {
		_, err := parsed(line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", line, err, want)
			continue
		}
		if code := exit.CodeOf(err); code != exit.Usage {
			t.Errorf("%s: code %d", line, code)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than one line: %v", line, err)
		}
	}
}

func TestHelpFlag(t *testing.T) {
	for _, line := range []string{"-h", "./a -help", "--help"} {
		if _, err := parsed(line); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: got %v", line, err)
		}
	}
}

func TestBuildFlagsAreListedOnce(t *testing.T) {
	seen := make(map[string]bool)
	for _, b := range buildFlags {
		if seen[b.name] {
			t.Errorf("-%s is listed twice", b.name)
		}
		seen[b.name] = true
	}
}

func TestHelpFlags(t *testing.T) {
	const help = "usage: go build\n\n\t-before\n\nThe build flags are shared by the build,\nand test commands:\n\n" +
		"\t-n\n\t\tprint\n\t-soon\n\t\tan -x flag\n\t-later '[pattern=]arg list'\n\t\t-deep 5\n\t-\n\nThe -o flag\n"
	want := []buildFlag{{name: "n", bool: true}, {name: "soon", bool: true}, {name: "later"}}
	if diff := cmp.Diff(want, helpFlags(help), cmp.AllowUnexported(buildFlag{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for line, want := range map[string]string{
		"-later x=1 ./a -soon -race ./b": "-later=x=1 -soon=true -race=true",
		"-soon=0 --later=y ./a ./b":      "-soon=false -later=y",
		"./a -n -soon ./b":               "-soon=true",
		"./a -before ./b":                "unknown flag -before",
		"-soon ./a --deep=5 ./b":         "unknown flag -deep",
		"./a ./b -later":                 "flag needs an argument: -later",
		"-soon=maybe ./a ./b":            `invalid boolean value "maybe" for -soon`,
	} {
		f := newFlags("fuzz")
		f.addRun()
		f.addFuzz()
		f.goHelp = func(string) (string, error) { return help, nil }
		got := ""
		if err := f.parse(strings.Fields(line)); err != nil {
			got = err.Error()
		} else {
			got = strings.Join(f.opts.BuildFlags, " ")
			if diff := cmp.Diff([]string{"./a", "./b"}, f.opts.Packages); diff != "" {
				t.Errorf("%s: packages: -want +got:\n%s", line, diff)
			}
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	f := newFlags("fuzz")
	f.goHelp = func(string) (string, error) { return help, errors.New("no go command") }
	if err := f.parse([]string{"-soon"}); err == nil || !strings.HasPrefix(err.Error(), "unknown flag -soon;") {
		t.Errorf("without a go command: %v", err)
	}
}

// The list is that of the go command that runs the tests.
func TestBuildFlagsOfToolchain(t *testing.T) {
	text, err := goHelp("")
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]buildFlag)
	for _, b := range buildFlags {
		list[b.name] = b
	}
	for _, own := range []string{"C", "n", "v", "json"} {
		if list[own] != (buildFlag{}) {
			t.Errorf("-%s is listed", own)
		}
		list[own] = buildFlag{name: own, bool: own != "C"}
	}
	have := make(map[string]bool)
	for _, b := range helpFlags(text) {
		have[b.name] = true
		switch l, ok := list[b.name]; {
		case !ok:
			t.Errorf("-%s is a build flag, and not in the list", b.name)
		case b.bool != (l.bool || l.alone):
			t.Errorf("-%s: takes no value: %v by go help build, %v by the list", b.name, b.bool, l.bool || l.alone)
		}
	}
	for name, b := range list {
		if b.deny == "" && !have[name] {
			t.Errorf("-%s is passed to the go command, and no build flag of it", name)
		}
	}
}

func FuzzHelpFlags(f *testing.F) {
	f.Add("\nThe build flags are shared by\n\t-a\n\t-b c\n\t-")
	f.Fuzz(func(t *testing.T, text string) {
		for _, b := range helpFlags(text) {
			if b.name == "" || strings.ContainsAny(b.name, " \n") || !strings.Contains(text, "\t-"+b.name) {
				t.Errorf("flag %q", b.name)
			}
		}
	})
}

//go:build unix

package test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// goCommand has a shell script stand in for the go command, which says nothing else. The
// result returns the arguments of its calls.
func goCommand(t *testing.T, script string) (calls func() []string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "calls")
	text := "#!/bin/sh\necho \"$*\" >> '" + file + "'\n" + script
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() []string {
		data, _ := os.ReadFile(file)
		return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	}
}

// Benchmarks judge nothing: of what go test lists, they are left out.
func TestTestsAreListedAsGoTestDoes(t *testing.T) {
	calls := goCommand(t, "echo TestA; echo BenchmarkB; echo FuzzC; echo ExampleD; echo 'ok  	example.com/p	0.1s'")
	var out bytes.Buffer
	if err := List(t.Context(), project.Options{BuildFlags: []string{"-tags=x"}}, "A|B", &out); err != nil {
		t.Fatal(err)
	}
	if err := List(t.Context(), project.Options{Packages: []string{"./p", "./q"}}, ".", &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	if want := "TestA\nFuzzC\nExampleD\nok  \texample.com/p\t0.1s\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if got, want := calls(), []string{"test -tags=x -vet=off -list=A|B .", "test -vet=off -list=. ./p ./q"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What goes wrong is the line of go test that says most.
func TestErrorsOfGoTestAreOneLine(t *testing.T) {
	for script, want := range map[string]string{
		"echo '# example.com/p'; echo; echo 'p.go:3:1: syntax error'; echo 'FAIL'; exit 1": "go test -list: p.go:3:1: syntax error",
		"exit 7": "go test -list: exit status 7",
	} {
		goCommand(t, script)
		if err := List(t.Context(), project.Options{}, ".", &bytes.Buffer{}); exit.CodeOf(err) != exit.Usage || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if err := List(t.Context(), project.Options{}, ".", &bytes.Buffer{}); exit.CodeOf(err) != exit.Usage || err.Error() != "go test -list: the go command is not in PATH" {
		t.Errorf("%v", err)
	}
}

// makes is a script that writes the profiles that go test is asked for.
const makes = `for a in "$@"; do
	case "$a" in
	-coverprofile=*) printf "mode: set\n" > "${a#*=}";;
	-cpuprofile=*) echo cpu > "${a#*=}";;
	esac
done
`

func TestProfilesAreThoseOfGoTest(t *testing.T) {
	for _, c := range []struct {
		name         string
		script       string
		cover, cpu   bool
		change       func(o *Options)
		packages     []string
		args         string // of go test, without paths
		code         exit.Code
		err, warning string
	}{
		{name: "none is wanted", packages: []string{"p"}},
		{name: "coverage", script: makes, cover: true, packages: []string{"p", "q"}, args: "test -vet=off -count=1 -coverprofile p q"},
		{
			name: "both, of some tests", script: makes, cover: true, cpu: true, packages: []string{"p"},
			change: func(o *Options) {
				o.Run, o.Skip, o.Short, o.Args, o.Mutate, o.BuildFlags = "A", "B", true, []string{"-x", "y"}, []string{"./a", "./b"}, []string{"-race"}
			},
			args: "test -race -vet=off -count=1 -coverprofile -coverpkg=./a,./b -cpuprofile -o -run=A -skip=B -short p -args -x y",
		},
		{name: "time of several packages", script: makes, cpu: true, packages: []string{"p", "q"}, code: exit.Usage, err: "-cpuprofile takes one package, as that of go test does, and here are 2; name one"},
		{name: "tests fail", script: makes + "echo '=== RUN TestA'; echo '--- FAIL: TestA'; exit 1", cover: true, packages: []string{"p"}, args: "test -vet=off -count=1 -coverprofile p", warning: "the profile is that of a run in which tests failed: --- FAIL: TestA"},
		{name: "no profile is made", script: "echo 'p.go:1:1: expected package'; exit 1", cover: true, packages: []string{"p"}, args: "test -vet=off -count=1 -coverprofile p", code: exit.Usage, err: "go test makes no profile for "},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := goCommand(t, c.script)
			dir := t.TempDir()
			opts := Options{}
			if c.change != nil {
				c.change(&opts)
			}
			want := make(map[string]string)
			if c.cover {
				opts.CoverProfile = filepath.Join(dir, "cover.out")
				want[opts.CoverProfile] = "mode: set\n"
			}
			if c.cpu {
				opts.CPUProfile = filepath.Join(dir, "cpu.out")
				want[opts.CPUProfile] = "cpu\n"
			}
			var warnings []string
			opts.Events = func(e project.Event) {
				if e.Warning != nil {
					warnings = append(warnings, e.Warning.Text)
				}
			}
			tt := &tester{opts: opts, project: &project.Project{Options: opts.Options, Packages: c.packages, WorkDir: t.TempDir()}}
			err := tt.profile(t.Context())
			if exit.CodeOf(err) != c.code || err != nil && !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%v, want %s", err, c.err)
			}
			if strings.Join(warnings, "\n") != c.warning {
				t.Errorf("warnings %q, want %q", warnings, c.warning)
			}
			for path, text := range want {
				if data, err := os.ReadFile(path); (err == nil && string(data) == text) != (c.code == exit.OK) {
					t.Errorf("%s: %q, %v", path, data, err)
				}
			}
			var words []string
			for _, w := range strings.Fields(calls()[0]) {
				if flag, path, ok := strings.Cut(w, "="); ok && filepath.IsAbs(path) {
					w = flag
				}
				words = append(words, w)
			}
			if got := strings.Join(words, " "); got != c.args {
				t.Errorf("go %s, want %s", got, c.args)
			}
		})
	}
}

// What the tests cover goes into the result, if a format shows it. Without a profile the result
// is there all the same.
func TestTheResultSaysWhatTestsCover(t *testing.T) {
	for _, c := range []struct{ name, script, warning string }{
		{"a profile", strings.ReplaceAll(makes, "set\\n", `set\np/a.go:1.2,3.4 2 1\n`), ""},
		{"none", "echo 'p.go:1:1: expected package'; exit 1", `the result does not show what is covered: go test says "p.go:1:1: expected package", and makes no profile`},
	} {
		t.Run(c.name, func(t *testing.T) {
			goCommand(t, c.script)
			opts := Options{Options: project.Options{Covered: true}}
			warning := ""
			opts.Events = func(e project.Event) {
				if e.Warning != nil {
					warning += e.Warning.Text
				}
			}
			tt := &tester{
				opts: opts, report: new(report.TestReport),
				project: &project.Project{Options: opts.Options, Packages: []string{"p"}, WorkDir: t.TempDir()},
			}
			if err := tt.profile(t.Context()); err != nil || warning != c.warning {
				t.Errorf("%v, warning %q", err, warning)
			}
			blocks := tt.report.Covered["p/a.go"]
			if want := c.warning == ""; want != (len(blocks) == 1 && blocks[0].Covered && blocks[0].EndLine == 3) {
				t.Errorf("%+v", tt.report.Covered)
			}
		})
	}
}

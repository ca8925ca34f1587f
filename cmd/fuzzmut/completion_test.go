package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// inTree goes to a directory with packages.
func inTree(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module m\n", "a.go": "package m\n", "parser/p.go": "package parser\n",
		"parser/inner/i.go": "package inner\n", "testdata/x.go": "package x\n", "docs/a.txt": "", ".git/a.go": "",
		"a_test.go":    "package m\n\nfunc FuzzA(f *testing.F) {}\n\nfunc FuzzB(f *testing.F) {}\n\nfunc Fuzzy(t *testing.T) {}\n",
		"other/go.mod": "module other\n", "other/o.go": "package other\n", "other/o_test.go": "package other\nfunc FuzzO(f *testing.F) {}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCompletion(t *testing.T) {
	inTree(t)
	for _, c := range []struct {
		line string // the last word is the one to complete
		want []string
	}{
		{"sc", []string{"score"}},
		{"corpus re", []string{"regen"}},
		{"corpus ", []string{"export", "merge", "minimize", "prune", "regen", "show", "verify"}},
		{"help formats", []string{"formats"}},
		{"help trig", nil},
		{"help tria", []string{"triage"}},
		{"completion ", []string{"bash", "fish", "zsh"}},
		{"config tes", []string{"test"}},
		{"config test -shar", []string{"-shard", "-share"}},
		{"config -fuzzt", []string{"-fuzztime"}},
		{"help -m", []string{"-man"}},
		{"-fuzzt", []string{"-fuzztime"}},
		{"test -sha", []string{"-shard", "-share"}},
		{"test -cover", []string{"-coverprofile"}},
		{"score -fuzz ", []string{"FuzzA", "FuzzB"}},
		{"score -fuzz=FuzzB", []string{"-fuzz=FuzzB"}},
		{"score -C other -fuzz ", []string{"FuzzO"}},
		{"score -min-score ", nil},
		{"-operators stro", []string{"strong"}},
		{"-filter least", []string{"least-executed:10"}},
		{"-filter=ad", []string{"-filter=adaptive"}},
		{"test -annotations ", []string{"github"}},
		{"-format ", []string{"line", "text"}},
		{"corpus export -layout ", []string{"raw", "v1", "v2"}},
		{"corpus merge -layout v", []string{"v1", "v2"}},
		{"corpus minimize -by k", []string{"kills", "kills,coverage"}},
		{"diff -keep ", []string{"new", "old"}},
		{"test -diff-by f", []string{"function"}},
		{"plot -x t", []string{"time"}},
		{"-engine n", []string{"native"}},
		{"-inputs muta", []string{"mutagen"}},
		{"score -json ", []string{filesHere}},
		{"plot ", []string{filesHere}},
		{"score -v ./p", []string{"./parser", "./parser/"}},
		{"test ./parser/", []string{"./parser/...", "./parser/inner"}},
		{"test ", []string{".", "./...", "./parser", "./parser/"}},
		{"-mutate ./pars", []string{"./parser", "./parser/"}},
		{"nonsense/", nil},
		{"version x", []string{filesHere}},
	} {
		got := complete(strings.Split(c.line, " "))
		if diff := cmp.Diff(append([]string{}, c.want...), append([]string{}, got...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, diff)
		}
	}
	for _, name := range []string{"fuzz", "triage", "mutants"} {
		if !slices.Contains(complete([]string{""}), name) {
			t.Errorf("an empty line does not complete %s", name)
		}
	}
}

func TestCompletionOfEveryFlag(t *testing.T) {
	inTree(t)
	for name, c := range allCommands() {
		f := c.allFlags(name)
		for _, flag := range c.common {
			if f.raw || f.set.Lookup(flag) == nil {
				continue
			}
			if got := complete(append(strings.Fields(name), "-"+flag)); !slices.Contains(got, "-"+flag) {
				t.Errorf("fuzzmut %s -%s completes to %q", name, flag, got)
			}
		}
	}
}

// TestChoicesAreValues also finds flags of a few names that have no choices.
func TestChoicesAreValues(t *testing.T) {
	for name, c := range allCommands() {
		f := c.allFlags(name)
		f.set.VisitAll(func(fl *flag.Flag) {
			if isBool(fl) {
				return // as -x of the go command
			}
			for _, value := range choices(fl.Name) {
				if err := f.set.Set(fl.Name, value); err != nil {
					t.Errorf("fuzzmut %s -%s %s: %v", name, fl.Name, value, err)
				}
			}
			kind, _ := flag.UnquoteUsage(fl)
			named := fl.Name != "first" && slices.Contains([]string{"name", "service", "form", "side", "features", "quantity"}, kind)
			if named && choices(fl.Name) == nil {
				t.Errorf("fuzzmut %s -%s has no choices: %s", name, fl.Name, fl.Usage)
			}
		})
	}
}

func TestUnknownShellsAreUsageErrors(t *testing.T) {
	for _, args := range [][]string{{"completion"}, {"completion", "tcsh"}, {"completion", "bash", "x"}} {
		f := newFake(nil)
		f.check(t, exit.Usage, args...)
		if got, want := f.errs.String(), "fuzzmut: fuzzmut completion takes the name of a shell: bash, fish, zsh\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// needs are scripts that fail in a shell without what its own completion needs.
var needs = map[string]string{
	"bash": "type complete",
	"zsh":  "zmodload zsh/parameter && autoload -Uz +X compinit",
	"fish": "functions -q __fish_complete_path",
}

// TestShellsComplete sources the scripts in the shells and has them complete a line.
func TestShellsComplete(t *testing.T) {
	inTree(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// testscript runs the command if the test binary is called by its name.
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "fuzzmut")); err != nil {
		t.Skip(err)
	}
	for shell, script := range map[string]string{
		"bash": `eval "$(fuzzmut completion bash)"
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _fuzzmut; printf '%s,' "${COMPREPLY[@]}"; echo; }
compopt() { :; }
complete -p fuzzmut >/dev/null || exit 1
ask fuzzmut sco
ask fuzzmut corpus re
ask fuzzmut score -fuzz Fuzz
ask fuzzmut test ./p
ask fuzzmut score -json a.`,
		"zsh": `autoload -Uz compinit; compinit -u -D
source <(fuzzmut completion zsh)
[[ $_comps[fuzzmut] == _fuzzmut ]] || exit 1
_files() { print -rn -- "$words[-1]*" >&2; local f; for f in ${~words[-1]}*; do said+=$f,; done }
compadd() { while [[ $1 != -- ]]; do shift; done; shift; local w; for w in "$@"; do [[ $w == ${words[-1]}* ]] && said+=$w,; done }
ask() { words=("$@"); CURRENT=$#; said=; _fuzzmut; print -r -- $said }
ask fuzzmut sco
ask fuzzmut corpus re
ask fuzzmut score -fuzz Fuzz
ask fuzzmut test ./p
ask fuzzmut score -json a.`,
		"fish": `fuzzmut completion fish | source
function ask; complete -C "$argv" | string replace -r '\t.*' '' | string join ,; end
ask 'fuzzmut sco'
ask 'fuzzmut corpus re'
ask 'fuzzmut score -fuzz Fuzz'
ask 'fuzzmut test ./p'
ask 'fuzzmut score -json a.'
true`,
	} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed", shell)
			}
			args := map[string][]string{"bash": {"--norc", "-c"}, "zsh": {"-f", "-c"}, "fish": {"--no-config", "-c"}}[shell]
			if out, err := exec.Command(path, append(args, needs[shell])...).CombinedOutput(); err != nil {
				t.Skipf("%s lacks the functions that complete a line, as where it is not installed in whole: %v\n%s", path, err, out)
			}
			cmd := exec.Command(path, append(args, script)...)
			cmd.Dir = here
			cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir())
			var errs strings.Builder
			cmd.Stderr = &errs
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, &errs)
			}
			var got []string
			for line := range strings.Lines(string(out)) {
				words := strings.Split(strings.Trim(line, ",\n"), ",")
				slices.Sort(words)
				got = append(got, strings.Join(slices.Compact(words), " "))
			}
			want := []string{"score", "regen", "FuzzA FuzzB", "./parser ./parser/", "a.go"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", shell, diff, &errs)
			}
		})
	}
}

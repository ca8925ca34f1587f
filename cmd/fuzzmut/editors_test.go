package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report/reporttest"
)

// place is a line as an editor has to read it.
type place struct{ File, Line, Column, Level, Text string }

// printed is what -format line prints of some results, and the places in it.
func printed(t *testing.T) (text string, places []place) {
	t.Helper()
	var b bytes.Buffer
	changed := &behavior.Report{Causes: []behavior.Cause{{
		Call: "FuzzParse", Kind: "value", Input: "string(\"a: b:1:2: note: c\")",
		Hunks: []behavior.Hunk{{File: "sub dir/parse.go", Line: 98, End: 99}},
	}}}
	for _, r := range []report.Result{reporttest.Tested(), changed, reporttest.Triaged()} {
		if err := format.Lines("").Write(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(b.String()) {
		file, rest, _ := strings.Cut(strings.TrimSpace(line), ".go:")
		fields := strings.SplitN(rest, ":", 4)
		if len(fields) != 4 {
			t.Fatalf("%q", line)
		}
		places = append(places, place{file + ".go", fields[0], fields[1], strings.TrimSpace(fields[2]), strings.TrimSpace(fields[3])})
	}
	levels := make(map[string]bool)
	for _, p := range places {
		levels[p.Level] = true
	}
	if len(levels) != 3 {
		t.Fatalf("levels %v in\n%s", levels, b.String())
	}
	return b.String() + "example.com/p: mutation score 1.0 %: a last line\n", places
}

// indented is the indented part of the topic on editors that begins with a text.
func indented(t *testing.T, begin string) string {
	t.Helper()
	_, rest, ok := strings.Cut(helpFile("editors"), "\n\t"+begin)
	if !ok {
		t.Fatalf("the topic has no %q", begin)
	}
	text, _, _ := strings.Cut(begin+rest, "\n\n")
	return strings.ReplaceAll(text, "\n\t", "\n")
}

func TestTheProblemMatcherReadsWhatIsPrinted(t *testing.T) {
	var file struct {
		Version string
		Tasks   []struct {
			Label, Type, Command string
			Args                 []string
			ProblemMatcher       struct {
				Owner, Source string
				FileLocation  []string
				Pattern       struct {
					Regexp                                string
					File, Line, Column, Severity, Message int
				}
			}
		}
	}
	d := json.NewDecoder(strings.NewReader(indented(t, "{\n")))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil || file.Version != "2.0.0" || len(file.Tasks) != 3 {
		t.Fatalf("%v, %+v", err, file)
	}
	text, want := printed(t)
	for _, task := range file.Tasks {
		p := task.ProblemMatcher.Pattern
		re := regexp.MustCompile(p.Regexp)
		var got []place
		for line := range strings.Lines(text) {
			if m := re.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
				got = append(got, place{m[p.File], m[p.Line], m[p.Column], m[p.Severity], m[p.Message]})
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", task.Label, diff)
		}
		c := find(commands(), task.Args)
		args := task.Args[1:]
		if len(c.commands) > 0 {
			c, args = find(c.commands, args), args[1:]
		}
		if err := c.flags(c.name).parse(args); err != nil || task.Command != "fuzzmut" || task.Type != "process" {
			t.Errorf("%s: %v", task.Label, err)
		}
	}
}

func TestTheQuickfixListOfVimHasWhatIsPrinted(t *testing.T) {
	vim := ""
	for _, name := range []string{"vim", "vim.tiny"} {
		if path, err := exec.LookPath(name); err == nil && vim == "" {
			vim = path
		}
	}
	if vim == "" {
		t.Skip("there is no vim; Debian has it as vim-tiny")
	}
	text, want := printed(t)
	dir := t.TempDir()
	compiler := filepath.Join(dir, "compiler", "fuzzmut.vim")
	if err := os.Mkdir(filepath.Dir(compiler), 0o777); err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{compiler: indented(t, "let current_compiler"), filepath.Join(dir, "printed"): text} {
		if err := os.WriteFile(path, []byte(content+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	script := "set nocompatible\nset runtimepath^=.\ncompiler fuzzmut\ncgetfile printed\n" +
		"call writefile(map(filter(getqflist(), 'v:val.valid'), 'bufname(v:val.bufnr) . \"|\" . v:val.lnum . \"|\" . v:val.col . \"|\" . v:val.type . \"|\" . v:val.text'), 'list')\n" +
		"call writefile([&makeprg, getqflist()->len()], 'about')\nqall!\n"
	if err := os.WriteFile(filepath.Join(dir, "script.vim"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(vim, "-N", "-u", "NONE", "-i", "NONE", "-n", "-e", "-s", "-S", "script.vim")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "E319") || strings.Contains(string(out), "E492") {
			t.Skipf("this vim has no scripts or no quickfix list: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	list, err := os.ReadFile(filepath.Join(dir, "list"))
	if err != nil {
		t.Skipf("this vim runs no scripts: %v", err)
	}
	var wanted strings.Builder
	for _, p := range want {
		wanted.WriteString(p.File + "|" + p.Line + "|" + p.Column + "|" + p.Level[:1] + "|" + p.Text + "\n")
	}
	if diff := cmp.Diff(wanted.String(), string(list)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if about, err := os.ReadFile(filepath.Join(dir, "about")); err != nil || !strings.HasPrefix(string(about), "fuzzmut test -format line ./%:h\n") {
		t.Errorf("makeprg and the length of the list: %q, %v", about, err)
	}
}

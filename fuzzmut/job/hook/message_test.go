package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// message runs the hook on a template, and returns what is in it then, what is printed, and
// what was compared.
func (r *repository) message(template, source string, o MessageOptions) (text, out string, asked []string, err error) {
	r.t.Helper()
	file := filepath.Join(r.dir, ".git", "COMMIT_EDITMSG")
	r.write(".git/COMMIT_EDITMSG", template)
	var b strings.Builder
	o.Dir, o.Env, o.File, o.Source, o.Out = r.dir, r.env, ".git/COMMIT_EDITMSG", source, &b
	if o.Budget == 0 {
		o.Budget = time.Minute
	}
	if o.Diff == nil {
		o.Diff = func(_ context.Context, p project.Options, revision string, _ time.Duration) (*behavior.Report, error) {
			dir, err := filepath.Rel(r.dir, p.Dir)
			asked = append(asked, fmt.Sprint(revision, " in ", dir, " ", p.Packages))
			return new(behavior.Report), err
		}
	}
	if o.Show == nil {
		o.Show = func(w io.Writer, _ *behavior.Report) error {
			_, err := io.WriteString(w, "F: 1 is 2\n\n1 difference\n")
			return err
		}
	}
	err = WriteMessage(r.t.Context(), o)
	data, rerr := os.ReadFile(file)
	if rerr != nil {
		r.t.Fatal(rerr)
	}
	return string(data), b.String(), asked, err
}

const template = "\n# Please enter the commit message\n# ------ >8 ------\ndiff\n"

func TestTheTemplateSaysWhatTheCommitChanges(t *testing.T) {
	r := newRepository(t)
	r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
	r.git("add", ".")
	text, out, asked, err := r.message(template, "", MessageOptions{})
	want := "\n# fuzzmut: what this commit changes in behavior:\n#   F: 1 is 2\n#\n#   1 difference\n#\n# Please enter the commit message\n# ------ >8 ------\ndiff\n"
	if err != nil || text != want || out != "" || fmt.Sprint(asked) != "[HEAD in . [.]]" {
		t.Errorf("%v: %q, printed %q, asked %q", err, text, out, asked)
	}
	// A message that is complete has no comments, nor has one that git leaves as it is.
	text, out, _, err = r.message("done\n", "message", MessageOptions{})
	if err != nil || text != "done\n" || out != "fuzzmut: what this commit changes in behavior:\n  F: 1 is 2\n  \n  1 difference\n" {
		t.Errorf("%v: %q, printed %q", err, text, out)
	}
	for _, set := range []string{"commit.cleanup=verbatim", "core.commentChar=auto"} {
		key, value, _ := strings.Cut(set, "=")
		r.git("config", key, value)
		if text, out, _, err := r.message(template, "", MessageOptions{}); err != nil || text != template || out == "" {
			t.Errorf("%s: %v: %q, printed %q", set, err, text, out)
		}
		r.git("config", "--unset", key)
	}
	r.git("config", "core.commentChar", ";")
	if text, _, _, err := r.message("\n; text\n", "template", MessageOptions{}); err != nil || !strings.HasPrefix(text, "\n; fuzzmut: what") || !strings.HasSuffix(text, ";\n; text\n") {
		t.Errorf("%v: %q", err, text)
	}
}

func TestOnlyWhatIsStagedIsCompared(t *testing.T) {
	r := newRepository(t)
	r.write("sub/go.mod", "module example.com/sub\n\ngo 1.26\n")
	r.write("sub/q/q.go", "package q\n")
	r.write("q/q.go", "package q\n")
	r.write("q/q_test.go", "package q\n")
	r.write("testdata/t.go", "package t\n")
	r.git("add", ".")
	r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
	_, _, asked, err := r.message(template, "", MessageOptions{})
	tree := r.git("write-tree")
	if want := fmt.Sprintf("[HEAD..%[1]s in . [./q] HEAD..%[1]s in sub [./q]]", tree); err != nil || fmt.Sprint(asked) != want {
		t.Errorf("%v: %q, want %q", err, asked, want)
	}
	r.git("checkout", "p.go")
	if _, _, asked, err := r.message(template, "", MessageOptions{}); err != nil || fmt.Sprint(asked) != "[HEAD in . [./q] HEAD in sub [./q]]" {
		t.Errorf("%v: %q", err, asked)
	}
	r.git("commit", "--quiet", "-m", "second")
	for _, source := range []string{"", "message", "merge", "squash", "commit"} {
		r.write("q/q_test.go", "package q\n\nvar Test"+source+" = 1\n")
		r.git("add", ".")
		if text, out, asked, err := r.message(template, source, MessageOptions{}); err != nil || text != template || out != "" || asked != nil {
			t.Errorf("%q: %v: %q, printed %q, asked %q", source, err, text, out, asked)
		}
	}
}

func TestATemplateSaysWhyNothingWasCompared(t *testing.T) {
	r := newRepository(t)
	r.write("p.go", "package p\n\nfunc F() int { return 2 }\n")
	r.git("add", ".")
	late := func(ctx context.Context, _ project.Options, _ string, _ time.Duration) (*behavior.Report, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	text, _, _, err := r.message("", "", MessageOptions{Budget: 20 * time.Millisecond, Diff: late})
	if err != nil || !strings.Contains(text, "#   20ms were not enough to compare: run fuzzmut diff HEAD\n") {
		t.Errorf("%v: %q", err, text)
	}
	broken := func(context.Context, project.Options, string, time.Duration) (*behavior.Report, error) {
		return nil, errors.New("p.go:3: it does not compile")
	}
	if text, _, _, err := r.message("", "", MessageOptions{Diff: broken}); err != nil || !strings.Contains(text, "#   not compared: p.go:3: it does not compile\n") {
		t.Errorf("%v: %q", err, text)
	}
	long := func(w io.Writer, _ *behavior.Report) error {
		_, err := io.WriteString(w, strings.Repeat("line\n", 500)+"500 differences\n")
		return err
	}
	if text, _, _, err := r.message("", "", MessageOptions{Show: long}); err != nil || strings.Count(text, "\n") > linesMost+2 || !strings.Contains(text, "... 442 more lines: run fuzzmut diff HEAD\n#   500 differences\n") {
		t.Errorf("%v: %d lines: %q", err, strings.Count(text, "\n"), text[max(0, len(text)-200):])
	}
	if _, err := find(t.Context(), t.TempDir(), r.env); exit.CodeOf(err) != exit.Usage {
		t.Error(err)
	}
}

func TestBothHooksComeAndGo(t *testing.T) {
	r := newRepository(t)
	path := filepath.Join(r.dir, ".git", "hooks", Message.name)
	r.write(".git/hooks/"+Message.name, "#!/bin/sh\n")
	program := &Program{Words: []string{"/bin/fuzzmut"}, Local: true}
	for range 2 {
		if i, err := Install(t.Context(), r.dir, r.env, Message, program, []string{"-budget", "5s"}); err != nil || i.Path != path || i.Before != path+beforeEnd {
			t.Fatalf("%+v, %v", i, err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `fuzzmut hook message -budget 5s "$@" || `) || !Message.isOurs(text) || Commit.isOurs(text) {
		t.Errorf("%v: %s", err, text)
	}
	if i, err := Uninstall(t.Context(), r.dir, r.env, Commit); i != nil || err != nil {
		t.Errorf("%+v, %v", i, err)
	}
	if i, err := Uninstall(t.Context(), r.dir, r.env, Message); err != nil || i.Before == "" {
		t.Errorf("%+v, %v", i, err)
	}
}

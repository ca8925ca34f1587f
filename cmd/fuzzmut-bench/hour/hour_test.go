package hour

import (
	"context"
	"os"
	"strings"
	"testing"
)

const sample = `module example.com/m@v1.0.0

# First, see
# what is there.
$ echo "hello from $FILES/x"; cat $FILES/x
~ ^text of x$
!~ nobody

$3 exit 3
-- x --
text of x
`

func TestParse(t *testing.T) {
	s, err := parse("testdata/hour/sample.txtar", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	if s.name != "sample" || s.module != "example.com/m@v1.0.0" || s.files["x"] != "text of x\n" || len(s.steps) != 3 {
		t.Fatalf("parsed as %+v", s)
	}
	if got := s.steps[0].text; got != "First, see\nwhat is there." {
		t.Errorf("text %q", got)
	}
	if got := s.steps[2]; got.command != "exit 3" || got.code != 3 || got.line != 9 {
		t.Errorf("last step %+v", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no module", "$ true\n", `s.txtar: no line "module PATH@VERSION"`},
		{"no such line", "module m@v1\nwhat is this\n", `s.txtar:2: "what is this" is no line of a session`},
		{"expectation first", "module m@v1\n~ x\n", `s.txtar:2: "~ x" stands after no command`},
		{"bad expression", "module m@v1\n$ true\n~ (\n", "s.txtar:3: error parsing regexp: missing closing ): `(?m)(`"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := parse("s.txtar", []byte(test.text)); err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	s, err := parse("s.txtar", []byte("module m@v1\n$1 x\n~ ^found\n!~ lost\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		code      int
		out, want string
	}{
		{1, "and\nfound\n", ""},
		{0, "found\n", "exit code 0, expected 1"},
		{1, "not found\n", `the output does not match "(?m)^found"`},
		{1, "found and lost\n", `the output matches "(?m)lost"`},
	} {
		err := s.steps[0].check(test.code, test.out)
		if got := message(err); got != test.want {
			t.Errorf("check(%d, %q): %s, want %s", test.code, test.out, got, test.want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestSteps(t *testing.T) {
	s, err := parse("sample.txtar", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	p := &player{out: &out, home: t.TempDir(), proxy: "off", version: "v0"}
	env := append(os.Environ(), "FILES="+p.home)
	if err := os.WriteFile(p.home+"/x", []byte(s.files["x"]), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, step := range s.steps[1:] {
		if err := p.step(context.Background(), p.home, env, step); err != nil {
			t.Error(err)
		}
	}
	// The directory is hidden, since it is another one each time.
	if got := out.String(); !strings.Contains(got, "$ echo") || !strings.Contains(got, "\nhello from ~/x\ntext of x\n") || !strings.Contains(got, "[exit code 3, ") {
		t.Errorf("transcript:\n%s", got)
	}
	if err := p.step(context.Background(), p.home, env, step{command: "true", code: 1}); err == nil {
		t.Error("a command that ends otherwise than expected passes")
	}
}

func TestTheTranscriptNamesAnotherGo(t *testing.T) {
	p := &player{home: t.TempDir()}
	if got, err := p.toolchain(t.Context(), os.Environ()); err != nil || got != "" {
		t.Errorf("%q, %v", got, err)
	}
	fake := t.TempDir()
	if err := os.WriteFile(fake+"/go", []byte("#!/bin/sh\necho go1.99.1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", fake+string(os.PathListSeparator)+os.Getenv("PATH"))
	if got, err := p.toolchain(t.Context(), os.Environ()); err != nil || got != "; the session runs go1.99.1" {
		t.Errorf("%q, %v", got, err)
	}
}

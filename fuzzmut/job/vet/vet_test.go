package vet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// found returns what vet finds in a module, a line each.
func found(t *testing.T, files string) []string {
	t.Helper()
	dir := t.TempDir()
	archive := txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n\ngo 1.26\n" + files))
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Run(t.Context(), project.Options{Dir: dir, Packages: []string{"./..."}})
	if r == nil {
		t.Fatal(err)
	}
	want := exit.OK
	if len(r.Findings) > 0 {
		want = exit.Failing
	}
	if got := exit.CodeOf(err); got != want {
		t.Errorf("exit code %d, want %d: %v", got, want, err)
	}
	list := []string{}
	for _, f := range r.Findings {
		list = append(list, fmt.Sprintf("%s:%d:%d %s: %s", f.File, f.Line, f.Column, f.Check, f.Text))
	}
	return list
}

// expect compares findings with prefixes of them.
func expect(t *testing.T, files string, want ...string) {
	t.Helper()
	got := found(t, files)
	for i := range got {
		if i < len(want) && strings.HasPrefix(got[i], want[i]) {
			got[i] = want[i]
		}
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestDirectivesThatAreWrong(t *testing.T) {
	expect(t, `
-- a.go --
package m

//fuzzmut:tarjet
func A(s string) int { return len(s) }

// fuzzmut:ignore with a space
func B(s string) int { return len(s) }

//fuzzmut:target twice
func C(s string) int { return len(s) }

//fuzzmut:target
type T int

//fuzzmut:observe everything
type U int

//fuzzmut:opaque
func D() {}

//fuzzmut:compare
func E(a, b int) int { return a }

// fuzmut : target
func F(s string) int { return len(s) }

// Fuzzmut: it mutates code. fuzzmut:targets are many.
//
// fuzzmut: worker died
//nolint:ignore
//go:generate ignore
func G(s string) int { return len(s) }

/* fuzzmut:opaque */
type V int

//fuzzmut ignore without a colon
func H() {}

//go:fuzzmut.ignore with another sign
func I() {}

//fuzzmut is one of several tools, and
// fuzzmut ignores this.
func J() {}
`,
		"a.go:3:1 directive: unknown directive //fuzzmut:tarjet; did you mean //fuzzmut:target?",
		"a.go:6:1 directive: this comment is no directive; write //fuzzmut:ignore at its beginning",
		"a.go:10:1 directive: //fuzzmut:target twice: only property, nil, fields, panics, without or fuzz",
		"a.go:13:6 directive: //fuzzmut:target above a type needs the word sequence",
		"a.go:15:1 directive: //fuzzmut:observe wants one word after it",
		"a.go:18:1 directive: //fuzzmut:opaque belongs into the comment right above a type",
		"a.go:22:1 directive: //fuzzmut:compare needs a function of the form",
		"a.go:24:1 directive: this comment is no directive; write //fuzzmut:target",
		"a.go:34:1 directive: this comment is no directive; write //fuzzmut:opaque",
		"a.go:37:1 directive: this comment is no directive; write //fuzzmut:ignore",
		"a.go:40:1 directive: this comment is no directive; write //fuzzmut:ignore",
	)
}

func TestTargetsThatCantBeDerived(t *testing.T) {
	expect(t, `
-- a.go --
package m

//fuzzmut:target
func Chan(c chan int) int { return len(c) }

//fuzzmut:target
func Fine(s string) int { return len(s) }

//fuzzmut:target
func Tested(c chan int) int { return len(c) }

//fuzzmut:target
func Outside(c chan int) int { return len(c) }

// Not exported, so that it is only observed.
//
//fuzzmut:target
func hidden(c chan int) int { return len(c) }

//fuzzmut:target fuzz
func wanted(f func()) int { return Chan(nil) + hidden(nil) }
-- a_test.go --
package m

import "testing"

func FuzzA(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Tested(make(chan int, n&7)); wanted(nil) })
}
-- b_test.go --
package m_test

import (
	"testing"

	"example.com/m"
)

func FuzzB(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { m.Outside(make(chan int, n&7)) }) }
`, "a.go:4:1 target: no fuzz test can be derived for Chan")
}

// The directive on a function that is not exported has its results observed. Where no fuzz test can
// call it, it does nothing.
func TestTargetsThatAreNotExported(t *testing.T) {
	const code = `
-- a.go --
package m

//fuzzmut:target
func alone(s string) int {
	if s == "" {
		return 0
	}
	return alone(s[1:]) + 1
}

//fuzzmut:target
func called(s string) int { return len(s) }

//fuzzmut:target
func inTable(s string) int { return len(s) }

//fuzzmut:target
func byMethod(s string) int { return len(s) }

var table = map[string]func(string) int{"a": inTable}

type t int

func (t) Len(s string) int { return byMethod(s) }
`
	const exported = "func A(s string) int { return called(s) }\n"
	const alone = "a.go:4:1 target: alone is not exported: to derive a fuzz test for it, write the directive //fuzzmut:target fuzz"
	expect(t, code+exported, alone, "a.go:12:1 target: called is not exported", "a.go:15:1 target: inTable is not", "a.go:18:1 target: byMethod is not")
	expect(t, code+"//fuzzmut:target\n"+exported, alone)
	expect(t, code+exported+`
-- a_test.go --
package m

import "testing"

func FuzzA(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { A(s) }) }
`, alone)
	expect(t, code+exported+`
-- b_test.go --
package m_test

import (
	"testing"

	"example.com/m"
)

func FuzzB(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { m.A(s) }) }
`, alone)
	expect(t, code+exported+`
-- a_test.go --
package m

import "testing"

func FuzzOther(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { table[s](s) }) }
`, alone, "a.go:12:1 target: called is not exported")
}

func TestIgnoresThatDoNothing(t *testing.T) {
	expect(t, `
-- a.go --
package m

//fuzzmut:ignore a table
var table = len("a") + 2

//fuzzmut:ignore
func A(a, b int) bool { return a < b }

func B(a, b int) bool {
	//fuzzmut:ignore a comment that is far away

	if a > b { //fuzzmut:ignore it is only logged
		return true
	}
	return a == b
}

//fuzzmut:ignore nothing to change
type T int

//fuzzmut:ignore the compiler holds this to limits
//
//go:nosplit
func C(a, b int) bool { return a < b }
-- whole.go --
//fuzzmut:ignore all of it

package m

func D(a, b int) bool { return a < b }
-- empty.go --
//fuzzmut:ignore there is nothing

package m

type E struct{}
-- a_test.go --
package m

import "testing"

func TestA(t *testing.T) {
	//fuzzmut:ignore slow
	if A(1, 2) != true {
		t.Error(B(1, 2), C(1, 2), D(1, 2), table)
	}
}
`,
		"a.go:6:1 ignore: there is no reason; write one",
		"a.go:10:2 ignore: this directive leaves nothing out",
		"a.go:18:1 ignore: this directive leaves nothing out",
		"a.go:21:1 ignore: this directive leaves nothing out",
		"a_test.go:6:2 ignore: this directive leaves nothing out: test files have no mutants",
		"empty.go:1:1 ignore: this directive leaves nothing out",
	)
}

func TestFuzzTestsThatCallNothing(t *testing.T) {
	const code = `
-- a.go --
package m

import "io"

const Max = 3

type T struct{ N int }

func (T) Write(p []byte) (int, error) { return len(p), nil }

func A(s string) int { return len(s) }

var Out io.Writer = T{}
-- sub/sub.go --
package sub

func S(s string) int { return len(s) }
`
	expect(t, code+`
-- a_test.go --
package m

import (
	"encoding/json"
	"testing"
)

func FuzzNothing(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > Max && !json.Valid([]byte(s)) {
			t.Skip()
		}
		helper(t, s)
	})
}

func helper(t *testing.T, s string) { t.Log(s, limit) }

var limit = 7

func FuzzCalls(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { A(s) }) }

func FuzzHelper(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { through(s) }) }

func through(s string) { table[s](s) }

var table = map[string]func(string) int{"a": A}

func FuzzType(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { json.Unmarshal(b, new(T)) })
}

func FuzzMethod(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { var w own; json.Unmarshal([]byte(s), &w) }) }

type own struct{}

func (*own) UnmarshalJSON(b []byte) error { A(string(b)); return nil }

func FuzzVariable(f *testing.F) { f.Fuzz(func(t *testing.T, b []byte) { Out.Write(b) }) }
-- b_test.go --
package m_test

import (
	"testing"

	"example.com/m/sub"
)

func FuzzOther(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { sub.S(s) }) }

func FuzzEmpty(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }
`,
		"a_test.go:8:6 fuzz-test: FuzzNothing calls nothing of package example.com/m, nor of others of its module",
		"b_test.go:11:6 fuzz-test: FuzzEmpty calls nothing of package example.com/m, nor",
	)
	const empty = "import \"testing\"\n\nfunc FuzzEmpty(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }\n"
	for about, files := range map[string]string{
		"the package registers a function": "-- a.go --\npackage m\n\nimport \"expvar\"\n\nfunc init() { b() }\n\nfunc b() { expvar.Publish(\"a\", expvar.Func(a)) }\n\nfunc a() any { return nil }\n-- a_test.go --\npackage m\n\n" + empty,
		"it registers a value":             "-- a.go --\npackage m\n\nimport \"expvar\"\n\nvar _ = publish(expvar.Publish)\n\nfunc publish(do func(string, expvar.Var)) int { do(\"a\", v); return 0 }\n\nvar v V\n\ntype V struct{}\n\nfunc (V) String() string { return \"\" }\n-- a_test.go --\npackage m\n\n" + empty,
		"it gives a function away":         "-- a.go --\npackage m\n\nimport \"flag\"\n\nfunc init() { flag.Usage = func() { a() } }\n\nfunc a() {}\n-- a_test.go --\npackage m\n\n" + empty,
		"it calls what a map has":          "-- a.go --\npackage m\n\nimport \"expvar\"\n\nvar m = map[int]func(){1: b}\n\nfunc init() { m[1]() }\n\nfunc b() { expvar.Publish(\"a\", expvar.Func(a)) }\n\nfunc a() any { return nil }\n-- a_test.go --\npackage m\n\n" + empty,
		"it starts a goroutine":            "-- a.go --\npackage m\n\nfunc init() { go a() }\n\nfunc a() {}\n-- a_test.go --\npackage m\n\n" + empty,
		"the tests register something":     code + "-- b_test.go --\npackage m\n\n" + empty + "-- c_test.go --\npackage m\n\nimport \"expvar\"\n\nfunc init() { expvar.Publish(\"a\", expvar.Func(func() any { return nil })) }\n",
		"a blank import":                   code + "-- b_test.go --\npackage m_test\n\nimport _ \"example.com/m\"\n\n" + empty,
		"another process":                  code + "-- b_test.go --\npackage m_test\n\nimport _ \"os/exec\"\n\n" + empty,
		"a package of tests alone":         "-- a_test.go --\npackage m\n\n" + empty,
	} {
		t.Run(about, func(t *testing.T) { expect(t, files) })
	}
}

// Most packages that initialize something keep it to themselves.
func TestAnInitializationOfTheirOwnHidesNoIdleFuzzTest(t *testing.T) {
	expect(t, `-- a.go --
package m

import (
	"regexp"
	"strings"
)

var calls map[string]func() string

var word = regexp.MustCompile("a+")

func init() {
	calls = map[string]func() string{"a": a}
	word.Longest()
}

func a() string { return strings.Map(func(r rune) rune { return r }, word.String()) }
-- a_test.go --
package m

import "testing"

func FuzzEmpty(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }
`, "a_test.go:5:6 fuzz-test: FuzzEmpty calls nothing of package example.com/m")
}

func TestAPackageThatDoesNotCompileIsAUsageError(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nfunc A() { undefined() }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Run(t.Context(), project.Options{Dir: dir})
	if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "a.go:3:12: undefined: undefined") {
		t.Errorf("%v", err)
	}
}

package goldentest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// builds has declarations that some builds lack, and fuzz tests that use them through others.
const builds = `
-- go.mod --
module example.com/builds

go 1.26
-- p.go --
package builds

type Writer interface{ Level() int }

func Plain(n int) int { return n }

func Text(n int) Level { return "level" }

type Level string

func Any(n int) any { return made(n) }

var made func(n int) any

func Of(w Writer) int { return w.Level() }
-- log.go --
//go:build !nolog && (!small || big)

package builds

type Log struct{ N int }

func (l Log) Level() int { return l.N }

func Half(n int) int { return n / 2 }

func (l Level) Doubled() int { return 2 * len(l) }
-- own_test.go --
//go:build !nolog

package builds

type tested struct{ n int }

func newTested(n int) tested { return tested{n} }

func (l tested) Level() int { return l.n }
-- derived_test.go --
package builds

import "testing"

func FuzzPlain(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Plain(n) })
}

func FuzzHalf(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Half(n) })
}

func FuzzMethod(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { Level(s).Doubled() })
}

func FuzzValue(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Any(n) })
}

func FuzzTested(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		l := newTested(n)
		Of(l)
	})
}
-- x_test.go --
package builds_test

import (
	"testing"

	"example.com/builds"
)

func FuzzOutside(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { builds.Plain(n) })
}
`

// A written file is in no build that lacks what it uses, or go test would build no test of the
// package there. Fuzz tests that were derived stand in no file, and say nothing of it.
func TestBuildsThatHaveATest(t *testing.T) {
	of := func(fuzz, value, text string, arg any) Test {
		return Test{Name: fuzz, Table: true, Cases: []Case{{Name: "fuzzmut-1-0123456789abcdef", Args: []any{arg}, Values: []golden.Value{{Name: value, Text: text}}}}}
	}
	plain := of("FuzzPlain", "builds.Plain #1 result 0", "int 1", 1)
	outside := of("FuzzOutside", "builds.Plain #1 result 0", "int 1", 1)
	half := of("FuzzHalf", "builds.Half #1 result 0", "int 0", 1)
	r := loadText(t, builds)
	derived := filepath.Join(r.Test.Dir, "derived_test.go")
	r.DerivedFiles = map[string][]byte{derived: nil}
	if err := os.Remove(derived); err != nil {
		t.Fatal(err)
	}
	compiles := func(t *testing.T) {
		t.Helper()
		for _, tags := range []string{"", "nolog", "small", "small,big"} {
			vet(t, r.Test.Dir, "-tags="+tags)
		}
	}
	f := &Plain{Name: "plain_test.go", ExternalName: "plain_x_test.go", Mark: "// Plain tests.\n"}
	for _, c := range []struct {
		name  string
		tests []Test
		want  string // the constraint of the file
	}{
		{"nothing that any build lacks", []Test{plain, outside}, ""},
		{"a function", []Test{plain, outside, half}, "!nolog && (!small || big)"},
		{"a method", []Test{of("FuzzMethod", "builds.Level.Doubled #1 result 0", "int 2", "a")}, "!nolog && (!small || big)"},
		{"a type of a result", []Test{of("FuzzValue", "builds.Any #1 result 0", "builds.Log {N: 1}", 1)}, "!nolog && (!small || big)"},
		{"a type of a test file", []Test{of("FuzzTested", "builds.Of #1 result 0", "int 1", 1)}, "!nolog"},
	} {
		t.Run(c.name, func(t *testing.T) {
			written, err := f.Write(r, c.tests)
			if err != nil || len(written.Left) > 0 {
				t.Fatalf("%+v, %v", written.Left, err)
			}
			write(t, written.Files)
			check(t, string(written.Files[filepath.Join(r.Test.Dir, f.Name)]), c.want)
			if src, ok := written.Files[filepath.Join(r.Test.Dir, f.ExternalName)]; ok {
				check(t, string(src), "")
			}
			compiles(t)
		})
	}
	files, err := generate(t, r, half, plain)
	if err != nil {
		t.Fatal(err)
	}
	check(t, files["half_golden_test.go"], "!nolog && (!small || big)")
	check(t, files["plain_golden_test.go"], "")
	compiles(t)
}

// check compares the constraint of a file.
func check(t *testing.T, src, want string) {
	t.Helper()
	_, line, _ := strings.Cut(src, "//go:build ")
	got, _, _ := strings.Cut(line, "\n")
	if src == "" || got != want {
		t.Errorf("constraint %q, want %q:\n%s", got, want, src)
	}
}

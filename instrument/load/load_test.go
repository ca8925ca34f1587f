package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// unpack writes an archive into a new directory.
func unpack(t *testing.T, text string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(text)).Files {
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// several is a module with packages of every kind.
const several = `
-- go.mod --
module example.com/m

go 1.26
-- a.go --
package m

import "example.com/m/internal/dep"

func A(n int) int { return dep.D(n) }
-- b_test.go --
package m

import "testing"

func FuzzInside(f *testing.F) { run(f) }

func run(f *testing.F) {
	f.Fuzz(func(t *testing.T, a byte, r rune, b []uint8, s string, x float64) { A(int(a)) })
}

func Fuzzy(f *testing.F)     {}
func (T) FuzzMethod(*testing.F) {}

type T struct{}
-- a_test.go --
package m_test

import (
	"testing"

	"example.com/m"
	"example.com/m/helper"
)

func target(t *testing.T, s string) { m.A(len(s)) }

func FuzzOutside(f *testing.F) { f.Fuzz(target) }

func FuzzUnknown(f *testing.F) { helper.Run(f, func(t *testing.T, n int) {}) }

func Fuzz(f *testing.F) { f.Skip() }
-- helper/h.go --
package helper

import "testing"

func Run(f *testing.F, fn any) { f.Fuzz(fn) }
-- internal/dep/d.go --
package dep

func D(n int) int { return n }
-- unrelated/u.go --
package unrelated

func U() {}
-- nofuzz/n.go --
package nofuzz
-- nofuzz/n_test.go --
package nofuzz

import "testing"

func TestNo(t *testing.T) {}
`

func TestLoad(t *testing.T) {
	dir := unpack(t, several)
	r, err := Load(t.Context(), Config{Dir: dir, Pattern: "."})
	if err != nil {
		t.Fatal(err)
	}
	in, out := filepath.Join(dir, "b_test.go"), filepath.Join(dir, "a_test.go")
	want := instrument.TestPackage{
		ImportPath: "example.com/m", Name: "m", Dir: dir, ModulePath: "example.com/m", ModuleDir: dir,
		Fuzz: []instrument.FuzzTest{
			{Name: "FuzzInside", File: in, Line: 5, ArgTypes: []string{"uint8", "int32", "[]byte", "string", "float64"}},
			{Name: "FuzzOutside", File: out, Line: 12, ArgTypes: []string{"string"}},
			{Name: "FuzzUnknown", File: out, Line: 14},
			{Name: "Fuzz", File: out, Line: 16},
		},
	}
	if diff := cmp.Diff(want, r.Test); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"example.com/m mutated", "example.com/m/helper", "example.com/m/internal/dep"}, describe(r)); diff != "" {
		t.Errorf("packages: want -, got +:\n%s", diff)
	}
	if !r.Main || r.Standard || len(r.Tests) != 2 || r.Tests[0].External || !r.Tests[1].External {
		t.Errorf("Main %v, Standard %v, %d kinds of test files", r.Main, r.Standard, len(r.Tests))
	}
	for _, p := range r.Packages {
		for _, f := range p.Files {
			if src, err := os.ReadFile(f.Path); err != nil || string(src) != string(f.Src) || f.Syntax == nil {
				t.Errorf("file %s: source is %q (%v)", f.Path, f.Src, err)
			}
		}
	}
}

// describe lists the packages to rewrite.
func describe(r *Result) []string {
	var list []string
	for _, p := range r.Packages {
		s := p.ImportPath
		if p.Mutated {
			s += " mutated"
		}
		list = append(list, s)
	}
	return list
}

func TestMutatePatterns(t *testing.T) {
	dir := unpack(t, several)
	for _, tt := range []struct {
		mutate []string
		want   []string
	}{
		{[]string{"./..."}, []string{"example.com/m mutated", "example.com/m/helper mutated", "example.com/m/internal/dep mutated"}},
		{[]string{"./internal/dep"}, []string{"example.com/m", "example.com/m/helper", "example.com/m/internal/dep mutated"}},
		{[]string{".", "strconv"}, []string{"example.com/m mutated", "example.com/m/helper", "example.com/m/internal/dep", "strconv mutated"}},
		{[]string{"runtime/...", "."}, nil},
	} {
		r, err := Load(t.Context(), Config{Dir: dir, Pattern: ".", Mutate: tt.mutate})
		if err != nil {
			if tt.want != nil {
				t.Errorf("%v: %v", tt.mutate, err)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, describe(r)); tt.want != nil && diff != "" {
			t.Errorf("%v: want -, got +:\n%s", tt.mutate, diff)
		}
	}
}

func TestSelect(t *testing.T) {
	r := &Result{Test: instrument.TestPackage{ImportPath: "p", Fuzz: []instrument.FuzzTest{{Name: "FuzzA"}, {Name: "FuzzB"}}}}
	for pattern, kind := range map[string]problem.Kind{"C": problem.KindNoFuzzMatch, "(": problem.KindUsage} {
		var e *problem.Error
		if err := r.Select(pattern); !errors.As(err, &e) || e.Kind != kind {
			t.Errorf("Select(%q) = %v", pattern, err)
		}
	}
	if err := r.Select("C"); !strings.Contains(err.Error(), "FuzzA, FuzzB") {
		t.Errorf("the error lists no fuzz tests: %v", err)
	}
	if err := r.Select(""); err != nil || len(r.Test.Fuzz) != 2 {
		t.Errorf("Select of all: %v, %v", r.Test.Fuzz, err)
	}
	if err := r.Select("B$"); err != nil || len(r.Test.Fuzz) != 1 || r.Test.Fuzz[0].Name != "FuzzB" {
		t.Errorf("Select(B$): %v, %v", r.Test.Fuzz, err)
	}
}

func TestExpand(t *testing.T) {
	dir := unpack(t, several)
	var notes []string
	cfg := Config{Dir: dir, Note: func(s string) { notes = append(notes, s) }}
	inner := filepath.Join(dir, "inner", "deep")
	if err := os.MkdirAll(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "inner", "go.mod"), []byte("module example.com/inner\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inner, "deep.go"), []byte("package deep\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := Expand(t.Context(), cfg, []string{"./...", "."})
	if diff := cmp.Diff([]string{"example.com/m"}, got); err != nil || diff != "" {
		t.Errorf("%v, %s", err, diff)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "4 packages have no fuzz tests: example.com/m/helper, ") || strings.Contains(notes[0], "more") {
		t.Errorf("notes are %q", notes)
	}
	for n, want := range map[int]string{
		1: "package a has no tests", 2: "2 packages have no tests: a, b", 6: "6 packages have no tests: a, b, c, and 3 more",
	} {
		if got := lacking([]string{"a", "b", "c", "d", "e", "f"}[:n], "tests"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got, err := Expand(t.Context(), cfg, nil); err != nil || len(got) != 1 {
		t.Errorf("no patterns: %v, %v", got, err)
	}
	for _, tt := range []struct {
		patterns string
		kind     problem.Kind
		want     string
	}{
		{"./nofuzz", problem.KindNoFuzzTests, "package example.com/m/nofuzz has no fuzz tests: write a func FuzzX"},
		{"./nofuzz ./unrelated", problem.KindNoFuzzTests, "none of the 2 packages"},
		{"./missing", problem.KindNotFound, "./missing can't be found"},
		{"example.com/other", problem.KindNotFound, "example.com/other can't be found"},
		{"./missing/...", problem.KindNotFound, "./missing/... can't be found"},
		{"example.com/none/...", problem.KindNotFound, "example.com/none/... matches no package"},
		{"a.go", problem.KindUsage, "name its package"},
		{"./inner", problem.KindNotFound, "package ./inner can't be found: it is in another module; to go there, use -C inner ."},
		{"./inner/deep/", problem.KindNotFound, "use -C inner ./deep"},
		{"./inner/...", problem.KindNotFound, "use -C inner ./..."},
		{"nofuzz", problem.KindNotFound, "; for the directory write ./nofuzz"},
		{"nofuzz/...", problem.KindNotFound, "nofuzz/... matches no package; for the directory write ./nofuzz/..."},
	} {
		_, err := Expand(t.Context(), cfg, strings.Fields(tt.patterns))
		checkError(t, tt.patterns, err, tt.kind, tt.want)
	}
	_, err = Units(t.Context(), cfg, []string{"nofuzz"})
	checkError(t, "units", err, problem.KindNotFound, "package nofuzz can't be found: package nofuzz is not in std")
	_, err = Expand(t.Context(), cfg, []string{"fmt/nofuzz"})
	if err == nil || strings.Contains(err.Error(), "directory") {
		t.Errorf("no directory of that name: %v", err)
	}
}

// Without a fuzz test in many packages, a function to derive one for is named with its directory.
func TestExpandNamesAFunctionOfAnyPackage(t *testing.T) {
	dir := unpack(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- m.go --\npackage m\n\nfunc N(n int) {}\n-- sub/s.go --\npackage sub\n\nfunc S(s string) error { return nil }\n")
	_, err := Expand(t.Context(), Config{Dir: dir}, []string{"./..."})
	checkError(t, "two packages", err, problem.KindNoFuzzTests, "has a fuzz test: put the line //fuzzmut:target above func S ("+filepath.Join("sub", "s.go")+":3), or above another function")
}

// A directive with a slip derives no fuzz test: where a package has none, the slip is named, and its place.
func TestExpandNamesASlipOfADirective(t *testing.T) {
	dir := unpack(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- m.go --\npackage m\n\nfunc N(n int) {}\n-- sub/s.go --\npackage sub\n\n//fuzzmut:traget\nfunc S(s string) error { return nil }\n")
	for _, pattern := range []string{"./sub", "./..."} {
		_, err := Expand(t.Context(), Config{Dir: dir, Derive: true}, []string{pattern})
		checkError(t, pattern, err, problem.KindDirective, filepath.Join("sub", "s.go")+":3: unknown directive //fuzzmut:traget; did you mean //fuzzmut:target?")
	}
	const space = "// fuzzmut knows a directive, which is a target.\n// fuzzmut: worker died\n// fuzzmut: ignore it\n//\n// fuzzmut:target\n"
	if err := os.WriteFile(filepath.Join(dir, "sub", "s.go"), []byte("package sub\n\n"+space+"func S(s string) error { return nil }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Expand(t.Context(), Config{Dir: dir, Derive: true}, []string{"./sub"})
	checkError(t, "with a space", err, problem.KindDirective, filepath.Join("sub", "s.go")+":7: this comment is no directive; write //fuzzmut:target at its beginning")
	_, err = Expand(t.Context(), Config{Dir: dir}, []string{"."})
	checkError(t, "a package without the slip", err, problem.KindNoFuzzTests, "has no fuzz tests: put the line //fuzzmut:target above func N")
}

// Without a module there is no package below the directory.
func TestExpandWithoutAModule(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	_, err := Expand(t.Context(), Config{Dir: dir}, []string{"./..."})
	checkError(t, "no module", err, problem.KindNotFound, "package ./... can't be found: there is no go.mod in "+dir+" or above it")
}

// Where a workspace has no module in the directory, the error names those that it has.
func TestPatternsOutsideTheModulesOfAWorkspace(t *testing.T) {
	tree := "-- go.work --\ngo 1.26\n\nuse (\n\t./a\n\t./b\n\t./c\n\t./d\n)\n-- sub/x.txt --\n"
	for _, m := range []string{"a", "b", "c", "d"} {
		tree += "-- " + m + "/go.mod --\nmodule example.com/" + m + "\n\ngo 1.26\n-- " + m + "/m.go --\npackage m\n"
	}
	dir := unpack(t, tree)
	t.Setenv("GOWORK", "")
	for at, want := range map[string]string{
		".":   "no module of go.work is in " + dir + " or above it; name packages of ./a, ./b, ./c, and others, as ./a/...",
		"sub": "no module of go.work is in " + filepath.Join(dir, "sub") + " or above it; name packages of ../a, ../b, ../c, and others, as ../a/...",
	} {
		_, err := Expand(t.Context(), Config{Dir: filepath.Join(dir, at)}, []string{"./..."})
		checkError(t, at, err, problem.KindNotFound, "package ./... can't be found: "+want)
	}
}

// Where tests of any kind count, so does code without any, unless it is a part of tests.
func TestExpandToUntestedCode(t *testing.T) {
	dir := unpack(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n"+
		"-- m.go --\npackage m\n\nimport _ \"example.com/m/dep\"\n-- dep/dep.go --\npackage dep\n\nfunc F() {}\n"+
		"-- help/help.go --\npackage help\n\nimport \"testing\"\n\nfunc Help(t testing.TB) {}\n"+
		"-- only/only_test.go --\npackage only\n")
	var notes []string
	cfg := Config{Dir: dir, AnyTests: true, Note: func(s string) { notes = append(notes, s) }}
	got, err := Expand(t.Context(), cfg, []string{"./..."})
	if diff := cmp.Diff([]string{"example.com/m/dep", "example.com/m/only", "example.com/m"}, got); err != nil || diff != "" {
		t.Errorf("%v, %s", err, diff)
	}
	if diff := cmp.Diff([]string{"package example.com/m/help has no tests, and no code that tests could cover"}, notes); diff != "" {
		t.Error(diff)
	}
	_, err = Expand(t.Context(), cfg, []string{"./help"})
	checkError(t, "a part of tests", err, problem.KindNoFuzzTests, "package example.com/m/help has no tests, and no code that tests could cover")
	for pattern, untested := range map[string]bool{"./dep": true, "./only": false} {
		if r, err := Load(t.Context(), Config{Dir: dir, Pattern: pattern, AnyTests: true, TestOnly: true}); err != nil || r.Test.Untested != untested {
			t.Errorf("%s: %v, %v", pattern, r, err)
		}
	}
}

// checkError wants an *Error of one line that contains want.
func checkError(t *testing.T, what string, err error, kind problem.Kind, want string) {
	t.Helper()
	var e *problem.Error
	if !errors.As(err, &e) || e.Kind != kind || !strings.Contains(e.Msg, want) || strings.Contains(e.Msg, "\n") {
		t.Errorf("%s: error is %v; want kind %d with %q", what, err, kind, want)
	}
}

const head = "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- m.go --\npackage m\n\nfunc M(n int) int { return n }\n"

const headTest = head + "-- m_test.go --\npackage m\n\nimport \"testing\"\n\nfunc FuzzM(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n int) { M(n) })\n}\n"

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name, tree string
		cfg        Config
		kind       problem.Kind
		want       string
	}{
		{"no such package", headTest, Config{Pattern: "./x"}, problem.KindNotFound, "package ./x can't be found"},
		{"no such import", headTest, Config{Pattern: "example.com/y"}, problem.KindNotFound, "package example.com/y can't be found"},
		{"nothing matches", headTest, Config{Pattern: "example.com/none/..."}, problem.KindNotFound, "example.com/none/... matches no package"},
		{"several match", head + "-- x/x.go --\npackage x\n", Config{Pattern: "./..."}, problem.KindUsage, "matches several packages"},
		{"a file", headTest, Config{Pattern: "m.go"}, problem.KindUsage, "name its package"},
		{"no directory", headTest, Config{Dir: "/nonexistent/x", Pattern: "."}, problem.KindNotFound, "directory /nonexistent/x does not exist"},
		{"constraints", head + "-- x/x.go --\n//go:build never\n\npackage x\n", Config{Pattern: "./x"}, problem.KindNotFound, "build constraints"},
		{"type error", head + "-- bad.go --\npackage m\n\nvar a int = \"1\"\nvar b int = \"2\"\n", Config{}, problem.KindBroken, "bad.go:3:13: cannot use \"1\""},
		{"more type errors", head + "-- bad.go --\npackage m\n\nvar a int = \"1\"\nvar b int = \"2\"\n", Config{}, problem.KindBroken, "(and 1 more); package example.com/m has to compile first"},
		{"type error in test", head + "-- bad_test.go --\npackage m_test\n\nvar a int = \"1\"\n", Config{}, problem.KindBroken, "bad_test.go:3:13: cannot use"},
		{"syntax error", head + "-- bad.go --\npackage m\n\nfunc {\n", Config{}, problem.KindBroken, "bad.go:3:6: "},
		{"broken dependency", head + "-- use.go --\npackage m\n\nimport _ \"example.com/m/x\"\n-- x/x.go --\npackage x\n\nvar a int = \"1\"\n", Config{}, problem.KindBroken, "x/x.go:3:13: cannot use"},
		{"missing dependency", head + "-- use.go --\npackage m\n\nimport _ \"example.com/missing\"\n", Config{}, problem.KindBroken, "use.go:3:10: no required module provides package example.com/missing; to add it: go get example.com/missing"},
		{"import cycle", head + "-- use.go --\npackage m\n\nimport _ \"example.com/m/x\"\n-- x/x.go --\npackage x\n\nimport _ \"example.com/m\"\n", Config{}, problem.KindBroken, "import cycle"},
		{"no fuzz tests", head, Config{}, problem.KindNoFuzzTests, "package example.com/m has no fuzz tests: put the line //fuzzmut:target above func M (m.go:3), or above another function, to derive one from its arguments; or write a func FuzzX(f *testing.F)"},
		{"a slip in what derives one", head + "-- d.go --\npackage m\n\n//fuzzmut:traget\nfunc F(s string) {}\n", Config{Derive: true}, problem.KindDirective, "d.go:3: unknown directive //fuzzmut:traget; did you mean //fuzzmut:target?"},
		{"a space in what derives one", head + "-- d.go --\npackage m\n\n// fuzzmut:target\nfunc F(s string) {}\n", Config{Derive: true}, problem.KindDirective, "d.go:3: this comment is no directive; write //fuzzmut:target at its beginning"},
		{"a space in another", head + "-- d.go --\npackage m\n\n// fuzzmut:ignore it logs\nfunc F(s string) {}\n", Config{Derive: true}, problem.KindNoFuzzTests, "package example.com/m has no fuzz tests"},
		{"nothing to derive from", head + "-- d.go --\npackage m\n\n//fuzzmut:target\nfunc F(c chan int) {}\n", Config{Derive: true}, problem.KindNoFuzzTests, "package example.com/m has no fuzz tests, and d.go:4: no fuzz test can be derived for F: its argument c is of type chan int"},
		{"derived for unexported ones on demand", head + "-- d.go --\npackage m\n\n//fuzzmut:target\nfunc f(c int) {}\n", Config{Derive: true}, problem.KindNoFuzzTests, "d.go:4: f is not exported: to derive a fuzz test for it, write the directive //fuzzmut:target fuzz"},
		{"no property", headTest + "-- d.go --\npackage m\n\n//fuzzmut:target property\nfunc F(n int) int { return n }\n", Config{}, problem.KindDirective, "d.go:4: //fuzzmut:target property needs a function with one result, a bool or an error, and F is not one"},
		{"target of a fuzz test", head + "-- m_test.go --\npackage m\n\nimport \"testing\"\n\n//fuzzmut:target\nfunc FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { M(n) }) }\n", Config{}, problem.KindDirective, "m_test.go:6: //fuzzmut:target is about a function under test, and FuzzM is what go test runs: put the directive above the function that it calls, or remove it"},
		{"sequence of a function", headTest + "-- d.go --\npackage m\n\n//fuzzmut:target sequence\nfunc F(n int) int { return n }\n", Config{}, problem.KindDirective, "d.go:4: //fuzzmut:target sequence is about the methods of a type, and F is a function"},
		{"goroutines of a function", headTest + "-- d.go --\npackage m\n\n//fuzzmut:target concurrent\nfunc F(n int) int { return n }\n", Config{}, problem.KindDirective, "d.go:4: //fuzzmut:target sequence is about the methods of a type, and F is a function"},
		{"target of a type", headTest + "-- d.go --\npackage m\n\n//fuzzmut:target\ntype T int\n", Config{}, problem.KindDirective, "d.go:4: //fuzzmut:target above a type needs the word sequence"},
		{"property of a type", headTest + "-- d.go --\npackage m\n\ntype (\n\t//fuzzmut:target sequence property\n\tT int\n)\n", Config{}, problem.KindDirective, "d.go:5: //fuzzmut:target property is about a function, and T is a type"},
		{"model of a function", headTest + "-- d.go --\npackage m\n\n//fuzzmut:model T\nfunc F() {}\n", Config{}, problem.KindDirective, "d.go:3: //fuzzmut:model belongs in the comment directly above a type"},
		{"model of no sequence", headTest + "-- d.go --\npackage m\n\n//fuzzmut:model T\ntype T int\n", Config{}, problem.KindDirective, "d.go:3: //fuzzmut:model says what sequences are compared with: put //fuzzmut:target sequence above it"},
		{"model of two", headTest + "-- d.go --\npackage m\n\n//fuzzmut:target sequence\n//fuzzmut:model A B\ntype T int\n", Config{}, problem.KindDirective, "d.go:4: //fuzzmut:model needs one name"},
		{"no word of target", headTest + "-- d.go --\npackage m\n\n//fuzzmut:target propety\nfunc F(n int) bool { return true }\n", Config{}, problem.KindDirective, "d.go:4: //fuzzmut:target propety: only property, nil, fields, panics, without or fuzz can follow the directive"},
		{"wrong signature", head + "-- m_test.go --\npackage m\n\nimport \"testing\"\n\nfunc FuzzM(t *testing.T) {}\n", Config{}, problem.KindNoFuzzTests, "m_test.go:5: FuzzM has a wrong signature"},
		{"only tests", strings.ReplaceAll(headTest, "func M(n int) int { return n }\n", "") + "-- n_test.go --\npackage m\n\nfunc M(int) {}\n-- m.go --\n//go:build never\n\npackage m\n", Config{}, problem.KindNothingToMutate, "has only test code"},
		{"only cgo", "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- c.go --\npackage m\n\nimport \"C\"\n\nfunc M(n int) int { return n }\n-- m_test.go --\npackage m\n\nimport \"testing\"\n\nfunc FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { M(n) }) }\n", Config{}, problem.KindNothingToMutate, `package example.com/m has nothing to mutate: all its files import "C"`},
		{"mutate nothing", headTest, Config{Mutate: []string{"example.com/none/..."}}, problem.KindNothingToMutate, "-mutate example.com/none/...: the pattern matches no package"},
		{"mutate missing", headTest, Config{Mutate: []string{"./x"}}, problem.KindNothingToMutate, "-mutate ./x: "},
		{"mutate unneeded", headTest, Config{Mutate: []string{"archive/tar"}}, problem.KindNothingToMutate, "-mutate archive/tar: no dependency of the tests of example.com/m"},
		{"mutate runtime", headTest, Config{Mutate: []string{"internal/abi"}}, problem.KindNothingToMutate, "can't be mutated: Go's runtime"},
		{"mutate testing", headTest, Config{Mutate: []string{"testing"}}, problem.KindNothingToMutate, "can't be mutated: the test binary itself"},
		{"overlay", headTest, Config{BuildFlags: []string{"-overlay", "x"}}, problem.KindUsage, "flag -overlay can't be used"},
		{"no value", headTest, Config{BuildFlags: []string{"-tags"}}, problem.KindUsage, "flag -tags needs a value"},
		{"no flag", headTest, Config{BuildFlags: []string{"x"}}, problem.KindUsage, `build flag "x" does not begin with a dash`},
		{"unknown flag", headTest, Config{BuildFlags: []string{"-xyzzy"}}, problem.KindNotFound, "-xyzzy"},
		{"no modfile", headTest, Config{BuildFlags: []string{"-modfile=none.mod"}}, problem.KindNotFound, "none.mod"},
		{"unknown directive", headTest + "-- d.go --\npackage m\n\n//fuzzmut:goal\nfunc f() {}\n", Config{}, problem.KindDirective, "d.go:3: unknown directive //fuzzmut:goal: the directives are //fuzzmut:target, //fuzzmut:model, //fuzzmut:ignore, //fuzzmut:compare, //fuzzmut:cost, //fuzzmut:observe and //fuzzmut:opaque"},
		{"misplaced directive", headTest + "-- d.go --\npackage m\n\n//fuzzmut:target\n\nfunc f() {}\n", Config{}, problem.KindDirective, "d.go:3: //fuzzmut:target belongs"},
		{"compare of two types", headTest + "-- d_test.go --\npackage m\n\n//fuzzmut:compare\nfunc f(a int, b string) bool { return true }\n", Config{}, problem.KindDirective, "d_test.go:4: //fuzzmut:compare needs a function of the form func(a, b T) bool, and f is not one"},
		{"compare method", headTest + "-- d.go --\npackage m\n\ntype T int\n\n//fuzzmut:compare\nfunc (T) f(a, b int) bool { return true }\n", Config{}, problem.KindDirective, "d.go:6: //fuzzmut:compare needs"},
		{"cost of what", headTest + "-- d.go --\npackage m\n\n//fuzzmut:cost square\nfunc f() {}\n", Config{}, problem.KindDirective, "d.go:3: //fuzzmut:cost square: write n log n, n^2 or the like"},
		{"cost where", headTest + "-- d.go --\npackage m\n\n//fuzzmut:cost n^2\nvar x = 1\n", Config{}, problem.KindDirective, "d.go:3: //fuzzmut:cost belongs in the comment directly above a function"},
		{"observe what", headTest + "-- d.go --\npackage m\n\n//fuzzmut:observe some\nfunc f() {}\n", Config{}, problem.KindDirective, "d.go:3: //fuzzmut:observe wants one word after it: all, exported, string or none"},
		{"observe where", headTest + "-- d.go --\npackage m\n\n//fuzzmut:observe all\nvar x = 1\n", Config{TestOnly: true}, problem.KindDirective, "d.go:3: //fuzzmut:observe belongs into the comment right above a type or function"},
		{"opaque function", headTest + "-- d.go --\npackage m\n\n//fuzzmut:opaque\nfunc f() {}\n", Config{}, problem.KindDirective, "d.go:3: //fuzzmut:opaque belongs into the comment right above a type"},
		{"opaque what", headTest + "-- d.go --\npackage m\n\n//fuzzmut:opaque yes\ntype T int\n", Config{}, problem.KindDirective, "d.go:3: //fuzzmut:opaque stands alone"},
		{"observe twice", headTest + "-- d_test.go --\npackage m\n\n//fuzzmut:opaque\n//fuzzmut:observe all\ntype T int\n", Config{}, problem.KindDirective, "d_test.go:4: T has two directives"},
		{"generic compare", headTest + "-- d.go --\npackage m\n\n//fuzzmut:compare\nfunc f[T any](a, b T) bool { return true }\n", Config{}, problem.KindDirective, "d.go:4: //fuzzmut:compare needs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.cfg.Dir == "" {
				tt.cfg.Dir = unpack(t, tt.tree)
			}
			if tt.cfg.Pattern == "" {
				tt.cfg.Pattern = "."
			}
			_, err := Load(t.Context(), tt.cfg)
			checkError(t, tt.name, err, tt.kind, tt.want)
		})
	}
}

func TestCompareFunctions(t *testing.T) {
	dir := unpack(t, headTest+`
-- c.go --
package m

//fuzzmut:compare
func inPackage(a, b []int) bool { return true }
-- c_test.go --
package m

// inTest compares.
//
//fuzzmut:compare floats are rounded
func inTest(a, b float64) bool { return true }
-- x_test.go --
package m_test

//fuzzmut:compare
func external(a, b string) bool { return true }
`)
	r, err := Load(t.Context(), Config{Dir: dir, Pattern: "."})
	if err != nil {
		t.Fatal(err)
	}
	want := []Compare{
		{Name: "inPackage", File: filepath.Join(dir, "c.go"), Package: "example.com/m", PkgName: "m"},
		{Name: "inTest", File: filepath.Join(dir, "c_test.go"), Package: "example.com/m", PkgName: "m", InTest: true},
		{Name: "external", File: filepath.Join(dir, "x_test.go"), Package: "example.com/m_test", PkgName: "m_test", InTest: true, External: true},
	}
	if diff := cmp.Diff(want, r.Compare); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

// The directives of the whole module count, whichever packages are rewritten.
func TestViews(t *testing.T) {
	dir := unpack(t, headTest+`
-- v.go --
package m

import "example.com/m/dep"

// T is a type.
//
//fuzzmut:observe string
type T[X any] struct{ dep.D }

//fuzzmut:observe exported
func (t *T[X]) Get() X { panic("") }

type (
	//fuzzmut:observe none
	A int
	B int
)
-- v_test.go --
package m_test

//fuzzmut:opaque
type C struct{}
-- dep/dep.go --
package dep

//fuzzmut:observe all
type D struct{}
`)
	r, err := Load(t.Context(), Config{Dir: dir, Pattern: ".", TestOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	want := Views{
		Types: map[string]golden.View{
			"example.com/m.T": "string", "example.com/m.A": "none", "example.com/m_test.C": "opaque", "example.com/m/dep.D": "all",
		},
		Funcs: map[string]golden.View{"example.com/m.T.Get": "exported"},
	}
	if diff := cmp.Diff(want, r.Views); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUsesContext(t *testing.T) {
	const imports = "-- m_test.go --\npackage m\n\nimport \"testing\"\n\n"
	for _, tt := range []struct {
		name, tree string
		want       bool
	}{
		{"not at all", headTest, false},
		{"in the target", head + imports + "func FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { _ = t.Context(); M(n) }) }\n", true},
		{"through TB", head + imports + "func h(tb testing.TB) { tb.Context() }\nfunc FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { h(t) }) }\n", true},
		{"embedded", head + imports + "type w struct{ *testing.T }\nfunc FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { w{t}.Context() }) }\n", true},
		{"another Context", head + imports + "type c struct{}\nfunc (c) Context() int { return 0 }\nfunc FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { c{}.Context() }) }\n", false},
		{"in a helper of another module", head + imports[:len(imports)-1] + "import \"example.com/h\"\n\nfunc FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { h.H(t) }) }\n" +
			"-- go.mod --\nmodule example.com/m\n\ngo 1.26\n\nrequire example.com/h v1.0.0\n\nreplace example.com/h => ./h\n-- h/go.mod --\nmodule example.com/h\n\ngo 1.26\n-- h/h.go --\npackage h\n\nimport \"testing\"\n\nfunc H(tb testing.TB) { <-tb.Context().Done() }\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Load(t.Context(), Config{Dir: unpack(t, tt.tree), Pattern: "."})
			if err != nil {
				t.Fatal(err)
			}
			if r.UsesContext != tt.want {
				t.Errorf("UsesContext is %v", r.UsesContext)
			}
		})
	}
}

// With -mod=mod the go command would add the missing requirement to go.mod.
func TestGoModIsLeftAlone(t *testing.T) {
	dir := unpack(t, headTest+`
-- use.go --
package m

import _ "example.com/dep"
-- go.mod --
module example.com/m

go 1.26

replace example.com/dep => ./dep
-- dep/go.mod --
module example.com/dep
-- dep/dep.go --
package dep
`)
	cfg := Config{Dir: dir, Pattern: "."}
	_, err := Load(t.Context(), cfg)
	checkError(t, "untidy go.mod", err, problem.KindBroken, "example.com/dep")
	before := tree(t, dir)
	for _, cfg := range []Config{
		{Dir: dir, Pattern: ".", BuildFlags: []string{"-mod", "mod"}},
		{Dir: dir, Pattern: ".", Env: append(os.Environ(), "GOFLAGS=-mod=mod")},
	} {
		if _, err := Expand(t.Context(), cfg, []string{"."}); err != nil {
			t.Errorf("Expand: %v", err)
		}
		if _, err := Load(t.Context(), cfg); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the tree has changed:\n%s", diff)
	}
}

// tree maps the files below dir to their contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestBuildTagsAndRace(t *testing.T) {
	dir := unpack(t, headTest+"-- a.go --\n//go:build special\n\npackage m\n-- b.go --\n//go:build race\n\npackage m\n")
	for _, tt := range []struct {
		flags []string
		files int
		race  bool
	}{{nil, 1, false}, {[]string{"--tags", "x,special"}, 2, false}, {[]string{"-race"}, 2, true}, {[]string{"-race=false"}, 1, false}} {
		r, err := Load(t.Context(), Config{Dir: dir, Pattern: ".", BuildFlags: tt.flags})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Packages[0].Files); n != tt.files || r.Toolchain.Race() != tt.race {
			t.Errorf("%v: %d files, race %v", tt.flags, n, r.Toolchain.Race())
		}
	}
}

func TestCachesWithoutAPlaceAreNamed(t *testing.T) {
	for name, test := range map[string]struct {
		dir  string
		env  []string
		want string
	}{
		"fine":     {filepath.Join(t.TempDir(), "c"), nil, ""},
		"no home":  {"off", []string{"PATH=/bin"}, "HOME is not set, so the go command has no build cache: set HOME, or set GOCACHE to an absolute path"},
		"empty":    {"", []string{"HOME="}, "HOME is not set, so"},
		"off":      {"off", []string{"HOME=/h", "GOCACHE=off"}, "the go command has no build cache: set GOCACHE to an absolute path, or unset it"},
		"relative": {"off", []string{"GOCACHE=", "GOCACHE=here"}, "set GOCACHE to an absolute path"},
	} {
		err := gotool.CheckCache("GOCACHE", "build cache", test.dir, test.env)
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		checkError(t, name, err, problem.KindToolchain, test.want)
	}
}

func TestOldToolchainIsRefused(t *testing.T) {
	dir := unpack(t, "-- go --\n#!/bin/sh\necho '{\"GOVERSION\": \"go1.25.3\", \"GOCACHE\": \"/c\", \"GOMODCACHE\": \"/m\"}'\n")
	if err := os.Chmod(filepath.Join(dir, "go"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	_, err := Load(t.Context(), Config{Dir: dir, Pattern: "."})
	checkError(t, "old toolchain", err, problem.KindToolchain, "go1.25.3 is too old: fuzzmut needs Go 1.26 or later: run with GOTOOLCHAIN=go1.27.")
	t.Setenv("PATH", filepath.Join(dir, "empty"))
	_, err = Load(t.Context(), Config{Dir: dir, Pattern: "."})
	checkError(t, "no toolchain", err, problem.KindToolchain, "the go command is not in PATH")
}

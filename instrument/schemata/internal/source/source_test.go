package source_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
)

func TestNewRefusesAnotherText(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.New(fset, "/d/p.go", []byte("package p\n\n"), f); err == nil || !strings.Contains(err.Error(), "/d/p.go") {
		t.Errorf("a longer text: %v", err)
	}
	if _, err := source.New(token.NewFileSet(), "/d/p.go", []byte("package p\n"), f); err == nil {
		t.Error("another file set")
	}
	if got, err := source.New(fset, "/d/p.go", []byte("package p\n"), f); err != nil || got.Path != "/d/p.go" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestFlatten(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{"a", "a"},
		{"f(a,\n\tb)", "f ( a , b )"},
		{"a := 1\nb := 2\n", "a := 1 ; b := 2"},
		{"a // behind\n+ b", "a ; + b"}, // a semicolon stands where the scanner has one
		{"a + // behind\n\tb", "a + b"},
		{"a /* inside */ + b", "a + b"},
		{"`a\nb`", `"a\nb"`},
		{"`a b`", "`a b`"}, // on one line already
		{"return\n", "return"},
		{"if x {\n\treturn\n}", "if x { return ; }"},
	} {
		if got := source.Flatten([]byte(c.src)); got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"f(1,  2)", "f(1,  2)"}, // as it is
		{"f(1,\n\t2)", "f ( 1 , 2 )"},
		{"f(1 /* one */, 2)", "f(1 /* one */, 2)"},
		{"f(1, // one\n\t2)", "f ( 1 , 2 )"},
	} {
		s := checked.Text(t, "var x = "+c.src+"\nfunc f(a, b int) int { return a }")
		e := checked.First[*ast.CallExpr](s, "f(")
		if got := s.Src.Line(e.Pos(), e.End()); got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

func TestFlatLeavesFunctionLiteralsAlone(t *testing.T) {
	s := checked.Text(t, "var a = f(1, 2)\nvar b = f(func() int { return 1 }(), 2)\nfunc f(a, b int) int { return a }")
	plain, literal := s.FirstExpr("f(1, 2)"), checked.First[*ast.CallExpr](s, "f(func")
	if text, why := s.Src.Flat(plain.Pos(), plain.End(), plain); text != "f(1, 2)" || why != nil {
		t.Errorf("%q, %q", text, why)
	}
	if text, why := s.Src.Flat(literal.Pos(), literal.End(), literal); text != "" || why == nil {
		t.Errorf("a function literal: %q, %q", text, why)
	}
	if _, why := s.Src.Flat(literal.Pos(), literal.End(), plain, literal.Args[0]); why == nil {
		t.Error("a function literal in the second of the nodes")
	}
	if text, why := s.Src.Flat(literal.Lparen, literal.Lparen); text != "" || why != nil {
		t.Errorf("nothing: %q, %q", text, why)
	}
}

func TestShort(t *testing.T) {
	s := checked.Text(t, "var a = f(1,\n\t\t2)\nvar b = \"ééééééééééééééééééééééééééééé\"\nvar c = \"0123456789012345678901234567890123456\"\nfunc f(a, b int) int { return a }")
	for _, c := range []struct{ begins, want string }{
		{"f(1", "f(1, 2)"},
		{`"éé`, `"ééééééééééééééééééé…`}, // 39 bytes, not half a letter
		{`"0123`, `"0123456789012345678901234567890123456"`},
	} {
		if got := s.Src.Short(checked.First[ast.Expr](s, c.begins)); got != c.want {
			t.Errorf("%s: %q, want %q", c.begins, got, c.want)
		}
	}
}

func TestGlues(t *testing.T) {
	for _, c := range "+-*/&|^<>=!" {
		if !source.Glues(byte(c)) {
			t.Errorf("%c can be part of a longer operator", c)
		}
	}
	for _, c := range "a1 ()[]{}.,;:%\"'\n" {
		if source.Glues(byte(c)) {
			t.Errorf("%q can not", c)
		}
	}
}

func TestCodeBefore(t *testing.T) {
	s := checked.Text(t, "package p\nfunc f() {\n\ta := 1; b := 2\n}\n")
	for text, want := range map[string]bool{"package": false, "func": false, "a :=": false, "b :=": true, "f()": true, "}\n": false} {
		if got := s.Src.CodeBefore(s.Pos(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestLineDirective(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"package p\nvar here = 1\n", "/*line /p/x.go:2:5*/"},
		{"package p\n//line gen.y:40\nvar here = 1\n", "/*line /p/gen.y:40*/"},
		{"package p\n/*line gen.y:40:8*/var here = 1\n", "/*line /p/gen.y:40:12*/"},
	} {
		s := checked.Text(t, c.src)
		if got := s.Src.LineDirective(s.Pos("here")); got != c.want {
			t.Errorf("%q: %s, want %s", c.src, got, c.want)
		}
	}
}

func TestOlderThan(t *testing.T) {
	for _, c := range []struct {
		file, than string
		want       bool
	}{
		{"go1.20", "go1.21", true},
		{"go1.21", "go1.21", false},
		{"go1.21.3", "go1.21", false},
		{"go1.9", "go1.21", true}, // by number
		{"", "go1.21", false},     // not known
		{"1.20", "go1.21", false}, // no version
	} {
		f := &source.File{GoVersion: c.file}
		if got := f.OlderThan(c.than); got != c.want {
			t.Errorf("%q older than %s: %t", c.file, c.than, got)
		}
	}
}

package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

const text = `package p

func f(a int) {
	g(a, // the first
		"b") // and the second
	h(func() { g(1, "") })
	veryLongNameOfAFunction(1111111111, 2222222222)
//line other.go:90
	g(2, ` + "`two\nlines`" + `)
}
`

func newFile(t *testing.T) (*File, []ast.Stmt) {
	t.Helper()
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "/p/x.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(fset, "/p/x.go", []byte(text), syntax)
	if err != nil {
		t.Fatal(err)
	}
	return f, syntax.Decls[0].(*ast.FuncDecl).Body.List
}

func TestTreeOfAnotherSource(t *testing.T) {
	f, _ := newFile(t)
	if _, err := New(f.Fset, f.Path, []byte(text+"//"), f.Syntax); err == nil {
		t.Error("a tree is taken for that of another text")
	}
}

func TestShort(t *testing.T) {
	f, list := newFile(t)
	if got := f.Short(list[0]); got != `g(a, // the first "b")` {
		t.Errorf("short: %s", got)
	}
	if got := f.Short(list[2]); !strings.HasPrefix(got, "veryLongName") || !strings.HasSuffix(got, "…") || len(got) > 45 {
		t.Errorf("short: %s", got)
	}
}

func TestFlat(t *testing.T) {
	f, list := newFile(t)
	tests := []struct {
		i    int
		want string
	}{
		{0, `g ( a , "b" )`},
		{1, ""}, // a function literal holds statements
		{2, "veryLongNameOfAFunction(1111111111, 2222222222)"},
		{3, `g ( 2 , "two\nlines" )`},
	}
	for _, tt := range tests {
		s := list[tt.i]
		got, why := f.Flat(s.Pos(), s.End(), s)
		if got != tt.want || (why != "") != (tt.want == "") {
			t.Errorf("flat: %s (%s), want %s", got, why, tt.want)
		}
	}
}

func TestFlatten(t *testing.T) {
	for in, want := range map[string]string{
		"a()\nb()":            "a ( ) ; b ( )",
		"x := 1 /* one */\n":  "x := 1",
		"if x {\n\ty++\n}\n":  "if x { y ++ ; }",
		"s := `a\nb`\nuse(s)": `s := "a\nb" ; use ( s )`,
	} {
		if got := Flatten([]byte(in)); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestLineDirective(t *testing.T) {
	f, list := newFile(t)
	if got := f.LineDirective(list[1].Pos()); got != "/*line /p/x.go:6:2*/" {
		t.Errorf("directive: %s", got)
	}
	if got := f.LineDirective(list[3].Pos()); got != "/*line /p/other.go:90*/" { // it has no column
		t.Errorf("directive: %s", got)
	}
}

func TestCodeBefore(t *testing.T) {
	f, list := newFile(t)
	if f.CodeBefore(list[0].Pos()) {
		t.Error("a statement has code before it on its line")
	}
	if call := list[0].(*ast.ExprStmt).X.(*ast.CallExpr); !f.CodeBefore(call.Lparen) {
		t.Error("an argument list has no code before it on its line")
	}
}

func TestOlderThan(t *testing.T) {
	for version, want := range map[string]bool{"go1.20": true, "go1.21": false, "go1.22.3": false, "": false, "nonsense": false} {
		if got := (&File{GoVersion: version}).OlderThan("go1.21"); got != want {
			t.Errorf("%q is older than go1.21: %v", version, got)
		}
	}
}

func TestGlues(t *testing.T) {
	for b, want := range map[byte]bool{'-': true, '=': true, '!': true, 'a': false, ' ': false, '(': false} {
		if Glues(b) != want {
			t.Errorf("%c: %v", b, !want)
		}
	}
}

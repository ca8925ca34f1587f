package loadtest

import (
	"strings"
	"testing"
)

func TestTypedHasCodeAndTests(t *testing.T) {
	r := Typed(t, "func F(s string) string { unused := 1; return strings.ToLower(s) }", "func TestF(t *testing.T) { F(\"a\") }")
	if got := r.Packages[0].Types.Scope().Names(); len(got) != 1 || got[0] != "F" {
		t.Errorf("the package declares %v", got)
	}
	if got := r.Tests[0].Types.Scope().Names(); len(got) != 2 || got[1] != "TestF" {
		t.Errorf("with its tests it declares %v", got)
	}
	if p := r.Position(r.Packages[0].Files[0].Syntax.Decls[1].Pos()); p.Filename != File || p.Line != 2 {
		t.Errorf("F is at %v", p)
	}
}

func TestCompile(t *testing.T) {
	r := Typed(t, "func F(s string) int { unused := 1; return 2 }\n", "const Two = 2\n")
	for _, c := range []struct{ text, want string }{
		{"package m\n\nvar x = F(\"a\") + Two\n", ""},
		{"package m\n\nvar x = F(1)\n", "cannot use 1"},
		{"package m\n\nimport \"strings\"\n", "\"strings\" imported and not used"},
		{"package m\n\nfunc g() { y := 1 }\n", "declared and not used: y"},
		{"package m\n\nfunc F() {}\n", "F redeclared"},
		{"package\n", "expected 'IDENT'"},
	} {
		err := Compile(r, "/m/x.go", []byte(c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

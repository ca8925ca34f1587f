package control_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
)

const declarations = "var (\n\ta, b bool\n\tn int\n\tlist []int\n)\nfunc use(...any) {}"

func setUp(t *testing.T, statements string) (*checked.Code, *control.Flow) {
	t.Helper()
	c := checked.Body(t, declarations, statements)
	flow := control.New(c.Info)
	flow.Read(c.Func("body").Body)
	return c, flow
}

// same says which of a jump's other ways to go on are no other.
func same(j *control.Jump) map[string]bool {
	return map[string]bool{"drop": j.To == j.Drop, "bare": j.To == j.Bare, "swap": j.To == j.Swap}
}

func TestJumps(t *testing.T) {
	tests := []struct {
		name, body, jump string
		drop, swap       bool // control goes to the same place
		label            string
	}{
		{"break of a loop", "for a {\nif b {\nbreak\n}\nuse()\n}", "break", false, false, ""},
		{"continue at the end", "for a {\nuse()\nif b {\ncontinue\n}\n}", "continue", true, false, ""},
		{"break at the end of a loop", "for a {\nuse()\nbreak\n}", "break", false, false, ""},
		{"break of a switch, at its end", "for {\nswitch n {\ncase 1:\nuse()\nbreak\n}\n}", "break", true, true, ""},
		{"break of a switch", "for {\nswitch n {\ncase 1:\nif a {\nbreak\n}\nuse()\n}\nuse()\n}", "break", false, false, ""},
		{"with a label", "loop:\nfor {\nswitch n {\ncase 1:\nbreak loop\n}\nuse()\n}", "break loop", false, false, "loop"},
		{"continue in a switch of a loop with label", "loop:\nfor {\nswitch n {\ncase 1:\ncontinue\n}\nuse()\nif a {\nbreak loop\n}\n}", "continue", false, false, "loop"},
	}
	for _, tt := range tests {
		c, flow := setUp(t, tt.body)
		j := flow.Jump(c.Stmt(tt.jump).(*ast.BranchStmt))
		if j == nil {
			t.Errorf("%s: nothing is known of it", tt.name)
			continue
		}
		if got := same(j); got["drop"] != tt.drop || got["swap"] != tt.swap || j.Label != tt.label {
			t.Errorf("%s: %v, label %q", tt.name, got, j.Label)
		}
	}
}

func TestSwapOutsideOfALoop(t *testing.T) {
	c, flow := setUp(t, "switch n {\ncase 1:\nif a {\nbreak\n}\nuse()\n}")
	if j := flow.Jump(c.Stmt("break").(*ast.BranchStmt)); j.SwapTo != nil {
		t.Error("a break of a switch outside of loops has a continue")
	}
}

func TestFallthrough(t *testing.T) {
	c, flow := setUp(t, "switch n {\ncase 1:\nfallthrough\ncase 2:\ncase 3:\nuse()\nfallthrough\ndefault:\nuse()\n}")
	clauses := c.Stmt("switch").(*ast.SwitchStmt).Body.List
	first, third := clauses[0].(*ast.CaseClause), clauses[2].(*ast.CaseClause)
	if j := flow.Jump(control.FallsThrough(first.Body)); !same(j)["drop"] {
		t.Error("a fallthrough to an empty clause makes a difference")
	}
	if j := flow.Jump(control.FallsThrough(third.Body)); same(j)["drop"] {
		t.Error("a fallthrough to statements makes no difference")
	}
	if control.FallsThrough(clauses[3].(*ast.CaseClause).Body) != nil {
		t.Error("the last clause falls through")
	}
}

func TestLoops(t *testing.T) {
	c, flow := setUp(t, `
	goto again
again:
	for a {
		for _, n = range list {
			if b {
				continue again
			}
			continue
		}
	}`)
	outer := flow.Loop(c.Stmt("for a"))
	inner := flow.Loop(c.Stmt("for _, n"))
	if !outer.Gotos || !outer.Named || outer.Labeled == nil || len(outer.Continues) != 1 || !outer.Labels["again"] {
		t.Errorf("outer loop: %+v", outer)
	}
	if inner.Gotos || inner.Named || inner.Labeled != nil || len(inner.Continues) != 1 {
		t.Errorf("inner loop: %+v", inner)
	}
}

func TestTerminates(t *testing.T) {
	for body, want := range map[string]bool{
		"return": true, "use()": false, "panic(1)": true, "for {\n}": true, "for {\nbreak\n}": false, "for a {\n}": false,
		"if a {\nreturn\n}": false, "if a {\nreturn\n} else {\npanic(1)\n}": true,
		"switch n {\ncase 1:\nreturn\n}": false, "switch n {\ncase 1:\nreturn\ndefault:\npanic(1)\n}": true,
		"switch n {\ndefault:\nif a {\nbreak\n}\nreturn\n}": false, "select {}": true,
		"{\nreturn\n}": true, "end:\nuse()\ngoto end": true, "return\nend:\nuse()\nif a {\ngoto end\n}": false,
	} {
		c, flow := setUp(t, body)
		if got := flow.Terminates(c.Func("body").Body.List); got != want {
			t.Errorf("%q: %v, want %v", body, got, want)
		}
	}
}

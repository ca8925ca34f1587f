package mutants

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/stored"
)

const text = `package p

func f() {
	one()
	two() //fuzzmut:ignore
	one()
}
`

// call is a site with two changes: the call is removed, or called twice.
type call struct {
	src  *source.File
	s    ast.Stmt
	why  reasons.Reason // not to remove it
	base int
	live []operator.Change
}

var (
	removes = &operator.Operator{Name: "removes", Inspect: func(*operator.Site) []operator.Change {
		return []operator.Change{{Do: operator.Delete}}
	}}
	twice = &operator.Operator{Name: "twice", Inspect: func(*operator.Site) []operator.Change {
		return []operator.Change{{Do: operator.Delete}, {Do: operator.InPlace}} // the first is the other operator's
	}}
)

func (c *call) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Statement}, c.s
}

func (c *call) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	if ch.Do == operator.Delete {
		return plain.Replace(c.s.Pos(), c.s.End(), "", "removed"), c.why
	}
	return plain.Replace(c.s.Pos(), c.s.Pos(), c.src.Node(c.s)+"; ", "called twice"), nil
}

func (c *call) Schemata(base int, live []operator.Change) { c.base, c.live = base, live }

func setUp(t *testing.T) (*List, *File, []*call) {
	t.Helper()
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, "x.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	src, err := source.New(fset, "x.go", []byte(text), syntax)
	if err != nil {
		t.Fatal(err)
	}
	list := &List{Fset: fset, ImportPath: "p", First: 10, Operators: []*operator.Operator{removes, twice}}
	var calls []*call
	for _, s := range syntax.Decls[0].(*ast.FuncDecl).Body.List {
		calls = append(calls, &call{src: src, s: s})
	}
	return list, NewFile(list, src, new(stored.Facts)), calls
}

func TestOffer(t *testing.T) {
	list, f, calls := setUp(t)
	u := f.NewUnit(3, "f", "f", nil)
	for n, want := range []int{10, 0, 14} { // two is ignored
		if base := u.Offer(calls[n], nil); base != want || calls[n].base != want {
			t.Errorf("call %d: mutants from %d on, told %d, want %d", n, base, calls[n].base, want)
		}
	}
	if len(list.Mutants) != 6 || list.Next() != 16 || len(calls[0].live) != 2 || len(u.Live) != 2 {
		t.Fatalf("%d mutants, next %d; live changes %v, sites %v", len(list.Mutants), list.Next(), calls[0].live, u.Live)
	}
	var ids []string
	for i, m := range list.Mutants {
		if m.Index != 10+i || m.FuncIndex != 3 || slices.Contains(ids, m.ID) {
			t.Errorf("mutant %d: %+v", i, m)
		}
		ids = append(ids, m.ID)
		ignored := m.Status == instrument.StatusSkipped && m.Reason == "//fuzzmut:ignore"
		if ignored != (i == 2 || i == 3) {
			t.Errorf("mutant %d: status %q, %s", i, m.Status, m.Reason)
		}
	}
	if !f.Edited(calls[0].s, "") || f.Edited(calls[0].s, "other") {
		t.Error("the edits of mutants are not noted")
	}
	if again := u.Offer(calls[0], nil); again != 0 || len(list.Mutants) != 6 {
		t.Error("the same edits make mutants once more")
	}
}

func TestIDsDoNotDependOnOtherUnits(t *testing.T) {
	first, f, calls := setUp(t)
	f.NewUnit(0, "f", "f", nil).Offer(calls[0], nil)
	second, g, others := setUp(t)
	g.NewUnit(0, "g", "g", nil).Offer(others[1], nil)
	g.NewUnit(1, "f", "f", nil).Offer(others[0], nil)
	if first.Mutants[0].ID != second.Mutants[2].ID {
		t.Error("the ID of a mutant changes with the function before")
	}
}

func TestQuiet(t *testing.T) {
	list, f, calls := setUp(t)
	u := f.NewUnit(0, "f", "f", nil)
	if base := u.Offer(calls[0], reasons.LoggingCall); base != 0 || len(list.Mutants) != 0 || len(list.Skips) != 0 {
		t.Errorf("where there is to be none: %v, %v", list.Mutants, list.Skips)
	}
}

func TestReasons(t *testing.T) {
	list, f, calls := setUp(t)
	u := f.NewUnit(-1, "", "var x", reasons.Initializer)
	calls[0].why = reasons.LastUse
	u.Offer(calls[0], nil)
	if len(list.Skips) != 1 || list.Skips[0].What != "removes" || list.Skips[0].Line != 4 {
		t.Errorf("skips: %+v", list.Skips)
	}
	if m := list.Mutants[0]; m.Status != instrument.StatusStatic || m.Reason != reasons.Initializer.String() || m.FuncIndex != -1 {
		t.Errorf("of an initialiser: %+v", m)
	}
	for _, tt := range []struct{ why, quiet, want reasons.Reason }{
		{nil, nil, nil},
		{reasons.CantName, nil, reasons.CantName},
		{reasons.CantName, reasons.LoggingCall, reasons.LoggingCall},
		{nil, reasons.BigTable, reasons.BigTable},
		{reasons.LastUse, reasons.LoggingCall, nil},
		{reasons.NeutralOperand, nil, nil},
		{reasons.HalfOfPair, nil, reasons.HalfOfPair},
	} {
		if got := leftOut(tt.why, tt.quiet); got != tt.want {
			t.Errorf("left out for %v and %v: %v, want %v", tt.why, tt.quiet, got, tt.want)
		}
	}
}

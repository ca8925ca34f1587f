package nilness_test

import (
	"go/ast"
	"go/token"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
)

const text = `package p

import (
	"errors"
	"io"
)

type failure struct{}

func (*failure) Error() string { return "" }

var errOwn = errors.New("own")

func f(err, other error, p *failure) error {
	switch {
	case p != nil:
		return io.EOF
	case other == nil:
		return other
	}
	if err != nil && p == nil {
		return err
	}
	if err == nil || other == nil {
		return errors.New("new")
	} else {
		return other
	}
	if p == nil {
		return p
	}
	other = errOwn
	return other
}
`

func TestNotNil(t *testing.T) {
	c := checked.File(t, text)
	facts := nilness.New(c.Info, c.Src.Syntax)
	var got []bool
	ast.Inspect(c.Func("f"), func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			got = append(got, facts.NotNil(ret, ret.Results[0]))
		}
		return true
	})
	want := []bool{true, false, true, true, true, true, false}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("return %d gives a result that is not nil: %v", i, got[i])
		}
	}
}

func TestFixedAndCompared(t *testing.T) {
	c := checked.Body(t, "func use(...any) {}", `
	p, q, r := new(int), new(int), new(int)
	q = nil
	use(&r)
	if p != nil && q != nil {
	}
	if p == nil || r == nil {
	}`)
	facts := nilness.New(c.Info, c.Src.Syntax)
	for name, want := range map[string]bool{"p": true, "q": false, "r": false} {
		if got := facts.Fixed(c.Expr(name)) != nil; got != want {
			t.Errorf("%s is never assigned to again: %v", name, got)
		}
	}
	for cond, op := range map[string]token.Token{"p != nil && q != nil": token.NEQ, "p == nil || r == nil": token.EQL} {
		notNil := nilness.Vars{}
		facts.Compared(c.Expr(cond), op, notNil)
		if len(notNil) != 1 || !notNil[facts.Fixed(c.Expr("p"))] {
			t.Errorf("%s says of %v that it is not nil", cond, notNil)
		}
		other := nilness.Vars{}
		if facts.Compared(c.Expr(cond), token.NEQ+token.EQL-op, other); len(other) != 0 {
			t.Errorf("the opposite of %s says it of %v", cond, other)
		}
	}
}

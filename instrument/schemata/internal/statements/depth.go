package statements

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// depthGuard is a guard at the beginning of a function that counts its calls in progress. They end
// in a deferred call, which runs whether the function returns, panics or ends its goroutine.
type depthGuard struct {
	*Function
	d        *ast.FuncDecl
	leave    string // a return from the function, or why there can't be one
	cant     reasons.Reason
	fail     string // a return with an error, or why there can't be one
	cantFail reasons.Reason
}

// Depth offers the guard of a function that may call itself.
func Depth(cx *Function, d *ast.FuncDecl) {
	if !cx.Recursive[d] {
		return
	}
	k := &depthGuard{Function: cx, d: d}
	k.leave, k.cant = leaveWith(cx, d.Body.Lbrace+1, operator.Zero)
	if cx.Fails() {
		k.fail, k.cantFail = leaveWith(cx, d.Body.Lbrace+1, operator.NewError)
	}
	cx.Offer(k)
}

func (k *depthGuard) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Guard, Risk: operator.DeepCalls, Fails: k.Fails()}, header(k.d.Body.Lbrace+1, k.d.Body.Lbrace+1)
}

// Plain has the count in a variable of the package, which stands before the function.
func (k *depthGuard) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	lo, hi := k.d.Pos(), k.d.Body.Lbrace+1
	what, desc, why := k.leave, "returned early", k.cant
	if ch.Do == operator.NewError {
		what, desc, why = k.fail, "returned an error", k.cantFail
	}
	if hasDirective(k.d) {
		why = reasons.DirectiveBefore
	}
	text := fmt.Sprintf("var %s int; %s %[1]s++; defer func() { %[1]s-- }(); if %[1]s > %[3]d { %[4]s }; ", k.counter(), k.Src.Text(lo, hi), codes.MostDepth, what)
	return plain.Replace(lo, hi, text, desc+" with more than 1,000 calls of the function in progress"), why
}

// hasDirective says whether a directive to the compiler stands before a function, where nothing
// may come between.
func hasDirective(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
}

// counter is the name of the variable that counts calls: one that the package does not have.
func (k *depthGuard) counter() string {
	const name = "depth"
	scope := k.Info.Pkg.Scope()
	taken := scope.Lookup(name) != nil || strings.Contains(k.leave+k.fail, name)
	for i := range scope.NumChildren() { // files, with their imports
		taken = taken || scope.Child(i).Lookup(name) != nil
	}
	ast.Inspect(k.d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		taken = taken || ok && id.Name == name
		return !taken
	})
	if taken {
		return k.Names.Result + name
	}
	return name
}

func (k *depthGuard) Schemata(base int, live []operator.Change) {
	n := k.Names.Result + "d"
	text := fmt.Sprintf(" if %s := %s%d); %[1]s > 0 { defer %[4]s%s.Run); ", n, k.Calls.Begin("Deeper", "", "%d, ", base), len(live), k.Calls.Begin("Shallower", "", "%d, ", base), k.Calls.RT)
	for i, ch := range live {
		what := k.leave
		if ch.Do == operator.NewError {
			what = k.fail
		}
		text += "if " + k.Calls.Begin("Deep", "", "%d, ", base+i) + n + ") { " + what + " }; "
	}
	b := k.d.Body
	k.Slow.Wrap(k.Src.Off(b.Lbrace)+1, k.Src.Off(b.Rbrace), text+"}; ", "") // after the call has burned its fuel
}

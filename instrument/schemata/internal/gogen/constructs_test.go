package gogen_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// is returns a construct that is a kind of node.
func is[N ast.Node](extra ...func(N) bool) func(p *program, n ast.Node, around []ast.Node) bool {
	return func(_ *program, n ast.Node, _ []ast.Node) bool {
		node, ok := n.(N)
		return ok && (len(extra) == 0 || extra[0](node))
	}
}

// ranges returns the construct of a loop over a kind of type.
func ranges(over func(types.Type) bool) func(p *program, n ast.Node, around []ast.Node) bool {
	return func(p *program, n ast.Node, _ []ast.Node) bool {
		r, ok := n.(*ast.RangeStmt)
		return ok && over(p.info.TypeOf(r.X).Underlying())
	}
}

// calls returns the construct of a call of something predeclared.
func calls(name string) func(p *program, n ast.Node, around []ast.Node) bool {
	return func(p *program, n ast.Node, _ []ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := c.Fun.(*ast.Ident)
		_, builtin := p.info.Uses[id].(*types.Builtin)
		return ok && id.Name == name && builtin
	}
}

// selects returns the construct of a selection.
func selects(which func(s *types.Selection) bool) func(p *program, n ast.Node, around []ast.Node) bool {
	return func(p *program, n ast.Node, _ []ast.Node) bool {
		e, ok := n.(*ast.SelectorExpr)
		return ok && p.info.Selections[e] != nil && which(p.info.Selections[e])
	}
}

func typeIs[T types.Type](t types.Type) bool { _, ok := t.(T); return ok }

func branch(tok token.Token, label bool) func(p *program, n ast.Node, around []ast.Node) bool {
	return is(func(b *ast.BranchStmt) bool { return b.Tok == tok && (b.Label != nil) == label })
}

var constructs = map[string]func(p *program, n ast.Node, around []ast.Node) bool{
	"if with a declaration":      is(func(s *ast.IfStmt) bool { return s.Init != nil }),
	"else":                       is(func(s *ast.IfStmt) bool { _, ok := s.Else.(*ast.BlockStmt); return ok }),
	"else if":                    is(func(s *ast.IfStmt) bool { _, ok := s.Else.(*ast.IfStmt); return ok }),
	"for with three parts":       is(func(s *ast.ForStmt) bool { return s.Init != nil && s.Post != nil }),
	"for with two variables":     is(func(s *ast.ForStmt) bool { a, ok := s.Init.(*ast.AssignStmt); return ok && len(a.Lhs) == 2 }),
	"for with a condition":       is(func(s *ast.ForStmt) bool { return s.Init == nil && s.Cond != nil }),
	"for without a head":         is(func(s *ast.ForStmt) bool { return s.Cond == nil }),
	"range over a number":        ranges(func(t types.Type) bool { b, ok := t.(*types.Basic); return ok && b.Info()&types.IsInteger != 0 }),
	"range over a string":        ranges(func(t types.Type) bool { b, ok := t.(*types.Basic); return ok && b.Info()&types.IsString != 0 }),
	"range over a slice":         ranges(typeIs[*types.Slice]),
	"range over an array":        ranges(typeIs[*types.Array]),
	"range over a function":      ranges(typeIs[*types.Signature]),
	"switch over nothing":        is(func(s *ast.SwitchStmt) bool { return s.Tag == nil }),
	"switch over a value":        is(func(s *ast.SwitchStmt) bool { return s.Tag != nil }),
	"switch with a declaration":  is(func(s *ast.SwitchStmt) bool { return s.Init != nil }),
	"fallthrough":                branch(token.FALLTHROUGH, false),
	"default":                    is(func(c *ast.CaseClause) bool { return c.List == nil }),
	"type switch":                is[*ast.TypeSwitchStmt](),
	"select that receives":       is(func(c *ast.CommClause) bool { _, ok := c.Comm.(*ast.AssignStmt); return ok }),
	"select that sends":          is(func(c *ast.CommClause) bool { _, ok := c.Comm.(*ast.SendStmt); return ok }),
	"defer":                      is[*ast.DeferStmt](),
	"goto":                       branch(token.GOTO, true),
	"labeled break":              branch(token.BREAK, true),
	"labeled continue":           branch(token.CONTINUE, true),
	"send":                       is[*ast.SendStmt](),
	"increment":                  is(func(s *ast.IncDecStmt) bool { return s.Tok == token.INC }),
	"decrement":                  is(func(s *ast.IncDecStmt) bool { return s.Tok == token.DEC }),
	"assignment of two":          is(func(s *ast.AssignStmt) bool { return s.Tok == token.ASSIGN && len(s.Lhs) == 2 && len(s.Rhs) == 2 }),
	"declaration of two":         is(func(s *ast.AssignStmt) bool { return s.Tok == token.DEFINE && len(s.Lhs) == 2 && len(s.Rhs) == 2 }),
	"several results of a call":  is(func(s *ast.AssignStmt) bool { return len(s.Lhs) > 1 && len(s.Rhs) == 1 }),
	"bare return of a value":     bareReturn,
	"return of a call":           returnOfCall,
	"constant in a function":     is(func(d *ast.GenDecl) bool { return d.Tok == token.CONST }),
	"type in a function":         is(func(d *ast.GenDecl) bool { return d.Tok == token.TYPE }),
	"variable with a type":       is(func(s *ast.ValueSpec) bool { return s.Type != nil && len(s.Values) == 1 }),
	"variable without a value":   is(func(s *ast.ValueSpec) bool { return s.Type != nil && len(s.Values) == 0 }),
	"function literal":           is[*ast.FuncLit](),
	"type assertion":             is(func(e *ast.TypeAssertExpr) bool { return e.Type != nil }),
	"slice expression":           is[*ast.SliceExpr](),
	"dereference":                isDereference,
	"address of a literal":       is(func(e *ast.UnaryExpr) bool { return e.Op == token.AND }),
	"keyed literal":              is(func(e *ast.CompositeLit) bool { return len(e.Elts) > 0 && isKeyed(e) }),
	"array of unwritten length":  is(func(e *ast.ArrayType) bool { _, ok := e.Len.(*ast.Ellipsis); return ok }),
	"variadic call with a slice": is(func(e *ast.CallExpr) bool { return e.Ellipsis.IsValid() }),
	"method call":                selects(func(s *types.Selection) bool { return s.Kind() == types.MethodVal && !types.IsInterface(s.Recv()) }),
	"method of an interface":     selects(func(s *types.Selection) bool { return s.Kind() == types.MethodVal && types.IsInterface(s.Recv()) }),
	"method expression":          selects(func(s *types.Selection) bool { return s.Kind() == types.MethodExpr }),
	"promoted field":             selects(func(s *types.Selection) bool { return s.Kind() == types.FieldVal && len(s.Index()) > 1 }),
	"field through a pointer":    selects(func(s *types.Selection) bool { return s.Kind() == types.FieldVal && s.Indirect() }),
	"generic call":               genericCall,
	"generic type":               genericType,
	"name that hides another":    hides,
	"append":                     calls("append"),
	"len":                        calls("len"),
	"make":                       calls("make"),
	"new":                        calls("new"),
	"delete":                     calls("delete"),
	"clear":                      calls("clear"),
	"close":                      calls("close"),
	"min":                        calls("min"),
	"max":                        calls("max"),
	"complex":                    calls("complex"),
	"panic":                      calls("panic"),
	"recover":                    calls("recover"),
}

func bareReturn(p *program, n ast.Node, around []ast.Node) bool {
	r, ok := n.(*ast.ReturnStmt)
	if !ok || len(r.Results) > 0 {
		return false
	}
	for _, a := range around {
		switch a := a.(type) {
		case *ast.FuncLit:
			return false
		case *ast.FuncDecl:
			return a.Type.Results.NumFields() > 0
		}
	}
	return false
}

func returnOfCall(p *program, n ast.Node, _ []ast.Node) bool {
	r, ok := n.(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	tuple, ok := p.info.TypeOf(r.Results[0]).(*types.Tuple)
	return ok && tuple.Len() > 1
}

func isDereference(p *program, n ast.Node, _ []ast.Node) bool {
	star, ok := n.(*ast.StarExpr)
	return ok && p.info.Types[star].IsValue()
}

func isKeyed(e *ast.CompositeLit) bool { _, ok := e.Elts[0].(*ast.KeyValueExpr); return ok }

func genericCall(p *program, n ast.Node, _ []ast.Node) bool {
	id, ok := n.(*ast.Ident)
	return ok && p.info.Instances[id].TypeArgs != nil && !isSupport(id.Name) && isFunc(p.info.Uses[id])
}

func genericType(p *program, n ast.Node, _ []ast.Node) bool {
	id, ok := n.(*ast.Ident)
	_, named := p.info.Instances[id].Type.(*types.Named)
	return ok && named
}

func isFunc(o types.Object) bool { _, ok := o.(*types.Func); return ok }

// hides says whether a variable has a name that means something else outside.
func hides(p *program, n ast.Node, _ []ast.Node) bool {
	id, ok := n.(*ast.Ident)
	v, variable := p.info.Defs[id].(*types.Var)
	return ok && variable && !v.IsField() && types.Universe.Lookup(id.Name) != nil
}

// A program that nothing of a kind is in tests nothing of that kind.
func TestEveryConstructIsReached(t *testing.T) {
	missing := map[string]bool{}
	for name := range constructs {
		missing[name] = true
	}
	bodies(t, func(p *program, _ *ast.FuncDecl, n ast.Node, around []ast.Node) {
		for name := range missing {
			if constructs[name](p, n, around) {
				delete(missing, name)
			}
		}
	})
	for name := range missing {
		t.Errorf("no %s in %d programs", name, seeds)
	}
}

func TestEveryOperatorIsReached(t *testing.T) {
	var binary, unary, assigned []string
	add := func(list *[]string, tok token.Token) {
		if !slices.Contains(*list, tok.String()) {
			*list = append(*list, tok.String())
		}
	}
	bodies(t, func(_ *program, _ *ast.FuncDecl, n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			add(&binary, n.Op)
		case *ast.UnaryExpr:
			if n.Op != token.TILDE { // of a constraint
				add(&unary, n.Op)
			}
		case *ast.AssignStmt:
			add(&assigned, n.Tok)
		}
	})
	for _, tt := range []struct {
		name      string
		got, want []string
	}{
		{"binary", binary, []string{"+", "-", "*", "/", "%", "&", "|", "^", "&^", "<<", ">>", "&&", "||", "==", "!=", "<", "<=", ">", ">="}},
		{"unary", unary, []string{"+", "-", "^", "!", "&", "<-"}},
		{"assignment", assigned, []string{"=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "&^=", "<<=", ">>="}},
	} {
		slices.Sort(tt.got)
		slices.Sort(tt.want)
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s operators (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Operands have each of the basic types, and types of the program with each of their
// kinds.
func TestEveryTypeIsReached(t *testing.T) {
	missing := map[string]bool{
		"slice": true, "array": true, "map": true, "struct": true, "func": true, "pointer": true,
		"chan": true, "interface": true, "type parameter": true, "declared": true,
	}
	for _, name := range []string{
		"bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
		"float32", "float64", "complex128", "string",
	} {
		missing[name] = true
	}
	bodies(t, func(p *program, _ *ast.FuncDecl, n ast.Node, _ []ast.Node) {
		e, ok := n.(ast.Expr)
		if !ok || !p.info.Types[e].IsValue() {
			return
		}
		switch typ := types.Unalias(p.info.TypeOf(e)).(type) {
		case *types.Basic:
			delete(missing, typ.Name())
		case *types.Named:
			delete(missing, "declared")
		case *types.Slice:
			delete(missing, "slice")
		case *types.Array:
			delete(missing, "array")
		case *types.Map:
			delete(missing, "map")
		case *types.Struct:
			delete(missing, "struct")
		case *types.Signature:
			delete(missing, "func")
		case *types.Pointer:
			delete(missing, "pointer")
		case *types.Chan:
			delete(missing, "chan")
		case *types.Interface:
			delete(missing, "interface")
		case *types.TypeParam:
			delete(missing, "type parameter")
		}
	})
	for name := range missing {
		t.Errorf("no expression of type %s in %d programs", name, seeds)
	}
}

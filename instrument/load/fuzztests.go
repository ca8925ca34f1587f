package load

import (
	"go/ast"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// findFuzzTests lists the fuzz tests in the order in which package testing runs
// them: in-package ones first, then by file and line.
func findFuzzTests(r *Result) ([]instrument.FuzzTest, error) {
	var list []instrument.FuzzTest
	bodies := testBodies(r)
	for _, t := range r.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				if !isFuzzDecl(d) {
					continue
				}
				fd := d.(*ast.FuncDecl)
				fn, ok := t.Info.Defs[fd.Name].(*types.Func)
				if !ok || !isFuzzSignature(fn.Signature()) {
					return nil, problem.Errorf(problem.KindNoFuzzTests, "%s: %s has a wrong signature, must be func %s(f *testing.F)",
						r.shortPosition(fd.Pos()), fd.Name.Name, fd.Name.Name)
				}
				list = append(list, instrument.FuzzTest{
					Name: fn.Name(), File: f.Path, Line: r.Position(fd.Pos()).Line,
					ArgTypes: argTypes(bodies, fn),
				})
			}
		}
	}
	return list, nil
}

// isFuzzName says whether the go command takes a function of that name for a
// fuzz test.
func isFuzzName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Fuzz")
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}

// IsFuzzTest says whether fn is a fuzz test, if declared in a _test.go file.
func IsFuzzTest(fn *types.Func) bool {
	return fn.Signature().Recv() == nil && isFuzzName(fn.Name()) && isFuzzSignature(fn.Signature())
}

func isFuzzSignature(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && sig.Results().Len() == 0 && sig.TypeParams().Len() == 0 &&
		isTestingPointer(sig.Params().At(0).Type(), "F")
}

// isTestingPointer says whether t is *testing.name.
func isTestingPointer(t types.Type, name string) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}

// body is a function declared in a test file.
type body struct {
	decl *ast.FuncDecl
	info *types.Info
}

// testBodies maps the functions declared in test files to their bodies.
func testBodies(r *Result) map[*types.Func]body {
	m := make(map[*types.Func]body)
	for _, t := range r.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					if fn, ok := t.Info.Defs[fd.Name].(*types.Func); ok {
						m[fn] = body{fd, t.Info}
					}
				}
			}
		}
	}
	return m
}

// argTypes returns the types of the arguments after *testing.T of the function
// that start hands to f.Fuzz, itself or through functions of the test files. It
// returns nil if it finds none, or several that differ.
func argTypes(bodies map[*types.Func]body, start *types.Func) []string {
	var found []string
	differ := false
	seen := make(map[*types.Func]bool)
	var visit func(fn *types.Func)
	visit = func(fn *types.Func) {
		b, ok := bodies[fn]
		if !ok || seen[fn] {
			return
		}
		seen[fn] = true
		ast.Inspect(b.decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if list := fuzzCall(b.info, n); list != nil {
					differ = differ || found != nil && strings.Join(found, ",") != strings.Join(list, ",")
					found = list
				}
			case *ast.Ident:
				if callee, ok := b.info.Uses[n].(*types.Func); ok {
					visit(callee.Origin())
				}
			}
			return true
		})
	}
	visit(start)
	if differ {
		return nil
	}
	return found
}

// fuzzCall returns the argument types if call is f.Fuzz(func(*testing.T, …)).
func fuzzCall(info *types.Info, call *ast.CallExpr) []string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Fuzz" || len(call.Args) != 1 || !isTestingPointer(info.TypeOf(sel.X), "F") {
		return nil
	}
	sig, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Signature)
	if !ok || sig.Params().Len() < 2 {
		return nil
	}
	var list []string
	for i := 1; i < sig.Params().Len(); i++ {
		name, ok := basicName(sig.Params().At(i).Type())
		if !ok {
			return nil
		}
		list = append(list, name)
	}
	return list
}

// basicName returns the name of a type that fuzzing knows: "[]byte" or that of a
// basic type, uint8 and int32 for byte and rune.
func basicName(t types.Type) (string, bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name(), true
	case *types.Slice:
		if b, ok := types.Unalias(t.Elem()).(*types.Basic); ok && b.Kind() == types.Uint8 {
			return "[]byte", true
		}
	}
	return "", false
}

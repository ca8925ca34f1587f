package schemata

import (
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// logs says whether a call only writes a log: mutants there are noise.
func (w *walker) logs(e *ast.CallExpr) bool { return w.r.logs(e) }

func (r *rewriter) logs(e *ast.CallExpr) bool {
	id := typing.CalleeIdent(e)
	if id == nil {
		return false
	}
	switch obj := r.info.Uses[id].(type) {
	case *types.Builtin:
		return obj.Name() == "print" || obj.Name() == "println"
	case *types.Func:
		switch {
		case obj.Pkg() == nil:
			return false
		case obj.Pkg() == r.Pkg:
			return r.loggers[obj.Origin()]
		}
		switch obj.Pkg().Path() {
		case "log", "log/slog", "testing":
			return true
		case "fmt":
			switch obj.Name() {
			case "Print", "Printf", "Println":
				return true
			case "Fprint", "Fprintf", "Fprintln":
				return r.isStandardStream(e.Args[0])
			}
		}
	}
	return false
}

// isStandardStream says whether e is os.Stdout or os.Stderr.
func (r *rewriter) isStandardStream(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := r.info.Uses[sel.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && (v.Name() == "Stdout" || v.Name() == "Stderr")
}

// findLoggers finds the package's own functions that do nothing but log, perhaps
// on a condition, until there are no more: one may call another.
func (r *rewriter) findLoggers() {
	for found := true; found; {
		found = false
		for i := range r.Files {
			for _, d := range r.Files[i].Syntax.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Body == nil || fd.Type.Results.NumFields() > 0 || !r.onlyLogs(fd.Body.List) {
					continue
				}
				if fn, ok := r.info.Defs[fd.Name].(*types.Func); ok && !r.loggers[fn] {
					r.loggers[fn] = true
					found = true
				}
			}
		}
	}
}

func (r *rewriter) onlyLogs(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := ast.Unparen(s.X).(*ast.CallExpr)
			if !ok || !r.logs(call) || r.ends(call) {
				return false
			}
		case *ast.IfStmt:
			if s.Init != nil || s.Else != nil || !r.onlyLogs(s.Body.List) {
				return false
			}
		default:
			return false
		}
	}
	return len(list) > 0
}

// ends says whether a logging call does not return: log.Fatal and log.Panic.
func (r *rewriter) ends(e *ast.CallExpr) bool {
	fn, ok := r.info.Uses[typing.CalleeIdent(e)].(*types.Func)
	if !ok {
		return false
	}
	switch fn.Name() {
	case "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "FailNow", "Skip", "Skipf", "SkipNow":
		return true
	}
	return false
}

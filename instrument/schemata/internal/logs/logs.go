// Package logs knows which calls only write a log.
package logs

import (
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Loggers are the functions of a package that only log.
type Loggers struct {
	info  *typing.Info
	found map[*types.Func]bool
}

// Logs says whether a call only writes a log.
func (l *Loggers) Logs(e *ast.CallExpr) bool {
	id := typing.CalleeIdent(e)
	if id == nil {
		return false
	}
	switch obj := l.info.Uses[id].(type) {
	case *types.Builtin:
		return obj.Name() == "print" || obj.Name() == "println"
	case *types.Func:
		switch {
		case obj.Pkg() == nil:
			return false
		case obj.Pkg() == l.info.Pkg:
			return l.found[obj.Origin()]
		}
		switch obj.Pkg().Path() {
		case "log", "log/slog", "testing":
			return true
		case "fmt":
			switch obj.Name() {
			case "Print", "Printf", "Println":
				return true
			case "Fprint", "Fprintf", "Fprintln":
				return l.isStandardStream(e.Args[0])
			}
		}
	}
	return false
}

// isStandardStream says whether e is os.Stdout or os.Stderr.
func (l *Loggers) isStandardStream(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := l.info.Uses[sel.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && (v.Name() == "Stdout" || v.Name() == "Stderr")
}

// Find finds the package's own functions that do nothing but log, perhaps on a
// condition, until there are no more: one may call another.
func Find(info *typing.Info, files []*ast.File) *Loggers {
	l := &Loggers{info: info, found: map[*types.Func]bool{}}
	for more := true; more; {
		more = false
		for _, f := range files {
			for _, d := range f.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Body == nil || fd.Type.Results.NumFields() > 0 || !l.onlyLogs(fd.Body.List) {
					continue
				}
				if fn, ok := info.Defs[fd.Name].(*types.Func); ok && !l.found[fn] {
					l.found[fn] = true
					more = true
				}
			}
		}
	}
	return l
}

func (l *Loggers) onlyLogs(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := ast.Unparen(s.X).(*ast.CallExpr)
			if !ok || !l.Logs(call) || l.ends(call) {
				return false
			}
		case *ast.IfStmt:
			if s.Init != nil || s.Else != nil || !l.onlyLogs(s.Body.List) {
				return false
			}
		default:
			return false
		}
	}
	return len(list) > 0
}

// ends says whether a logging call does not return: log.Fatal and log.Panic.
func (l *Loggers) ends(e *ast.CallExpr) bool {
	fn, ok := l.info.Uses[typing.CalleeIdent(e)].(*types.Func)
	if !ok {
		return false
	}
	switch fn.Name() {
	case "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "FailNow", "Skip", "Skipf", "SkipNow":
		return true
	}
	return false
}

// Only says whether statements do nothing but write a log.
func (l *Loggers) Only(list []ast.Stmt) bool {
	for _, s := range list {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		if call, ok := ast.Unparen(e.X).(*ast.CallExpr); !ok || !l.Logs(call) {
			return false
		}
	}
	return true
}

// Package logs knows which calls only write a log, a metric or a trace.
package logs

import (
	"go/ast"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Loggers are the functions of a package that only log.
type Loggers struct {
	info  *typing.Info
	more  []string // functions that the user says are like those of the tables
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
		case named(l.more, obj):
			return true
		case obj.Pkg() == l.info.Pkg:
			return l.found[obj.Origin()]
		}
		switch tabled(obj, l.info.Pkg.Path()) {
		case Writes, Builds, Ends:
			return true
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

// Kind returns what a call has to do with logs, metrics and traces. It knows nothing of the
// package's own functions. What a program prints to the standard output is its result, and
// no log.
func (l *Loggers) Kind(e *ast.CallExpr) Kind {
	id := typing.CalleeIdent(e)
	if id == nil {
		return Other
	}
	switch obj := l.info.Uses[id].(type) {
	case *types.Builtin:
		if obj.Name() == "print" || obj.Name() == "println" {
			return Writes
		}
	case *types.Func:
		switch {
		case obj.Pkg() == nil:
			return Other
		case named(l.more, obj), l.writesToStderr(e, obj):
			return Writes
		case obj.Pkg() == l.info.Pkg:
			return Other
		}
		return tabled(obj, l.info.Pkg.Path())
	}
	return Other
}

// writesToStderr says whether a call prints to os.Stderr, or is a method of it that writes.
func (l *Loggers) writesToStderr(e *ast.CallExpr, fn *types.Func) bool {
	switch fn.FullName() {
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln":
		return l.stream(e.Args[0]) == "Stderr"
	case "(*os.File).Write", "(*os.File).WriteString", "(*os.File).Sync":
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		return ok && l.stream(sel.X) == "Stderr"
	}
	return false
}

// isStandardStream says whether e is os.Stdout or os.Stderr.
func (l *Loggers) isStandardStream(e ast.Expr) bool {
	name := l.stream(e)
	return name == "Stdout" || name == "Stderr"
}

// stream returns the name of a variable of package os, "" for anything else.
func (l *Loggers) stream(e ast.Expr) string {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if v, ok := l.info.Uses[sel.Sel].(*types.Var); ok && v.Pkg() != nil && v.Pkg().Path() == "os" {
		return v.Name()
	}
	return ""
}

// Find finds the package's own functions that do nothing but log, perhaps on a
// condition, until there are no more: one may call another. The user's functions in more,
// as "pkg.Func" or "pkg.Type.Method", count as those of the tables.
func Find(info *typing.Info, files []*ast.File, more []string) *Loggers {
	l := &Loggers{info: info, more: more, found: map[*types.Func]bool{}}
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
	if fn.Pkg() != nil && fn.Pkg() != l.info.Pkg && tabled(fn, l.info.Pkg.Path()) == Ends {
		return true
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

package arid

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logs"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// knowledge is what is known of calls.
type knowledge struct {
	info  *typing.Info
	logs  *logs.Loggers
	pure  map[*types.Func]bool // the package's functions that do nothing but return a value
	quiet map[*types.Func]bool // those without results that do nothing but log
	// keeper are those that do nothing but hand values to pools.
	keeper map[*types.Func]bool
}

// learn finds the package's own functions that are pure or quiet, until there are no more:
// one may call another.
func (k *knowledge) learn(files []*ast.File) {
	for more := true; more; {
		more = false
		for _, f := range files {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					more = k.learnFunc(fd) || more
				}
			}
		}
	}
}

func (k *knowledge) learnFunc(fd *ast.FuncDecl) (found bool) {
	fn, ok := k.info.Defs[fd.Name].(*types.Func)
	switch {
	case !ok || k.pure[fn] || k.quiet[fn] || k.keeper[fn]:
		return false
	case fd.Type.Results.NumFields() > 0:
		found = k.isPure(fd)
		k.pure[fn] = found
	case k.speaks(fd.Body):
		found = k.analyse(fd, fd.Type, fd.Body).allDead()
		k.quiet[fn] = found
	default:
		found = k.learnKeeper(fd, fn)
	}
	return found
}

// isPure says whether a function has no effect: it assigns to nothing but its own variables,
// and calls nothing with an effect but locks.
func (k *knowledge) isPure(fd *ast.FuncDecl) bool {
	b := k.newBody(fd)
	pure := true
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
			pure = false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				id, ok := ast.Unparen(l).(*ast.Ident)
				pure = pure && ok && (id.Name == "_" || b.local(id) != nil)
			}
		case *ast.IncDecStmt:
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			pure = pure && ok && b.local(id) != nil
		case *ast.RangeStmt:
			pure = pure && !k.info.RangesOver(n.X) && (n.Tok != token.ASSIGN || n.Key == nil)
		case *ast.UnaryExpr:
			pure = pure && n.Op != token.ARROW
		case *ast.CallExpr:
			pure = pure && (b.harmless(n) || k.isPanic(n) || k.isLock(n))
		}
		return pure
	})
	return pure
}

func (k *knowledge) isPanic(e *ast.CallExpr) bool {
	name, _ := k.info.BuiltinCall(e)
	return name == "panic"
}

// isLock says whether a call locks or unlocks a mutex.
func (k *knowledge) isLock(e *ast.CallExpr) bool {
	fn := k.callee(e)
	if fn == nil {
		return false
	}
	switch fn.FullName() {
	case "(*sync.Mutex).Lock", "(*sync.Mutex).Unlock", "(*sync.RWMutex).Lock", "(*sync.RWMutex).Unlock",
		"(*sync.RWMutex).RLock", "(*sync.RWMutex).RUnlock":
		return true
	}
	return false
}

// callee returns the function or method that a call names, nil if it names none.
func (k *knowledge) callee(e *ast.CallExpr) *types.Func {
	id := typing.CalleeIdent(e)
	if id == nil {
		return nil
	}
	fn, _ := k.info.Uses[id].(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// writes says whether a call does nothing but write a log, a metric or a trace, make
// something for one, or reserve space.
func (k *knowledge) writes(e *ast.CallExpr) bool {
	switch k.logs.Kind(e) {
	case logs.Writes, logs.Builds, logs.Reserves:
		return true
	}
	fn := k.callee(e)
	return fn != nil && k.quiet[fn]
}

// onlyLogged says whether the arguments of a call go nowhere but into a log, a metric or a
// trace.
func (k *knowledge) onlyLogged(e *ast.CallExpr) bool {
	return k.writes(e) || k.logs.Kind(e) == logs.Ends
}

// speaks says whether there is a call in a node that writes, or builds what is written.
func (k *knowledge) speaks(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && k.writes(call)
		return !found
	})
	return found
}

// isHarmless says whether a call does nothing but return a value, if its operands do.
func (k *knowledge) isHarmless(e *ast.CallExpr) bool {
	tv := k.info.Types[e.Fun]
	if tv.IsType() {
		return true
	}
	if name, _ := k.info.BuiltinCall(e); name != "" {
		switch name {
		case "len", "cap", "min", "max", "real", "imag", "complex", "new", "make":
			return true
		}
		return k.logs.Kind(e) == logs.Writes // print
	}
	for _, arg := range e.Args {
		if _, ok := typing.Core(k.info.TypeOf(arg)).(*types.Signature); ok {
			return false // it may be called
		}
	}
	if k.writes(e) || k.logs.Kind(e) == logs.Asks {
		return true
	}
	fn := k.callee(e)
	return fn != nil && (k.pure[fn] || isText(fn) || isPureStandard(fn))
}

// isText says whether a method is Error or String: it returns the text of a value, as
// package fmt calls it.
func isText(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() == nil || fn.Name() != "Error" && fn.Name() != "String" || sig.Params().Len() > 0 || sig.Results().Len() != 1 {
		return false
	}
	b, ok := sig.Results().At(0).Type().(*types.Basic)
	return ok && b.Kind() == types.String
}

// pureStandard are functions and methods of the standard library that do nothing but return
// a value, by package and type. "*" stands for all.
var pureStandard = map[string]string{
	"bytes": "*", "encoding/hex": "EncodeToString", "errors": "Is Join New Unwrap", "fmt": "Errorf Sprint Sprintf Sprintln",
	"math": "*", "math/bits": "*", "net": "JoinHostPort", "os": "Getenv Getpid Hostname", "path": "*", "reflect": "TypeOf",
	"path/filepath": "Base Clean Dir Ext FromSlash IsAbs Join Rel ToSlash VolumeName", "runtime": "NumCPU NumGoroutine Version",
	"strconv": "*", "strings": "*", "sync/atomic": "LoadInt32 LoadInt64 LoadPointer LoadUint32 LoadUint64 LoadUintptr",
	"time": "Date Now Since Unix UnixMicro UnixMilli Until", "unicode": "*", "unicode/utf8": "*",

	"bytes.Buffer": "Available Bytes Cap Len", "strings.Builder": "Cap Len",
	"context.Context": "Err", "net.Addr": "Network", "net.Conn": "LocalAddr RemoteAddr", "net.Listener": "Addr",
	"reflect.Type": "Kind Name NumField NumMethod PkgPath", "encoding/base64.Encoding": "EncodeToString",
	"sync/atomic.Bool": "Load", "sync/atomic.Int32": "Load", "sync/atomic.Int64": "Load", "sync/atomic.Pointer": "Load",
	"sync/atomic.Uint32": "Load", "sync/atomic.Uint64": "Load", "sync/atomic.Uintptr": "Load", "sync/atomic.Value": "Load",
	"time.Time": "Add Before After Compare Date Day Equal Format Hour IsZero Minute Month Nanosecond Round Second " +
		"Sub Truncate UTC Unix UnixMicro UnixMilli UnixNano Weekday Year",
	"time.Duration": "Abs Hours Microseconds Milliseconds Minutes Nanoseconds Round Seconds Truncate",
}

func isPureStandard(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	key := fn.Pkg().Path()
	if fn.Signature().Recv() != nil {
		recv := typing.ReceiverName(fn)
		if recv == "" {
			return false
		}
		key += "." + recv
	}
	for name := range strings.FieldsSeq(pureStandard[key]) {
		if name == "*" || name == fn.Name() {
			return true
		}
	}
	return false
}

// Package overflow finds the operations on integers whose result sizes, indexes or bounds
// something, and has them watched for what they lose.
//
// Which operations these are is asked of the whole package at once, from the uses back: through
// variables, fields, parameters and results, whatever the order of statements is. The way ends where a part
// of a number is meant: at a mask, a remainder, a shift by more than a few bits. So hashes
// and random numbers, which wrap as they should, are not watched.
package overflow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Flow is what is watched in a package.
type Flow struct {
	info *typing.Info

	into map[any][]ast.Expr  // what variables and results get
	adds map[any][]ast.Node  // statements that change a variable by a number: x += y, x++
	done map[any]bool        // variables and results that are followed
	next []any               // and those that are still to be
	ops  map[ast.Node]bool   // operations to watch
	uses map[ast.Expr]string // operands that use a number, and how
	cmps map[ast.Expr]string // comparisons, and the helper's name with what comes before the operands

	compared []*ast.BinaryExpr
	shorts   []*ast.CallExpr          // conversions to fewer bits
	loops    map[*ast.BinaryExpr]bool // conditions of loops
}

// result is the key of a result of a function, which is a *types.Func or an *ast.FuncLit.
type result struct {
	of any
	n  int
}

// Find looks through the files of a package.
func Find(info *typing.Info, files []*ast.File) *Flow {
	f := &Flow{
		info: info, into: map[any][]ast.Expr{}, adds: map[any][]ast.Node{}, done: map[any]bool{},
		ops: map[ast.Node]bool{}, uses: map[ast.Expr]string{}, cmps: map[ast.Expr]string{}, loops: map[*ast.BinaryExpr]bool{},
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				f.function(info.Defs[fn.Name], fn.Type, fn.Body)
			} else {
				f.nodes(nil, d)
			}
		}
	}
	for _, e := range f.shorts {
		if f.isLength(e.Args[0], lengthDepth) {
			f.use(e, "UseLength")
		}
	}
	for e := range f.uses {
		f.follow(e)
	}
	f.followAll()
	f.comparisons()
	return f
}

// function notes what a function does with numbers.
func (f *Flow) function(key any, t *ast.FuncType, body *ast.BlockStmt) {
	n := 0
	if t.Results != nil {
		for _, field := range t.Results.List {
			for _, name := range field.Names { // a named result is what the function gives
				f.pass(result{key, n}, name)
				n++
			}
		}
	}
	f.nodes(key, body)
}

// nodes notes what code in a function does with numbers; key is the function.
func (f *Flow) nodes(key any, root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.function(n, n.Type, n.Body)
			return false
		case *ast.AssignStmt:
			f.assign(n)
		case *ast.IncDecStmt:
			if v := f.variable(n.X); v != nil {
				f.adds[v] = append(f.adds[v], n)
			}
		case *ast.ValueSpec:
			f.values(typing.Idents(n.Names), n.Values)
		case *ast.ReturnStmt:
			f.returned(key, n.Results)
		case *ast.CompositeLit:
			f.fields(n)
		case *ast.CallExpr:
			f.call(n)
		case *ast.IndexExpr:
			f.index(n)
		case *ast.SliceExpr:
			for _, e := range []ast.Expr{n.Low, n.High, n.Max} {
				f.use(e, "UseSlice")
			}
		case *ast.RangeStmt:
			f.use(n.X, "UseCount")
		case *ast.ForStmt:
			f.loop(n.Cond)
		case *ast.BinaryExpr:
			if relation[n.Op] != "" && f.integer(n.X) && f.integer(n.Y) && !f.info.IsConstant(n) && typing.PlainBool(f.info.TypeOf(n)) {
				f.compared = append(f.compared, n)
			}
		}
		return true
	})
}

// loop notes the comparisons in the condition of a loop.
func (f *Flow) loop(cond ast.Expr) {
	if b, ok := ast.Unparen(orBad(cond)).(*ast.BinaryExpr); ok {
		if b.Op == token.LAND || b.Op == token.LOR {
			f.loop(b.X)
			f.loop(b.Y)
			return
		}
		f.loops[b] = true
	}
}

// orBad is e, or something that is no expression.
func orBad(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

// assign notes what variables get.
func (f *Flow) assign(n *ast.AssignStmt) {
	switch n.Tok {
	case token.ASSIGN, token.DEFINE:
		f.values(n.Lhs, n.Rhs)
	default:
		if v := f.variable(n.Lhs[0]); v != nil {
			f.adds[v] = append(f.adds[v], n)
		}
	}
}

// values notes what variables get, one by one or from one call.
func (f *Flow) values(to, from []ast.Expr) {
	if len(from) == 1 && len(to) > 1 {
		if call, ok := ast.Unparen(from[0]).(*ast.CallExpr); ok {
			for i, e := range to {
				if v := f.variable(e); v != nil {
					f.into[v] = append(f.into[v], &tuple{call, i})
				}
			}
		}
		return
	}
	for i, e := range from {
		if v := f.variable(to[i]); v != nil {
			f.pass(v, e)
		}
	}
}

// tuple is one of the results of a call.
type tuple struct {
	*ast.CallExpr
	n int
}

// pass notes that a number goes somewhere.
func (f *Flow) pass(to any, e ast.Expr) { f.into[to] = append(f.into[to], e) }

// returned notes what a function gives.
func (f *Flow) returned(key any, list []ast.Expr) {
	for i, e := range list {
		f.pass(result{key, i}, e)
	}
}

// fields notes what the fields of a literal get.
func (f *Flow) fields(n *ast.CompositeLit) {
	t := f.info.TypeOf(n)
	if t == nil {
		return
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && f.info.Uses[id] != nil {
				f.pass(origin(f.info.Uses[id]), kv.Value)
			}
		} else if i < s.NumFields() {
			f.pass(origin(s.Field(i)), e)
		}
	}
}

// origin is the variable or function that one of a generic type or function is made of.
func origin(o types.Object) any {
	switch o := o.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return nil
}

// variable is the variable or field that an expression names; nil if it names none.
func (f *Flow) variable(e ast.Expr) any {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	v, ok := f.info.ObjectOf(id).(*types.Var)
	if !ok || id.Name == "_" {
		return nil
	}
	return v.Origin()
}

// lengths are functions of the standard library with the number of the argument that says how
// much. The methods are those of all types of that name.
var lengths = map[string]int{
	"strings.Repeat": 1, "bytes.Repeat": 1, "slices.Grow": 1, "slices.Repeat": 1, "io.CopyN": 2, "io.LimitReader": 1, "io.ReadAtLeast": 2,
	"reflect.MakeSlice": 1, "bufio.NewReaderSize": 1, "bufio.NewWriterSize": 1, "unsafe.Slice": 1, "unsafe.String": 1,
	"(*bytes.Buffer).Grow": 0, "(*bytes.Buffer).Next": 0, "(*bytes.Buffer).Truncate": 0, "(*strings.Builder).Grow": 0,
	"(*bufio.Reader).Discard": 0, "(*bufio.Reader).Peek": 0,
}

// call notes what parameters get, and the numbers that say how much.
func (f *Flow) call(n *ast.CallExpr) {
	tv := f.info.Types[n.Fun]
	switch {
	case tv.IsType():
		f.shortLength(n)
		return
	case tv.IsBuiltin():
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "make" {
			for _, e := range n.Args[1:] {
				f.use(e, "UseMake")
			}
		}
		return
	}
	fn := constants.Callee(f.info.Info, n)
	if fn == nil {
		return
	}
	if at, ok := lengths[fn.FullName()]; ok && at < len(n.Args) {
		f.use(n.Args[at], "UseLength")
	}
	params := fn.Signature().Params()
	if fn.Pkg() != f.info.Pkg || len(n.Args) != params.Len() || fn.Signature().Variadic() {
		return
	}
	for i, e := range n.Args {
		f.pass(params.At(i), e)
	}
}

// index notes an index. One that can take no value outside of an array bounds nothing: its
// type is its mask.
func (f *Flow) index(n *ast.IndexExpr) {
	t := f.info.TypeOf(n.X)
	if t == nil {
		return
	}
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Array:
		if !f.masks(n.Index, t.Len()) {
			f.use(n.Index, "UseIndex")
		}
	case *types.Slice:
		f.use(n.Index, "UseIndex")
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			f.use(n.Index, "UseIndex")
		}
	}
}

// masks reports whether no value of the type of an index, or of the narrowest type that it is
// converted from, is beyond a length.
func (f *Flow) masks(e ast.Expr, length int64) bool {
	for {
		if b, ok := f.info.TypeOf(e).Underlying().(*types.Basic); ok && (b.Kind() == types.Uint8 && length >= 1<<8 || b.Kind() == types.Uint16 && length >= 1<<16) {
			return true
		}
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || !f.info.Types[call.Fun].IsType() {
			return false
		}
		e = call.Args[0]
	}
}

// use notes that a number is used.
func (f *Flow) use(e ast.Expr, how string) {
	if e != nil && f.integer(e) && !f.info.IsConstant(e) {
		f.uses[e] = how
	}
}

// integer reports whether an expression is of a type of integers, and not of a type parameter.
func (f *Flow) integer(e ast.Expr) bool { return isInteger(f.info.TypeOf(e)) }

func isInteger(t types.Type) bool {
	if t == nil {
		return false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// followAll follows variables and results until there are no new ones.
func (f *Flow) followAll() {
	for len(f.next) > 0 {
		v := f.next[len(f.next)-1]
		f.next = f.next[:len(f.next)-1]
		for _, e := range f.into[v] {
			f.follow(e)
		}
		for _, s := range f.adds[v] {
			f.change(s)
		}
	}
}

// reach follows a variable or a result.
func (f *Flow) reach(v any) {
	if v != nil && !f.done[v] {
		f.done[v] = true
		f.next = append(f.next, v)
	}
}

// shiftMost is the shift to the right, in bits, that still is a division. More of them take a part of
// a number.
const shiftMost = 6

// follow watches what a number comes from.
func (f *Flow) follow(e ast.Expr) {
	if t, ok := e.(*tuple); ok {
		if fn := constants.Callee(f.info.Info, t.CallExpr); fn != nil {
			f.reach(result{fn, t.n})
		}
		return
	}
	e = ast.Unparen(e)
	if f.info.IsConstant(e) || !f.integer(e) {
		return
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		f.reach(f.variable(e))
	case *ast.CallExpr:
		f.followCall(e)
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			f.ops[e] = true
			f.follow(e.X)
		}
	case *ast.BinaryExpr:
		if f.carries(e.Op, e.X, e.Y) && f.plain(e.X) && f.plain(e.Y) {
			f.ops[e] = true
			f.follow(e.X)
			if !shifts(e.Op) && e.Op != token.QUO {
				f.follow(e.Y)
			}
		}
	}
}

func (f *Flow) followCall(e *ast.CallExpr) {
	if f.info.Types[e.Fun].IsType() {
		from := f.info.TypeOf(e.Args[0])
		if f.size(e) == 1 && f.unsigned(e) && f.unsigned(e.Args[0]) {
			return // the low byte, of what is packed into one number
		}
		b, ok := from.Underlying().(*types.Basic)
		if !ok || !f.plain(e.Args[0]) || f.info.IsConstant(e.Args[0]) {
			return
		}
		if _, param := types.Unalias(from).(*types.TypeParam); !param && b.Info()&(types.IsInteger|types.IsFloat) != 0 {
			f.ops[e] = true
			f.follow(e.Args[0])
		}
		return
	}
	if fn := constants.Callee(f.info.Info, e); fn != nil {
		f.reach(result{fn, 0})
	}
}

func shifts(op token.Token) bool { return op == token.SHL || op == token.SHR }

// carries reports whether the result of an operation is a number of the size of its operands, and not a
// part of one.
func (f *Flow) carries(op token.Token, x, y ast.Expr) bool {
	switch op {
	case token.ADD, token.SUB, token.MUL, token.OR, token.QUO:
		return true
	case token.SHL: // by a variable, bits are put to their place: what falls out is meant
		return !f.info.IsConstant(x) && f.info.IsConstant(y)
	case token.SHR:
		n := f.info.Types[y].Value
		if n == nil {
			return false
		}
		bits, ok := constant.Int64Val(constant.ToInt(n))
		return ok && bits <= shiftMost && !f.info.IsConstant(x)
	}
	return false
}

// plain reports whether an operand has its type by itself: the shift of a constant has that of
// what is around it.
func (f *Flow) plain(e ast.Expr) bool {
	if f.info.IsConstant(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return f.plain(e.X)
	case *ast.BinaryExpr:
		if shifts(e.Op) {
			return !f.info.IsConstant(e.X) && f.plain(e.X)
		}
		return f.plain(e.X) && f.plain(e.Y)
	}
	return true
}

func (f *Flow) unsigned(e ast.Expr) bool {
	b, ok := f.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// size is the size of a type in bytes.
func (f *Flow) size(e ast.Expr) int64 {
	return types.SizesFor("gc", "amd64").Sizeof(f.info.TypeOf(e).Underlying())
}

// change watches a statement that changes a variable by a number.
func (f *Flow) change(s ast.Node) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		op := assigns[s.Tok]
		if !f.integer(s.Lhs[0]) || !f.carries(op, s.Lhs[0], s.Rhs[0]) || !f.plain(s.Rhs[0]) {
			return
		}
		f.ops[s] = true
		if !shifts(op) && op != token.QUO {
			f.follow(s.Rhs[0])
		}
	case *ast.IncDecStmt:
		// Nothing counts to 2^63. Below zero, it takes one step.
		if f.integer(s.X) && (f.size(s.X) < 8 || s.Tok == token.DEC && f.unsigned(s.X)) {
			f.ops[s] = true
		}
	}
}

// assigns are the operations of assignments.
var assigns = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO,
	token.OR_ASSIGN: token.OR, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// shortLength notes a conversion of a length to 16 or 32 bits: what is written before a text says how
// long it is. A conversion to a byte takes one of several.
func (f *Flow) shortLength(n *ast.CallExpr) {
	if !f.integer(n) || len(n.Args) != 1 || !f.integer(n.Args[0]) || f.info.IsConstant(n) {
		return
	}
	if size := f.size(n); size > 1 && size < f.size(n.Args[0]) {
		f.shorts = append(f.shorts, n)
	}
}

// lengthDepth bounds the variables and functions through which a length is looked for.
const lengthDepth = 4

// isLength reports whether a number is a length, or one with something added to it.
func (f *Flow) isLength(e ast.Expr, depth int) bool {
	if depth == 0 {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB) && (f.isLength(e.X, depth) || f.isLength(e.Y, depth))
	case *ast.CallExpr:
		tv := f.info.Types[e.Fun]
		switch {
		case tv.IsBuiltin():
			id, ok := ast.Unparen(e.Fun).(*ast.Ident)
			return ok && id.Name == "len"
		case tv.IsType():
			return f.isLength(e.Args[0], depth)
		}
		if fn := constants.Callee(f.info.Info, e); fn != nil {
			return f.anyLength(result{fn, 0}, depth)
		}
	case *ast.Ident:
		return f.anyLength(f.variable(e), depth)
	}
	return false
}

// anyLength reports whether a variable or a result gets a length.
func (f *Flow) anyLength(v any, depth int) bool {
	for _, e := range f.into[v] {
		if f.isLength(e, depth-1) {
			return true
		}
	}
	return false
}

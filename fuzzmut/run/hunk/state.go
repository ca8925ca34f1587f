package hunk

import (
	"go/ast"
	"go/token"
	"slices"
)

// Shared returns sets of hunks that are one, each in order: those between which values go in
// a variable of a function that only one side has. One that counts what another one tests is
// nothing without it: code with only one of them as it was before is code that nobody meant.
// A variable that is written once, where it is declared, joins nothing, since each of its
// uses may be meant alone.
func Shared(old, new []byte, hunks []Hunk) [][]int {
	was, is := resolve(old), resolve(new)
	if len(hunks) < 2 || was == nil || is == nil {
		return nil
	}
	sets := newSets(len(hunks))
	for side, s := range []*source{was, is} {
		other := []*source{is, was}[side].functions()
		in := func(p token.Pos) int { return hunkAt(old, new, hunks, side, s.offset(p)) }
		for name, f := range s.functions() {
			theirs := make(map[string]bool)
			if o := other[name]; o != nil {
				ast.Inspect(o, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						theirs[id.Name] = true
					}
					return true
				})
			}
			for _, pair := range flows(f, func(name string) bool { return !theirs[name] }) {
				if a, b := in(pair[0]), in(pair[1]); a >= 0 && b >= 0 {
					sets.join(a, b)
				}
			}
		}
	}
	return sets.list()
}

// hunkAt returns the hunk that a place of the old text (side 0) or the new one is in; -1: none.
func hunkAt(old, new []byte, hunks []Hunk, side, at int) int {
	return slices.IndexFunc(hunks, func(h Hunk) bool {
		return slices.ContainsFunc(h.swapsOf(old, new), func(e swap) bool {
			if side == 0 {
				return e.oldFrom <= at && at < e.oldTo
			}
			return e.from <= at && at < e.to
		})
	})
}

// functions are those of a file, by their names with their receivers.
func (s *source) functions() map[string]*ast.FuncDecl {
	list := make(map[string]*ast.FuncDecl)
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			list[receiver(f)+f.Name.Name] = f
		}
	}
	return list
}

// An access is a place where a variable is written or read.
type access struct {
	name        string
	variable    token.Pos // where it is declared
	at          token.Pos
	declaration bool // it is there
	write, read bool
	kills       bool       // a statement that gives the variable a value, whatever it had
	list        ast.Node   // whose statement that is
	end         token.Pos  // of it
	around      []ast.Node // from the function on
}

// flows lists the places between which values go in variables of a function that count: a
// read, and each write that it may see. It is right up to branches: a write on another branch
// counts.
func flows(f *ast.FuncDecl, counts func(name string) bool) (pairs [][2]token.Pos) {
	byVariable := make(map[token.Pos][]access)
	var order []token.Pos
	for _, a := range accesses(f) {
		if !counts(a.name) {
			continue
		}
		if byVariable[a.variable] == nil {
			order = append(order, a.variable)
		}
		byVariable[a.variable] = append(byVariable[a.variable], a)
	}
	for _, v := range order {
		list := byVariable[v]
		for _, r := range list {
			if !r.read {
				continue
			}
			seen := r.sees(list)
			if !slices.ContainsFunc(seen, func(w access) bool { return !w.declaration }) {
				continue
			}
			for _, w := range seen {
				pairs = append(pairs, [2]token.Pos{w.at, r.at})
			}
		}
	}
	return pairs
}

// sees lists the writes that a read may see: from the last statement before it that gives the
// variable a value, whatever comes before, up to the read; and all of a loop around the read
// that has no such statement before it.
func (r access) sees(list []access) (seen []access) {
	from := token.NoPos
	var loop ast.Node
	for i := len(r.around) - 1; i >= 0 && from == token.NoPos; i-- {
		switch n := r.around[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			loop = n
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			for _, w := range list {
				if w.kills && w.list == n && w.end <= r.at {
					from = w.at
				}
			}
		}
	}
	for _, w := range list {
		before := from <= w.at && w.at < r.at
		again := loop != nil && loop.Pos() <= w.at && w.at < loop.End()
		if w.write && (before || again) {
			seen = append(seen, w)
		}
	}
	return seen
}

// accesses lists the accesses to variables that a function declares, in the order of the text.
func accesses(f *ast.FuncDecl) (list []access) {
	written := make(map[*ast.Ident]access)
	var around []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		note(n, around, written)
		if id, ok := n.(*ast.Ident); ok && id.Obj != nil && id.Obj.Kind == ast.Var && f.Body.Pos() < id.Obj.Pos() {
			a, isWrite := written[id]
			a.read = a.read || !isWrite
			a.name, a.variable, a.at, a.declaration = id.Name, id.Obj.Pos(), id.Pos(), id.Obj.Pos() == id.Pos()
			a.around = slices.Clone(around)
			list = append(list, a)
		}
		around = append(around, n)
		return true
	})
	return list
}

// note notes the variables that a statement or an expression writes.
func note(n ast.Node, around []ast.Node, written map[*ast.Ident]access) {
	write := func(x ast.Expr, a access) {
		id, whole := root(x)
		if id == nil {
			return
		}
		a.write, a.read = true, a.read || !whole
		a.kills = a.kills && whole
		written[id] = a
	}
	var in ast.Node
	if len(around) > 0 {
		in = around[len(around)-1]
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		plain := n.Tok == token.ASSIGN || n.Tok == token.DEFINE
		for _, x := range n.Lhs {
			write(x, access{read: !plain, kills: plain, list: in, end: n.End()})
		}
	case *ast.IncDecStmt:
		write(n.X, access{read: true})
	case *ast.ValueSpec: // in a declaration, in a statement
		in = around[max(len(around)-3, 0)]
		for _, id := range n.Names {
			write(id, access{kills: true, list: in, end: n.End()})
		}
	case *ast.RangeStmt:
		write(n.Key, access{})
		write(n.Value, access{})
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			write(n.X, access{read: true})
		}
	case *ast.ExprStmt: // a method that is called for nothing else writes what it is called on
		if call, ok := n.X.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				write(sel.X, access{read: true})
			}
		}
	}
}

// root returns the variable that an operand is, or is a part of.
func root(x ast.Expr) (id *ast.Ident, whole bool) {
	whole = true
	for {
		switch n := x.(type) {
		case *ast.Ident:
			return n, whole
		case *ast.ParenExpr:
			x = n.X
		case *ast.SelectorExpr:
			x, whole = n.X, false
		case *ast.IndexExpr:
			x, whole = n.X, false
		case *ast.StarExpr:
			x, whole = n.X, false
		default:
			return nil, false
		}
	}
}

// sets are sets of numbers without one in common.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// join makes one set of those of two numbers.
func (s sets) join(a, b int) {
	from, to := max(s[a], s[b]), min(s[a], s[b])
	for i := range s {
		if s[i] == from {
			s[i] = to
		}
	}
}

// list returns the sets of several numbers, by their first ones.
func (s sets) list() (list [][]int) {
	for first := range s {
		var set []int
		for i := range s {
			if s[i] == first {
				set = append(set, i)
			}
		}
		if len(set) > 1 {
			list = append(list, set)
		}
	}
	return list
}

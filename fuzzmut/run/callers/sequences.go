package callers

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// sequencesMost is how many fuzz tests over sequences of calls a package has at most for types.
const sequencesMost = 8

// BeyondReason says why there is no fuzz test over sequences of calls for a type.
var BeyondReason = fmt.Sprintf("fuzz tests over sequences of calls are made for %d groups of types of a package at most, those that reach most survivors", sequencesMost)

// Sequenced are fuzz tests over sequences of calls, and by the name of each the functions with code
// that it reaches, as notes call them.
type Sequenced struct {
	List    []*sequence.Sequence
	Reached map[string]map[string]bool
	// Beyond are functions that others would reach, which are too many.
	Beyond map[string]bool
	// Left are methods that none of them calls, though one calls others of the same values, and why.
	Left map[string]string
}

// Sequences writes fuzz tests over sequences of calls for the types of the package under test
// whose methods reach code, by file and lines: one for all types whose functions and methods
// take or return values of each other, those that reach most first.
func Sequences(r *load.Result, code func(file string, first, last int) bool) *Sequenced {
	s := NewSurface(r)
	q := &sequences{Surface: s, wanted: make(map[*node]int), states: newStates(s.finder.graph)}
	for _, n := range s.finder.graph.nodes {
		if n.fn != nil && !n.test && !s.finder.graph.inits[n] && code(n.file, n.first, n.last) {
			s.finder.graph.up(n, func(st step) bool {
				q.wanted[st.node]++
				return true
			})
		}
	}
	taken := make(map[string]bool)
	for _, t := range r.Test.Fuzz {
		taken[t.Name] = true
	}
	scripts := s.finder.graph.scripts()
	all := &Sequenced{Reached: make(map[string]map[string]bool), Left: make(map[string]string)}
	var with []*types.Func // that fuzz tests for types call in addition
	values := sequence.Values(r.Packages[0].Types)
	values = append(values, sequence.Carriers(r.Packages[0].Types, s.finder.graph.outside(), values)...)
	var beyond [][]*types.Named
	for _, g := range q.groups(values) {
		if q.weight(g) == 0 {
			break
		}
		if len(all.List) == sequencesMost {
			beyond = append(beyond, g)
			continue
		}
		shared := q.sharing(g)
		all.add(q, sequence.Config{Types: g, Functions: shared, Texts: q.texts(g), Scripts: scripts, Taken: taken})
		with = append(with, shared...)
	}
	if others := q.others(with); len(others) > 0 {
		all.add(q, sequence.Config{Functions: others, Texts: q.textsOf(others), Scripts: scripts, Taken: taken})
	}
	all.beyond(q, beyond)
	return all
}

// beyond notes what fuzz tests for types would reach that are one too many.
func (all *Sequenced) beyond(q *sequences, groups [][]*types.Named) {
	others := &Sequenced{Reached: make(map[string]map[string]bool), Left: make(map[string]string)}
	for _, g := range groups {
		others.add(q, sequence.Config{Types: g, Functions: q.sharing(g)})
	}
	all.Beyond = make(map[string]bool)
	for _, reached := range others.Reached {
		maps.Copy(all.Beyond, reached)
	}
	for _, reached := range all.Reached {
		for what := range reached {
			delete(all.Beyond, what)
		}
	}
}

// add adds a fuzz test, if there is one.
func (all *Sequenced) add(q *sequences, c sequence.Config) {
	lits := q.finder.graph.literals()
	c.Package, c.Harmless, c.Rank = q.finder.graph.loaded.Packages[0].Types, q.closed, q.rank
	c.Outside = q.finder.graph.outside()
	c.Literals, c.Passed, c.Begin = lits.of, lits.passed, q.finder.graph.caches()
	c.State, c.Uses, c.Unless, c.Sets = q.states.list(), q.uses, q.unless, q.sets
	if made := sequence.New(c); made != nil {
		all.List = append(all.List, made)
		all.Reached[made.Fuzz] = q.reached(made.Functions())
		for _, l := range made.Left {
			for _, n := range q.implementations(l.Method) {
				all.Left[describe(n)] = l.Reason
			}
		}
	}
}

// others are exported functions that reach the code, and whose arguments are other than those of
// one fuzz test with inputs that people can read: those that reach most first. Functions that change
// variables of the package, or read them, are among these, but for those that others call.
func (q *sequences) others(called []*types.Func) (list []*types.Func) {
	for _, n := range q.finder.graph.nodes {
		if !q.plain(n) || !q.closed(n.fn) || slices.Contains(called, n.fn) {
			continue
		}
		if q.wanted[n] > 0 && q.finder.judge(n) != nil || q.states.sets(n) || q.wanted[n] > 0 && len(q.states.uses(n)) > 0 {
			list = append(list, n.fn)
		}
	}
	slices.SortStableFunc(list, func(a, b *types.Func) int { return cmp.Compare(q.rank(a), q.rank(b)) })
	return list
}

// plain says whether a function is one that is exported, of the package and no method.
func (q *sequences) plain(n *node) bool {
	return n.fn != nil && n.own && !n.test && n.fn.Exported() && n.fn.Signature().Recv() == nil
}

// sharing lists the functions of the package that change or read variables of it that what makes
// values of types, or their methods, read or change.
func (q *sequences) sharing(list []*types.Named) (fns []*types.Func) {
	shared := make(map[string]bool)
	note := func(fn *types.Func) {
		for _, name := range q.uses(fn) {
			shared[name] = true
		}
	}
	for _, t := range list {
		for m := range sequence.Methods(t) {
			note(m)
		}
		for _, n := range q.finder.graph.nodes {
			if q.plain(n) && returns(n.fn, t) {
				note(n.fn)
			}
		}
	}
	for _, n := range q.finder.graph.nodes {
		if q.plain(n) && q.closed(n.fn) && (q.wanted[n] > 0 || q.states.sets(n)) && slices.ContainsFunc(q.uses(n.fn), func(name string) bool { return shared[name] }) {
			fns = append(fns, n.fn)
		}
	}
	return fns
}

// uses lists the variables of the package that calls change, of those that a function may read or change.
func (q *sequences) uses(fn *types.Func) (list []string) {
	for _, n := range q.implementations(fn) {
		list = append(list, q.states.uses(n)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// unless lists conditions under which a function is not to be called.
func (q *sequences) unless(fn *types.Func) (list []string) {
	for _, n := range q.implementations(fn) {
		list = append(list, q.states.ask(n).unless...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sets says whether a function changes variables of the package.
func (q *sequences) sets(fn *types.Func) bool {
	return slices.ContainsFunc(q.implementations(fn), q.states.sets)
}

// reached are the functions that others may call, and these.
func (q *sequences) reached(from []*types.Func) map[string]bool {
	all := make(map[string]bool)
	var todo []*node
	for _, fn := range from {
		todo = append(todo, q.implementations(fn)...)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == nil || n.fn == nil || all[describe(n)] {
			continue
		}
		all[describe(n)] = true
		for i := range n.to {
			todo = append(todo, q.finder.graph.nodes[i])
		}
	}
	return all
}

// sequences says what code functions reach.
type sequences struct {
	*Surface
	wanted map[*node]int // functions with such code that one reaches
	states *states
}

// rank puts functions first that reach more of the code.
func (q *sequences) rank(fn *types.Func) (rank int) {
	for _, n := range q.implementations(fn) {
		rank -= q.wanted[n]
	}
	return rank
}

// implementations are a function of the package, or the methods that a method of an interface
// may be.
func (q *sequences) implementations(fn *types.Func) (list []*node) {
	fn = fn.Origin()
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return q.finder.graph.methods[methodKey(fn)]
	}
	if n := q.nodes[fn]; n != nil {
		list = append(list, n)
	}
	return list
}

// closed says whether a function, or each that it may be, can be called.
func (q *sequences) closed(fn *types.Func) bool {
	list := q.implementations(fn)
	return len(list) > 0 && !slices.ContainsFunc(list, func(n *node) bool {
		return !n.test && n.own && (!q.Harmless(n.fn) || q.states.ask(n).always || n.leaves())
	})
}

// leaves says whether a function that is no method calls one on a variable of the package that may change
// it, as flag.Var does: what stays there has the next input do something else, and one input that does not
// do the same each time spoils the search for all. The method itself is called on other values.
func (n *node) leaves() (yes bool) {
	if n.fn.Signature().Recv() != nil {
		return false
	}
	ast.Inspect(n.decl, func(x ast.Node) bool {
		call, ok := x.(*ast.CallExpr)
		if !ok {
			return !yes
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return !yes
		}
		on, ok := ast.Unparen(sel.X).(*ast.Ident)
		if !ok {
			return !yes
		}
		v, ok := n.info.Uses[on].(*types.Var)
		fn, method := n.info.Uses[sel.Sel].(*types.Func)
		if !ok || !method || v.Pkg() != n.fn.Pkg() || v.Parent() != v.Pkg().Scope() || fn.Pkg() != n.fn.Pkg() || fn.Signature().Recv() == nil {
			return !yes
		}
		_, pointer := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer)
		yes = yes || pointer
		return !yes
	})
	return yes
}

// weight counts the functions with such code that the methods of types reach.
func (q *sequences) weight(list []*types.Named) (sum int) {
	for _, t := range list {
		for m := range sequence.Methods(t) {
			sum -= q.rank(m)
		}
	}
	return sum
}

// groups joins types that the methods of each other take or return. In each, the type whose
// methods reach most comes first.
func (q *sequences) groups(list []*types.Named) (groups [][]*types.Named) {
	of := make([]int, len(list))
	for i := range list {
		of[i] = i
	}
	join := func(i, k int) {
		from, to := max(of[i], of[k]), min(of[i], of[k])
		for at := range of {
			if of[at] == from {
				of[at] = to
			}
		}
	}
	for i, t := range list {
		for k, other := range list {
			if sequence.Carries(t, other) {
				join(i, k)
			}
		}
		for m := range sequence.Methods(t) {
			for _, v := range append(slices.Collect(m.Signature().Params().Variables()), slices.Collect(m.Signature().Results().Variables())...) {
				for k, other := range list {
					if sequence.Leads(v.Type(), other) {
						join(i, k)
					}
				}
			}
		}
	}
	for i := range list {
		var g []*types.Named
		for k, t := range list {
			if of[k] == i {
				g = append(g, t)
			}
		}
		if len(g) > 0 {
			slices.SortStableFunc(g, func(a, b *types.Named) int {
				return cmp.Compare(q.weight([]*types.Named{b}), q.weight([]*types.Named{a}))
			})
			groups = append(groups, g)
		}
	}
	slices.SortStableFunc(groups, func(a, b []*types.Named) int { return cmp.Compare(q.weight(b), q.weight(a)) })
	return groups
}

// returns says whether a function returns what leads to a value of a type.
func returns(fn *types.Func, t *types.Named) bool {
	for v := range fn.Signature().Results().Variables() {
		if sequence.Leads(v.Type(), t) {
			return true
		}
	}
	return false
}

// texts are constants that tests give to the methods of types, and to what makes values of
// them.
func (q *sequences) texts(list []*types.Named) (texts []string) {
	var from []*types.Func
	for _, t := range list {
		from = slices.AppendSeq(from, sequence.Methods(t))
		for fn := range sequence.Functions(t.Obj().Pkg()) {
			if returns(fn, t) {
				from = append(from, fn)
			}
		}
	}
	return q.textsOf(from)
}

// textsOf are constants that tests give to functions: short ones first.
func (q *sequences) textsOf(list []*types.Func) (texts []string) {
	for _, fn := range list {
		for _, values := range q.Seeds(fn.Origin()) {
			for _, v := range values {
				if v != nil && v.Kind() == constant.String {
					texts = append(texts, constant.StringVal(v))
				}
			}
		}
	}
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return spreadTexts(slices.Compact(texts))
}

// spreadTexts leaves some texts of all lengths.
func spreadTexts(texts []string) []string {
	const most = 24
	if len(texts) <= most {
		return texts
	}
	few := make([]string, most)
	for i := range few {
		few[i] = texts[i*len(texts)/most]
	}
	return few
}

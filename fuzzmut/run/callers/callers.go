// Package callers finds functions to derive fuzz tests for: those through which code that
// has changed is called.
//
// It looks at syntax alone. What a function names, it may call; a method of an interface
// may be any method of that name with as many parameters. So more may seem to be reached
// than is.
package callers

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// targetsMost is how many fuzz tests are derived for one package at most.
const targetsMost = 8

// Found are the functions to derive fuzz tests for, and why there are no others.
type Found struct {
	// Reached are the changed functions that the fuzz tests reach, by full name, in the
	// order of the source.
	Reached []string
	// Targets are for the others, the nearest first.
	Targets []load.Target
	// Alone are those of FindMissed that are changed functions themselves, by full name.
	Alone map[string]bool
	// Left are the changed functions that neither fuzz tests nor targets reach.
	Left []Note
}

// A Note says why something is left out.
type Note struct {
	What   string // "p.(*T).Method"
	Reason string // "its argument f is of type func(), ..."
	// OneSided says that only one side has it: there is nothing to compare.
	OneSided bool
}

// errNew is of functions that old code does not have.
type errNew struct{ function string }

func (e errNew) Error() string { return e.function + " is new" }

// Find looks at the functions of new code that have changed, by file and lines: at those
// that no fuzz test of the package reaches, and at which ones to fuzz in order to reach
// them. These are functions that old code has, too, with the same signature. Those that new code alone marks
// //fuzzmut:target are among them.
func Find(before, after *load.Result, changed func(file string, first, last int) bool) (*Found, error) {
	g := newGraph(after)
	return newFinder(g, before, targetsMost).find(g.fromFuzzTests(before), changed)
}

// FindMissed is Find for functions that no input of the fuzz tests has reached, though these seem
// to reach them: what names a function, or calls a method of that name, need not call it.
// Methods are called in sequences where they can be. Tried says what has been fuzzed already. A function
// for which all has been is fuzzed itself, exported or not, if alone says that this is worth it.
func FindMissed(before, after *load.Result, changed, alone func(file string, first, last int) bool, tried func(load.Target) bool) (*Found, error) {
	f := newFinder(newGraph(after), before, targetsMost)
	f.rather, f.alone, f.tried = true, alone, tried
	return f.find(make([]bool, len(f.graph.nodes)), changed)
}

func newFinder(g *graph, before *load.Result, most int) *finder {
	return &finder{
		graph: g, before: before, old: functions(before), most: most,
		verdicts: make(map[*node]error), made: make(map[*node][]*node), sequence: make(map[*node]*load.Target), types: make(map[*types.TypeName]sequenced),
	}
}

func (f *finder) find(reached []bool, changed func(file string, first, last int) bool) (*Found, error) {
	g := f.graph
	var covered []string
	itself := make(map[string]bool)
	for _, n := range g.nodes {
		if n.fn == nil || n.test || g.inits[n] || !changed(n.file, n.first, n.last) {
			continue
		}
		if reached[n.index] {
			covered = append(covered, n.name)
			continue
		}
		c := f.above(n)
		if f.rather && !exported(n.fn) && f.alone(n.file, n.first, n.last) && f.judge(n) == nil &&
			!slices.ContainsFunc(c.targets, func(s step) bool { return !f.tried(f.target(s.node)) }) {
			c.targets, itself[n.name] = []step{{node: n}}, true
		}
		f.changed = append(f.changed, c)
	}
	chosen := f.choose()
	if !f.rather {
		chosen = f.withMarked(chosen)
	}
	found := f.found(chosen)
	found.Reached, found.Alone = covered, itself
	return found, f.fault
}

// withMarked adds functions that new code alone marks //fuzzmut:target: what is derived for the mark is on one side, and
// compares nothing.
func (f *finder) withMarked(chosen []*node) []*node {
	marked := func(r *load.Result) map[string]bool {
		set := make(map[string]bool)
		for _, d := range r.Derived {
			set[d.Function] = d.Of == "" && d.Sequence == nil
		}
		return set
	}
	before, after := marked(f.before), marked(f.graph.loaded)
	for _, n := range f.graph.nodes {
		if n.fn == nil || !n.own || n.test || slices.Contains(chosen, n) {
			continue
		}
		if name := target.Function(n.fn); after[name] && !before[name] && f.judge(n) == nil {
			chosen = append(chosen, n)
		}
	}
	return chosen
}

// Above looks for functions to fuzz in order to reach code, by file and lines, whether fuzz
// tests reach it or not: most of them at most, the nearest exported ones first. After these
// come the other exported functions of the package, which may reach the code in a way that
// syntax does not show, and functions with the code that are not exported but that tests call
// themselves. The inputs of all are texts and numbers, which people can read.
// Arguments that a function of the package makes of texts are made by it, and structs of
// their fields.
func Above(r *load.Result, most int, code func(file string, first, last int) bool) (*Found, error) {
	g := newGraph(r)
	f := newFinder(g, r, most)
	f.plain, f.texts = true, true
	for _, n := range g.nodes {
		if n.fn != nil && !n.test && !g.inits[n] && code(n.file, n.first, n.last) {
			f.changed = append(f.changed, f.above(n))
		}
	}
	chosen := f.choose()
	for _, n := range g.nodes {
		if n.fn != nil && n.own && len(chosen) < most && exported(n.fn) && !slices.Contains(chosen, n) && f.judge(n) == nil {
			chosen = append(chosen, n)
		}
	}
	for _, n := range g.nodes {
		if n.fn != nil && n.own && len(chosen) < most && !exported(n.fn) && !slices.Contains(chosen, n) && g.tested(n) && code(n.file, n.first, n.last) && f.judge(n) == nil {
			chosen = append(chosen, n)
		}
	}
	return f.found(chosen), f.fault
}

// tested says whether test files name a function themselves.
func (g *graph) tested(n *node) bool {
	for i, cost := range n.from {
		if cost == named && g.nodes[i].test {
			return true
		}
	}
	return false
}

// found are targets for chosen functions.
func (f *finder) found(chosen []*node) *Found {
	found := new(Found)
	for _, n := range chosen {
		t := f.target(n)
		if t.Among == nil || !slices.ContainsFunc(found.Targets, func(o load.Target) bool { return o.Among != nil && o.Function == t.Function }) {
			found.Targets = append(found.Targets, t)
		}
	}
	found.Left = f.left(chosen)
	return found
}

// target is what is derived for a function.
func (f *finder) target(n *node) load.Target {
	if t := f.sequence[n]; t != nil {
		return *t
	}
	return load.Target{Function: n.name, Seeds: f.graph.seeds(n), Makers: f.makers(n), Flat: f.plain, Texts: f.texts}
}

// left says why changed functions are not reached. Of other packages it counts those that
// the package under test never calls.
func (f *finder) left(chosen []*node) (list []Note) {
	uncalled := make(map[string]int)
	for _, c := range f.changed {
		switch {
		case slices.ContainsFunc(c.targets, func(s step) bool { return slices.Contains(chosen, s.node) }):
		case c.node.own || len(c.targets) > 0 || len(c.refused) > 0:
			list = append(list, Note{What: describe(c.node), Reason: c.reason(f.most), OneSided: c.isNew()})
		default:
			uncalled[c.node.fn.Pkg().Path()]++
		}
	}
	for _, path := range slices.Sorted(maps.Keys(uncalled)) {
		list = append(list, Note{What: path, Reason: fmt.Sprintf("%d of its changed functions are not called from %s",
			uncalled[path], f.graph.loaded.Test.ImportPath)})
	}
	return list
}

// describe is how messages call a function.
func describe(n *node) string { return n.fn.Pkg().Name() + "." + target.Function(n.fn) }

// fromFuzzTests says which nodes the fuzz tests reach that old code has as well. One that is
// derived for a function which only new code marks is not among them.
func (g *graph) fromFuzzTests(before *load.Result) []bool {
	reached := make([]bool, len(g.nodes))
	has := make(map[string]bool)
	for _, t := range before.Test.Fuzz {
		has[t.Name] = true
	}
	var todo []*node
	for _, n := range g.nodes {
		if n.test && n.fn != nil && load.IsFuzzTest(n.fn) && has[n.fn.Name()] {
			todo = append(todo, n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[n.index] {
			continue
		}
		reached[n.index] = true
		for i := range n.to {
			todo = append(todo, g.nodes[i])
		}
	}
	return reached
}

// A step is a node, and how far it is from a changed function.
type step struct {
	node *node
	cost int
}

// A change is a changed function with those to fuzz for it, the nearest first.
type change struct {
	node    *node
	targets []step
	refused []error // why others are none, the nearest first
}

// finder decides about functions.
type finder struct {
	graph    *graph
	before   *load.Result
	old      map[string]*types.Func // of the package under test, as it was, by key
	most     int                    // targets
	texts    bool                   // what tests give a text may be one, if it is of an empty interface
	plain    bool                   // all inputs are texts and numbers, and what can be made of a text is
	changed  []*change
	verdicts map[*node]error
	made     map[*node][]*node             // what makes the arguments of a function
	sequence map[*node]*load.Target        // fuzz tests of sequences that call a method, where it has no other
	rather   bool                          // methods are rather called in sequences
	alone    func(string, int, int) bool   // with rather: a changed function may be fuzzed itself
	tried    func(load.Target) bool        // with rather: it was fuzzed before
	types    map[*types.TypeName]sequenced // fuzz tests of sequences by type
	changes  [2]func(*types.Func) bool     // whether a method may change what it is called on, by side
	fault    error                         // of the program, not of the functions
}

// above goes up from a changed function to the exported ones nearest above it.
func (f *finder) above(start *node) *change {
	c := &change{node: start}
	var hidden, passed []step
	f.graph.up(start, func(s step) bool {
		if s.node.fn == nil || !s.node.own {
			return true
		}
		passed = append(passed, s)
		err := f.judge(s.node)
		switch {
		case !exported(s.node.fn) && err == nil:
			hidden = append(hidden, s)
		case err == nil:
			c.targets = append(c.targets, s)
			return false
		case !errors.Is(err, errUnfit):
			c.refused = append(c.refused, err)
		}
		return true
	})
	if len(c.targets) == 0 {
		c.targets = f.takers(passed)
	}
	if len(c.targets) == 0 && len(hidden) > 0 {
		c.targets = hidden[:1]
	}
	return c
}

// takers are the exported functions whose arguments, or receivers, some functions make. So what
// takes no arguments itself, like New(), shows in the methods of what it returns. Those that
// return something come first.
func (f *finder) takers(makers []step) []step {
	var list, silent []step
	for _, m := range makers {
		if m.node.fn.Signature().Results().Len() == 0 {
			continue
		}
		for _, n := range f.graph.nodes {
			switch {
			case n.fn == nil || !n.own || n.test || !exported(n.fn) || f.judge(n) != nil || !slices.Contains(f.made[n], m.node):
			case n.fn.Signature().Results().Len() == 0:
				silent = append(silent, step{n, m.cost + named})
			default:
				list = append(list, step{n, m.cost})
			}
		}
	}
	return append(list, silent...)
}

// up visits a function and those above it, the nearest first, and of these in the order of
// the source. It goes on above those for which visit returns true.
func (g *graph) up(start *node, visit func(step) bool) {
	seen := make([]bool, len(g.nodes))
	queue := &steps{{start, 0}}
	for queue.Len() > 0 {
		s := heap.Pop(queue).(step)
		if seen[s.node.index] {
			continue
		}
		seen[s.node.index] = true
		if !visit(s) {
			continue
		}
		for i, cost := range s.node.from {
			if n := g.nodes[i]; !seen[i] && !n.test {
				heap.Push(queue, step{n, s.cost + cost})
			}
		}
	}
}

func compareSteps(a, b step) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.node.index, b.node.index))
}

// steps are a queue whose first is the nearest.
type steps []step

func (q steps) Len() int           { return len(q) }
func (q steps) Less(i, k int) bool { return compareSteps(q[i], q[k]) < 0 }
func (q steps) Swap(i, k int)      { q[i], q[k] = q[k], q[i] }
func (q *steps) Push(x any)        { *q = append(*q, x.(step)) }

func (q *steps) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// errUnfit is of functions for which nobody would expect a fuzz test.
var errUnfit = errors.New("a fuzz test can't call it")

// judge says why no fuzz test is derived for a function; nil: one is.
func (f *finder) judge(n *node) error {
	if err, ok := f.verdicts[n]; ok {
		return err
	}
	err := f.verdict(n)
	f.verdicts[n] = err
	return err
}

func (f *finder) verdict(n *node) error {
	if name := n.fn.Name(); n.fn.Signature().Recv() == nil && (name == "main" || f.graph.inits[n]) {
		return errUnfit
	}
	if by, e := f.graph.effectOf(n); e != "" {
		if by == n {
			return fmt.Errorf("%s %s", target.Function(n.fn), e)
		}
		return fmt.Errorf("%s calls %s, which %s", target.Function(n.fn), describe(by), e)
	}
	if what := f.graph.machineOf(n); f.texts && what != "" {
		return fmt.Errorf("%s returns what differs from machine to machine: it calls %s", target.Function(n.fn), what)
	}
	was := f.old[key(n.fn)]
	if was == nil {
		return errNew{target.Function(n.fn)}
	}
	if why := difference(was, n.fn); why != "" {
		return fmt.Errorf("%s can't be compared: %s", target.Function(n.fn), why)
	}
	made, err := f.arguments(n.fn, was)
	var bare *errOfNothing
	if f.made[n] = made; err == nil {
		err = f.write(n)
	} else if errors.As(err, &bare) {
		err = cmp.Or(f.write(n), err) // what else is in the way has nothing to do with the options
	}
	if err != nil || f.rather {
		if f.sequence[n] = f.sequenceWith(n.fn); f.sequence[n] != nil {
			return nil
		}
	}
	return err
}

// write says why the fuzz test of a function can't be written; nil: it can.
func (f *finder) write(n *node) error {
	r := f.graph.loaded
	opts := target.Options{Package: r.Packages[0].Types, OldGo: r.OldGo(), Flat: f.plain}
	for _, m := range f.made[n] {
		opts.Makers = append(opts.Makers, describeMaker(m))
	}
	if f.texts && takesEmpty(n.fn.Signature()) {
		opts.Texts, opts.Seeds = true, f.graph.seeds(n)
	}
	written, err := target.Write(n.fn, opts)
	if err == nil && f.plain && written.Library {
		return fmt.Errorf("no fuzz test can be derived for %s: %s, which is no text and no number, and no exported function makes it of such", target.Function(n.fn), written.Beyond)
	}
	return f.noteFault(n, err)
}

// noteFault notes an error that is not about the functions.
func (f *finder) noteFault(n *node, err error) error {
	var terr *target.Error
	if err != nil && !errors.As(err, &terr) && f.fault == nil {
		f.fault = fmt.Errorf("%s:%d: %w", filepath.Base(n.file), n.first, err)
	}
	return err
}

// takesEmpty says whether a function has a parameter of an empty interface.
func takesEmpty(s *types.Signature) bool {
	for p := range s.Params().Variables() {
		if i, ok := p.Type().Underlying().(*types.Interface); ok && i.Empty() {
			return true
		}
	}
	return false
}

// effectOf looks for what a function does to the outside, itself or through what it names.
func (g *graph) effectOf(n *node) (by *node, effect string) {
	g.runs(n, func(f, used *node) bool {
		if used.effect != "" {
			by, effect = f, used.effect
		}
		return effect == ""
	})
	return by, effect
}

// fromOutside says whether what a function returns may come from outside the process.
func (g *graph) fromOutside(n *node) (yes bool) {
	g.runs(n, func(_, used *node) bool {
		yes = used.outside
		return !yes
	})
	return yes
}

// machineOf is what a function asks that differs from machine to machine, itself or through what it
// names; "": nothing.
func (g *graph) machineOf(n *node) (what string) {
	g.runs(n, func(_, used *node) bool {
		what = used.machine
		return what == ""
	})
	return what
}

// runs visits a function and what it names, functions and variables that hold functions, with
// the function by which it is named, until visit returns false.
func (g *graph) runs(n *node, visit func(by, used *node) bool) {
	type use struct{ by, node *node } // the function, and it or a variable that it uses
	seen := map[*node]bool{n: true}
	for todo := []use{{n, n}}; len(todo) > 0; todo = todo[1:] {
		u := todo[0]
		if !visit(u.by, u.node) {
			return
		}
		for _, i := range slices.Sorted(maps.Keys(u.node.to)) {
			to := g.nodes[i]
			if u.node.to[i] != named || seen[to] || g.inits[to] || to.fn != nil && !u.node.late[i] {
				continue
			}
			seen[to] = true
			by := to
			if to.fn == nil {
				by = u.by
			}
			todo = append(todo, use{by, to})
		}
	}
}

// exported says whether a function, and what it is a method of, can be named elsewhere.
func exported(fn *types.Func) bool {
	name, _, method := strings.Cut(strings.TrimLeft(target.Function(fn), "(*"), ".")
	return fn.Exported() && (!method || ast.IsExported(strings.TrimSuffix(name, ")")))
}

// choose chooses the targets: the nearest one for each changed function first, then others
// as long as there are not too many.
func (f *finder) choose() []*node {
	var first, rest []step
	for _, c := range f.changed {
		if len(c.targets) > 0 {
			first = append(first, c.targets[0])
			rest = append(rest, c.targets[1:]...)
		}
	}
	slices.SortFunc(first, compareSteps)
	slices.SortFunc(rest, compareSteps)
	nearest, sequenced := make(map[*node]int), make(map[*load.Target]bool) // one fuzz test for all methods of a type
	var chosen []*node
	tests := 0
	for _, s := range slices.Concat(first, rest) {
		cost, ok := nearest[s.node]
		t := f.sequence[s.node]
		shared := t != nil && sequenced[t]
		if !ok && !shared && tests == f.most {
			continue
		}
		if !ok {
			chosen = append(chosen, s.node)
			cost = s.cost
			if !shared {
				tests++
			}
			sequenced[t] = true
		}
		nearest[s.node] = min(cost, s.cost)
	}
	slices.SortFunc(chosen, func(a, b *node) int { return compareSteps(step{a, nearest[a]}, step{b, nearest[b]}) })
	return chosen
}

// isNew says whether the function, and what is above it, is new.
func (c *change) isNew() bool {
	return len(c.targets) == 0 && len(c.refused) > 0 && !slices.ContainsFunc(c.refused, func(err error) bool {
		return !errors.As(err, new(errNew))
	})
}

// reason says why no fuzz test reaches a changed function.
func (c *change) reason(most int) string {
	switch {
	case len(c.targets) > 0:
		return fmt.Sprintf("fuzz tests are derived for %d functions of a package at most", most)
	case len(c.refused) > 0:
		return c.refused[0].Error()
	}
	return "nothing that a fuzz test can call is above it"
}

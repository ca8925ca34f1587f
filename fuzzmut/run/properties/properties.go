// Package properties proposes what may hold for the functions of a package, by the shape of
// its API: names and types. Each property is the source of a fuzz test that checks it; whether
// it holds, and what it is worth, others find out by running it.
package properties

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/callers"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/relations"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// A Kind is the sort of a property.
type Kind string

// Kinds, those first that say most about what a function is for.
const (
	RoundTrip   Kind = "round trip"
	Idempotence Kind = "idempotence"
	Order       Kind = "order"
	Algebra     Kind = "algebra"
	Agreement   Kind = "agreement"
	Repeated    Kind = "same result twice"
	Untouched   Kind = "input untouched"
	ZeroOnError Kind = "zero value with an error"
	Something   Kind = "value without an error"
	Bounds      Kind = "bounds"
	Relation    Kind = "relation" // inferred from calls
)

var kinds = []Kind{RoundTrip, Idempotence, Order, Algebra, Agreement, Repeated, Untouched, ZeroOnError, Something, Bounds, Relation}

// A Property is one claim about a package.
type Property struct {
	Kind      Kind
	Name      string   // of the fuzz test, which no other has
	Plain     string   // the name that all properties of the family have, and no other
	Sentence  string   // what holds, with a full stop
	Functions []string // that it is about: "Parse", "(*Version).String"
	// Guess says that the shape alone does not promise it: one that fails tells nothing.
	Guess bool
	// Telling says that a failure is of interest even where a weaker property holds.
	Telling bool
	// Inputs are the types of the fuzz test's inputs, and Seeds inputs that tests use.
	Inputs, Seeds []string

	draft *target.Draft
	body  []string
	// Of a relation: what it was inferred from, and what it checks.
	probe     *Probe
	relations []relations.Relation
}

// Source is the fuzz test with these inputs, as lists of arguments.
func (p *Property) Source(name string, seeds []string) (target.Part, error) {
	return p.draft.Write(name, name+" checks this: "+p.Sentence+"\n", p.body, seeds)
}

// A Family has properties that exclude each other, the strongest first: each follows from those
// before it, and is to be taken only if these do not hold.
type Family []*Property

// Find proposes properties for the exported functions of a package: those that have values of
// their arguments, and can be called with any. No two have the same name.
func Find(r *load.Result) []Family {
	a := newAPI(r)
	var all []Family
	for _, rule := range rules {
		all = append(all, rule(a)...)
	}
	slices.SortStableFunc(all, func(x, y Family) int {
		return cmp.Compare(slices.Index(kinds, x[0].Kind), slices.Index(kinds, y[0].Kind))
	})
	Rename(r, all)
	return all
}

// Rename gives the fuzz tests of properties names that no other has.
func Rename(r *load.Result, all []Family) {
	taken := make(map[string]bool)
	for _, t := range r.Tests {
		for _, name := range t.Types.Scope().Names() {
			taken[name] = true
		}
	}
	used := func(name string) bool { return taken[name] || r.Packages[0].Types.Scope().Lookup(name) != nil }
	for _, family := range all {
		plain := free(family[0].Name, used)
		taken[plain] = true
		for i, p := range family {
			if p.Name, p.Plain = plain, plain; i > 0 {
				p.Name = free(plain, used)
				taken[p.Name] = true
			}
		}
	}
}

// free returns a name that is not taken.
func free(name string, taken func(string) bool) string {
	for try, i := name, 2; ; i++ {
		if !taken(try) {
			return try
		}
		try = name + "_" + strconv.Itoa(i)
	}
}

// A rule proposes properties of one shape.
type rule func(*api) []Family

var rules = []rule{textRoundTrips, codecs, textLists, anyCodecs, methodCodecs, parserMethods, idempotent, ordered, algebraic, validity, twins, texts, settings, wrappers, streamed, musts, passing, appends, getters, sized, repeated, untouched, zeroOnError, somethings, monotone, bounded, asked, states}

// api is what rules look at.
type api struct {
	pkg     *types.Package
	surface *callers.Surface
	funcs   []*types.Func            // exported functions, by name
	types   []*types.Named           // exported types
	methods map[string][]*types.Func // exported methods of these, also of pointers, by name of the type
	changes func(*types.Func) bool   // whether a method may change what it is called on
}

func newAPI(r *load.Result) *api {
	a := &api{pkg: r.Packages[0].Types, surface: callers.NewSurface(r), changes: r.Changes(), methods: make(map[string][]*types.Func)}
	scope := a.pkg.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Func:
			if obj.Exported() && obj.Signature().TypeParams().Len() == 0 && a.surface.Harmless(obj) && !connects(obj) {
				a.funcs = append(a.funcs, obj)
			}
		case *types.TypeName:
			n, ok := obj.Type().(*types.Named)
			if !ok || !obj.Exported() || obj.IsAlias() || n.TypeParams().Len() > 0 || types.IsInterface(n) {
				continue
			}
			a.types = append(a.types, n)
			for m := range n.Methods() {
				if m.Exported() && a.surface.Harmless(m) && !connects(m) {
					a.methods[name] = append(a.methods[name], m)
				}
			}
			slices.SortFunc(a.methods[name], func(x, y *types.Func) int { return strings.Compare(x.Name(), y.Name()) })
		}
	}
	return a
}

// connects says whether the name of a function says that it talks to others, by what another module may do.
func connects(fn *types.Func) bool {
	_, is := afterVerb(fn.Name(), "Dial", "Listen", "Connect", "Serve")
	return is
}

// method returns a method of a type; nil: there is none.
func (a *api) method(n *types.Named, name string) *types.Func {
	for _, m := range a.methods[n.Obj().Name()] {
		if m.Name() == name {
			return m
		}
	}
	return nil
}

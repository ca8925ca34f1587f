package sequence

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"iter"
	"slices"
)

// addCalls adds what a step may do: functions that make values, the methods of these, their
// fields, and variables of the package that are switches.
func (s *Sequence) addCalls(c Config) {
	for _, name := range s.pkg.Scope().Names() {
		fn, ok := s.pkg.Scope().Lookup(name).(*types.Func)
		if ok && fn.Exported() && c.Harmless(fn) {
			s.addFunction(fn, c)
		}
		if v, ok := s.pkg.Scope().Lookup(name).(*types.Var); ok && v.Exported() && types.Identical(v.Type(), types.Typ[types.Bool]) {
			s.calls = append(s.calls, &call{function: name, setting: true, receiver: -1, params: []param{{form: boolParam}}})
		}
	}
	for _, fn := range c.Functions {
		s.addOther(fn, c)
	}
	for i, k := range s.kinds {
		s.addZero(i)
		s.addLiterals(i)
		s.addMethods(i, types.NewMethodSet(k.stored()), c)
		s.addFields(i)
	}
	s.addState(c.State)
	slices.SortStableFunc(s.calls, func(a, b *call) int { return cmp.Compare(a.rank, b.rank) })
	s.calls = few(s.calls)
}

// few leaves out the last of too many calls, but nothing that makes a value.
func few(calls []*call) (list []*call) {
	others := callsMost
	for _, c := range calls {
		if c.makes() {
			others--
		}
	}
	for _, c := range calls {
		if !c.makes() {
			if others--; others < 0 {
				continue
			}
		}
		list = append(list, c)
	}
	return list[:min(len(list), callsMost)]
}

// Ranks of calls: makers come first, since the plainest input is the first call. Fields that lead to a value come
// before those that only show something.
const (
	makerRank   = -1
	leadingRank = lastRank - 1
	lastRank    = 1 << 20
)

// addFunction adds a function that makes a value to keep.
func (s *Sequence) addFunction(fn *types.Func, c Config) {
	sig, targs := Instance(fn.Signature())
	if sig == nil {
		return
	}
	n := &call{function: fn.Name() + targs, fn: fn, receiver: -1, rank: makerRank}
	if s.signature(n, sig) && n.makes() && !n.takesKept() {
		s.calls = append(s.calls, n)
	} else if s.signature(n, sig) && n.takesKept() {
		n.rank = c.Rank(fn)
		s.calls = append(s.calls, n)
	}
}

// addOther adds a function that neither takes nor makes a value to keep, if a test can compare
// something of it.
func (s *Sequence) addOther(fn *types.Func, c Config) {
	sig, targs := Instance(fn.Signature())
	if sig == nil {
		return
	}
	n := &call{function: fn.Name() + targs, fn: fn, receiver: -1, rank: c.Rank(fn)}
	if s.signature(n, sig) && (n.shows() || c.Sets != nil && c.Sets(fn)) && !n.makes() && !n.takesKept() {
		s.calls = append(s.calls, n)
	}
}

// takesKept says whether a call needs what others make.
func (c *call) takesKept() bool {
	return slices.ContainsFunc(c.params, func(p param) bool { return p.form == keptParam })
}

// shows says whether a test can compare something of a call.
func (c *call) shows() bool {
	return c.any() > 0 || c.records() || slices.ContainsFunc(c.results, result.compared) ||
		slices.ContainsFunc(c.params, func(p param) bool { return p.form == writerParam })
}

// addZero adds the zero value, of a struct that no function makes.
func (s *Sequence) addZero(i int) {
	if _, ok := s.kinds[i].named.Underlying().(*types.Struct); !ok {
		return
	}
	for _, c := range s.calls {
		if c.makes() && slices.ContainsFunc(c.results, func(r result) bool { return r.form == kept && r.kind == i }) {
			return
		}
	}
	s.calls = append(s.calls, &call{receiver: -1, rank: makerRank, results: []result{{form: kept, kind: i, pointer: true}}})
}

// addLiterals adds the literals of a struct that tests have, and what they give for an interface.
func (s *Sequence) addLiterals(i int) {
	named := s.kinds[i].named
	if list := s.tested(named); len(list) > 0 {
		s.calls = append(s.calls, &call{
			receiver: -1, rank: makerRank, params: []param{{form: choiceParam, choices: list, typ: s.source(named)}},
			results: []result{{form: kept, kind: i, pointer: s.kinds[i].iface}},
		})
	}
}

// tested is source of what tests have for values of a type.
func (s *Sequence) tested(t types.Type) []string {
	if s.given == nil || !s.nameable(t) {
		return nil
	}
	return s.given(t)
}

// addMethods adds the exported methods of a kind that the package declares.
func (s *Sequence) addMethods(i int, set *types.MethodSet, c Config) {
	for sel := range set.Methods() {
		fn := sel.Obj().(*types.Func)
		if !fn.Exported() || fn.Pkg() == nil || fn.Pkg().Path() != s.pkg.Path() || !c.Harmless(fn.Origin()) {
			continue
		}
		n := &call{function: fn.Name(), fn: fn.Origin(), receiver: i, rank: c.Rank(fn.Origin())}
		if why := s.unfit(n, fn.Signature()); why != "" {
			s.Left = append(s.Left, Left{Method: n.fn, Reason: why, kind: i})
		} else {
			s.calls = append(s.calls, n)
		}
	}
}

// addFields adds the exported fields of a kind with values that a test can compare.
func (s *Sequence) addFields(i int) {
	t, ok := s.kinds[i].named.Underlying().(*types.Struct)
	if !ok {
		return
	}
	s.addSettings(i, t, "")
	for f := range t.Fields() {
		r := s.resultOf(f.Type())
		switch {
		case !f.Exported() || f.Embedded():
		case r.form == kept:
			s.calls = append(s.calls, &call{function: f.Name(), field: true, receiver: i, results: []result{r}, rank: leadingRank})
		case r.compared() && r.form != isNil:
			s.calls = append(s.calls, &call{function: f.Name(), field: true, receiver: i, results: []result{r}, rank: lastRank})
		}
	}
}

// addSettings adds what sets the exported fields of a kind that are switches, those of structs
// of the package in it, and these structs to what tests have for them.
func (s *Sequence) addSettings(i int, t *types.Struct, path string) {
	for f := range t.Fields() {
		if !f.Exported() || f.Embedded() {
			continue
		}
		if types.Identical(f.Type(), types.Typ[types.Bool]) {
			s.calls = append(s.calls, &call{function: path + f.Name(), setting: true, receiver: i, params: []param{{form: boolParam}}})
		}
		if inner, ok := f.Type().Underlying().(*types.Struct); ok && path == "" && s.nameable(f.Type()) {
			s.addSettings(i, inner, f.Name()+".")
			if list := s.tested(f.Type()); len(list) > 0 {
				s.calls = append(s.calls, &call{function: f.Name(), setting: true, receiver: i, params: []param{{form: choiceParam, choices: list, typ: s.source(f.Type())}}})
			}
		}
	}
}

// signature takes in the parameters and the results of a call; false: nothing stands for an
// argument.
func (s *Sequence) signature(n *call, sig *types.Signature) bool { return s.unfit(n, sig) == "" }

// unfit is signature, and says why nothing stands for the arguments; "": something does.
func (s *Sequence) unfit(n *call, sig *types.Signature) string {
	n.params, n.results = nil, nil
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		p := s.paramOf(t, sig.Params().At(i).Name())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			p, t = s.spread(t), t.Underlying().(*types.Slice).Elem()
			if p = s.asTested(p, n.fn, i, t); p.form == noParam {
				continue // options
			}
		}
		p = s.asTested(p, n.fn, i, t)
		switch v := sig.Params().At(i); {
		case p.form == noParam:
			what := "an argument"
			if v.Name() != "" && v.Name() != "_" {
				what = "its argument " + v.Name()
			}
			return what + " is of " + s.typeName(v.Type()) + ", which calls in turn do not make"
		case len(n.params) == paramsMost:
			return fmt.Sprintf("it has more than %d arguments, and calls in turn have no more", paramsMost)
		}
		n.params = append(n.params, p)
	}
	for v := range sig.Results().Variables() {
		n.results = append(n.results, s.resultOf(v.Type()))
	}
	return ""
}

// typeName is a type for people: those of the package have no path.
func (s *Sequence) typeName(t types.Type) string { return types.TypeString(t, types.RelativeTo(s.pkg)) }

// spread is what stands for the arguments of a list of them: texts and numbers, or one value.
// Functions are options, which change nothing here.
func (s *Sequence) spread(t types.Type) param {
	list, ok := t.Underlying().(*types.Slice)
	if !ok {
		return param{}
	}
	if p := s.listOf(t, list.Elem()); p.form != noParam {
		p.spread = true
		return p
	}
	if _, function := list.Elem().Underlying().(*types.Signature); function {
		return param{}
	}
	return s.paramOf(list.Elem(), "")
}

// instances are types that type parameters may stand for, the first that does.
var instances = []types.Type{types.Typ[types.Int], types.Typ[types.String]}

// Instance is a signature with types for its type parameters, and these as source; nil: none
// of few fits.
func Instance(sig *types.Signature) (*types.Signature, string) {
	if sig.TypeParams().Len() == 0 {
		return sig, ""
	}
	t, targs := instance(sig, sig.TypeParams().Len())
	if t == nil {
		return nil, ""
	}
	return t.(*types.Signature), targs
}

// InstanceOf is a named type with types for its type parameters; nil: none of few fits.
func InstanceOf(n *types.Named) *types.Named {
	if n.TypeParams().Len() == 0 {
		return n
	}
	t, _ := instance(n, n.TypeParams().Len())
	named, _ := t.(*types.Named)
	return named
}

func instance(generic types.Type, params int) (types.Type, string) {
	for _, t := range instances {
		targs, text := make([]types.Type, params), ""
		for i := range targs {
			targs[i] = t
			if text += t.String(); i < params-1 {
				text += ", "
			}
		}
		if inst, err := types.Instantiate(nil, generic, targs, true); err == nil {
			return inst, "[" + text + "]"
		}
	}
	return nil, ""
}

// Values lists the types of a package whose values a sequence may keep: exported ones with
// exported methods, generic ones with types for their parameters, and interfaces that functions
// return.
func Values(pkg *types.Package) (list []*types.Named) {
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || !ast.IsExported(name) || types.IsInterface(tn.Type()) && !returned(pkg, tn.Type()) {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok {
			continue
		}
		if _, plain := n.Underlying().(*types.Basic); plain {
			continue // a literal is given, and compared
		}
		if n = InstanceOf(n); n != nil && hasMethods(n) {
			list = append(list, n)
		}
	}
	return list
}

// Carriers lists the structs without methods, or of others of some packages, that exported functions of a package
// return, and whose fields lead to values that a sequence may keep: a parser may return a file, and that has a body.
func Carriers(pkg *types.Package, others []*types.Package, values []*types.Named) (list []*types.Named) {
	fns := slices.Collect(Functions(pkg))
	for _, t := range values {
		fns = slices.AppendSeq(fns, Methods(t))
	}
	for _, fn := range fns {
		for v := range fn.Signature().Results().Variables() {
			t := types.Unalias(v.Type())
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			n, ok := t.(*types.Named)
			if !ok || n.TypeArgs().Len() > 0 || !n.Obj().Exported() || slices.Contains(values, n) || slices.Contains(list, n) {
				continue
			}
			known := n.Obj().Pkg() == pkg || slices.ContainsFunc(others, func(o *types.Package) bool { return o.Path() == n.Obj().Pkg().Path() })
			if known && slices.ContainsFunc(values, func(to *types.Named) bool { return Carries(n, to) }) {
				list = append(list, n)
			}
		}
	}
	return list
}

// Functions are the exported functions of a package.
func Functions(pkg *types.Package) iter.Seq[*types.Func] {
	return func(yield func(*types.Func) bool) {
		for _, name := range pkg.Scope().Names() {
			if fn, ok := pkg.Scope().Lookup(name).(*types.Func); ok && fn.Exported() && !yield(fn) {
				return
			}
		}
	}
}

// Carries says whether a field of a struct leads to a value of a type.
func Carries(n, to *types.Named) bool {
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		t := f.Type()
		if list, ok := t.Underlying().(*types.Slice); ok {
			t = list.Elem()
		}
		if f.Exported() && !f.Embedded() && Leads(t, to) {
			return true
		}
	}
	return false
}

// Leads says whether values of a type are of another, point to it, or may be in an interface.
func Leads(t types.Type, to *types.Named) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if i, ok := t.Underlying().(*types.Interface); ok && !i.Empty() {
		return types.Implements(types.NewPointer(to), i) || types.Implements(to, i)
	}
	return types.Identical(types.Unalias(t), to)
}

func hasMethods(n *types.Named) bool {
	for range Methods(n) {
		return true
	}
	return false
}

// Methods are the exported methods of values that are kept of a type.
func Methods(n *types.Named) iter.Seq[*types.Func] {
	set := types.NewMethodSet((&kind{named: n, iface: types.IsInterface(n)}).stored())
	return func(yield func(*types.Func) bool) {
		for sel := range set.Methods() {
			if fn := sel.Obj().(*types.Func); fn.Exported() && !yield(fn) {
				return
			}
		}
	}
}

// returned says whether an exported function of a package returns values of a type, with any type arguments.
func returned(pkg *types.Package, t types.Type) bool {
	is, _ := t.(*types.Named)
	for fn := range Functions(pkg) {
		for v := range fn.Signature().Results().Variables() {
			if r, ok := types.Unalias(v.Type()).(*types.Named); ok && is != nil && r.Origin() == is.Origin() {
				return true
			}
		}
	}
	return false
}

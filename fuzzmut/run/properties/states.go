package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// states: laws of values that calls in turn have made.
func states(a *api) (all []Family) {
	for _, b := range a.builts() {
		for _, law := range []func(*built) []Family{cloned, counted, stored, wholes, peeked, inPlace, codedStates} {
			all = append(all, law(b)...)
		}
	}
	return slices.DeleteFunc(all, func(f Family) bool { return len(f) == 0 })
}

// family makes a property by comparing all that calls show, and one that leaves out what may come in
// any order.
func (b *built) family(lists []string, others []*types.Var, write func(*scene) *Property) (family Family) {
	for _, plain := range []bool{false, true} {
		sc := b.scene(lists, others, plain)
		if sc == nil {
			return nil
		}
		if p := write(sc); p != nil {
			family = append(family, p)
		}
	}
	if len(family) == 2 && slices.Equal(family[0].body, family[1].body) {
		family = family[:1]
	}
	return family
}

// single is a law that compares nothing but what it names.
func (b *built) single(lists []string, others []*types.Var, write func(*scene) *Property) []Family {
	sc := b.scene(lists, others, false)
	if sc == nil {
		return nil
	}
	if p := write(sc); p != nil {
		return []Family{{p}}
	}
	return nil
}

// find is a method of the type by its name, with types for type parameters; nil: there is none that can
// be called.
func (b *built) find(name string) *types.Func {
	set := types.NewMethodSet(types.NewPointer(b.named))
	sel := set.Lookup(b.api.pkg, name)
	if sel == nil {
		return nil
	}
	fn := sel.Obj().(*types.Func)
	if !fn.Exported() || fn.Pkg() != b.api.pkg || !b.api.surface.Closed(fn.Origin()) {
		return nil
	}
	return fn
}

// first is the first method of a list of names that fits.
func (b *built) first(fits func(*types.Func) bool, names ...string) *types.Func {
	for _, name := range names {
		if fn := b.find(name); fn != nil && fits(fn) {
			return fn
		}
	}
	return nil
}

// same compares what the same calls show of two values.
func (sc *scene) same(one, other, then, message string) {
	got, want := sc.Local("got"), sc.Local("want")
	sc.linef("%s, %s := %s(%s, %s), %[3]s(%[6]s, %[5]s)", got, want, sc.run, one, then, other)
	sc.reports(fmt.Sprintf("!%s.DeepEqual(%s, %s)", sc.Use("reflect"), got, want), message+": %v, want %v", got, want)
}

// name is the name of the type.
func (b *built) name() string { return b.named.Obj().Name() }

func noParams(fn *types.Func) bool { return fn.Signature().Params().Len() == 0 }

// cloned: a copy does what the original does, and has nothing in common with it.
func cloned(b *built) []Family {
	clone := b.first(func(fn *types.Func) bool {
		res := fn.Signature().Results()
		return noParams(fn) && res.Len() == 1 && b.is(res.At(0).Type())
	}, "Clone", "Copy", "DeepCopy", "Dup", "Duplicate")
	if clone == nil {
		return nil
	}
	equal := b.family([]string{"steps", "then"}, nil, func(sc *scene) *Property {
		v, copied := sc.Local("v"), sc.Local("copied")
		sc.linef("%s := %s(%s)", v, sc.build, sc.Args[0].Expr)
		sc.linef("%s := %s.%s()", copied, v, clone.Name())
		sc.same(b.address(clone, copied), v, sc.Args[1].Expr, "calls on what "+short(clone)+" returns")
		return sc.property(Agreement, camel(clone)+"Equal", short(clone)+" returns a value that does what the original does.", false, clone)
	})
	apart := b.family([]string{"steps", "then"}, nil, func(sc *scene) *Property {
		v, copied, was := sc.Local("v"), sc.Local("copied"), sc.Local("was")
		sc.linef("%s := %s(%s)", v, sc.build, sc.Args[0].Expr)
		sc.linef("%s := %s(%s, nil)", was, sc.run, v)
		sc.linef("%s := %s.%s()", copied, v, clone.Name())
		sc.linef("%s(%s, %s)", sc.run, b.address(clone, copied), sc.Args[1].Expr)
		now := sc.Local("now")
		sc.linef("%s := %s(%s, nil)", now, sc.run, v)
		sc.reports(fmt.Sprintf("!%s.DeepEqual(%s, %s)", sc.Use("reflect"), now, was), "calls on what "+short(clone)+" returns change the original: %v, was %v", now, was)
		return sc.property(Untouched, camel(clone)+"Apart", "What is done to the result of "+short(clone)+" does not change the original.", false, clone)
	})
	return []Family{equal, apart}
}

// address is a result of the type as a pointer to it.
func (b *built) address(fn *types.Func, name string) string {
	if _, pointer := types.Unalias(fn.Signature().Results().At(0).Type()).(*types.Pointer); pointer {
		return name
	}
	return "&" + name
}

var (
	counts = []string{"Count", "Size", "Cardinality", "GetCardinality", "Len", "Length"}
	lists  = []string{"Values", "Keys", "Items", "Elements", "Slice", "ToSlice", "ToArray", "AsSlice", "Entries", "List", "All", "Members", "Each", "ForEach", "EachKey", "Range", "Do", "Iterate", "Walk"}
)

// count is the method that says how many elements there are; nil: there is none.
func (b *built) count() *types.Func {
	return b.first(func(fn *types.Func) bool {
		res := fn.Signature().Results()
		if !noParams(fn) || res.Len() != 1 {
			return false
		}
		t, ok := res.At(0).Type().(*types.Basic)
		return ok && t.Info()&types.IsInteger != 0
	}, counts...)
}

// counted: Len is the number of elements, Empty says whether there are none.
func counted(b *built) (all []Family) {
	count := b.count()
	if count == nil {
		return nil
	}
	if empty := b.first(func(fn *types.Func) bool {
		res := fn.Signature().Results()
		return noParams(fn) && res.Len() == 1 && isBool(res.At(0).Type())
	}, "Empty", "IsEmpty"); empty != nil {
		all = append(all, b.single([]string{"steps"}, nil, func(sc *scene) *Property {
			v := sc.Local("v")
			sc.linef("%s := %s(%s)", v, sc.build, sc.Args[0].Expr)
			sc.reports(fmt.Sprintf("%[1]s.%[2]s() != (%[1]s.%[3]s() == 0)", v, empty.Name(), count.Name()), empty.Name()+" is %t, "+count.Name()+" %d", v+"."+empty.Name()+"()", v+"."+count.Name()+"()")
			return sc.property(Agreement, camel(empty)+"AgreesWith"+count.Name(), short(empty)+" says whether "+count.Name()+" is 0.", false, empty, count)
		})...)
	}
	for _, name := range lists {
		list := b.find(name)
		if list == nil || b.api.changes(list.Origin()) {
			continue
		}
		all = append(all, b.single([]string{"steps"}, nil, func(sc *scene) *Property {
			v, n := sc.Local("v"), sc.Local("n")
			sc.linef("%s, %s := %s(%s), 0", v, n, sc.build, sc.Args[0].Expr)
			if !sc.counting(list, v, n) {
				return nil
			}
			sc.reports(fmt.Sprintf("int(%s.%s()) != %s", v, count.Name(), n), count.Name()+" is %d, and "+list.Name()+" has %d elements", v+"."+count.Name()+"()", n)
			return sc.property(Agreement, camel(count)+"AgreesWith"+list.Name(), short(count)+" is the number of elements of "+list.Name()+".", false, count, list)
		})...)
	}
	return all
}

// counting counts the elements that a method lists; false: it lists none.
func (sc *scene) counting(list *types.Func, v, n string) bool {
	sig := sc.b.signature(list)
	if each(sig, sc.b) {
		f := sig.Params().At(0).Type().Underlying().(*types.Signature)
		var params []string
		for p := range f.Params().Variables() {
			params = append(params, "_ "+sc.TypeName(p.Type()))
		}
		result, returns := "", ""
		if f.Results().Len() == 1 {
			result, returns = "bool ", "\nreturn true"
		}
		sc.linef("%s.%s(func(%s) %s{\n%s++%s\n})", v, list.Name(), strings.Join(params, ", "), result, n, returns)
		return true
	}
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 {
		return false
	}
	switch t := sig.Results().At(0).Type(); t.Underlying().(type) {
	case *types.Slice, *types.Map:
		sc.linef("%s = len(%s.%s())", n, v, list.Name())
		return true
	case *types.Signature:
		if iterated(t) != nil {
			sc.linef("for range %s.%s() {\n%s++\n}", v, list.Name(), n)
			return true
		}
	}
	return false
}

// signature is that of a method, with types for type parameters.
func (b *built) signature(fn *types.Func) *types.Signature {
	return types.NewMethodSet(types.NewPointer(b.named)).Lookup(b.api.pkg, fn.Name()).Type().(*types.Signature)
}

var (
	puts    = []string{"Put", "Set", "Add", "Insert", "Store", "ReplaceOrInsert", "Append", "Push", "PushBack", "Enqueue"}
	asks    = []string{"Has", "Contains", "Exists", "ContainsKey", "HasKey", "In", "Test", "Includes", "Search", "Get", "Load", "Lookup", "Find", "Peek"}
	removes = []string{"Remove", "Delete", "Del", "Unset", "Discard"}
)

// index says whether a method is asked for the element at a place, and not for one by its key.
func index(ask *types.Func) bool {
	return types.Identical(ask.Origin().Signature().Params().At(0).Type(), types.Typ[types.Int]) && !isBool(ask.Signature().Results().At(0).Type())
}

// keyed says whether the first parameter of a method is a basic value, or anything.
func (b *built) keyed(fn *types.Func) bool {
	sig := b.signature(fn)
	n := sig.Params().Len()
	if n == 0 || n > 2 {
		return false
	}
	for i := range n {
		if sig.Variadic() && i == n-1 && n > 1 || !isKey(param0(sig, i)) {
			return false
		}
	}
	return true
}

// param0 is the type of a parameter, or of one of those that there may be any number of.
func param0(sig *types.Signature, i int) types.Type {
	t := sig.Params().At(i).Type()
	if sig.Variadic() && i == sig.Params().Len()-1 {
		return t.Underlying().(*types.Slice).Elem()
	}
	return t
}

func isKey(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsInteger) != 0 && u.Kind() != types.Uintptr
	case *types.Interface:
		return u.Empty()
	}
	return false
}

// given is a parameter of the fuzz test for a key or a value.
func given(name string, t types.Type) *types.Var {
	if u, ok := t.Underlying().(*types.Interface); ok && u.Empty() {
		t = types.Typ[types.Int]
	}
	return param(name, t)
}

// stored: what was put is there, and what was removed is not; the number of elements goes with it.
func stored(b *built) (all []Family) {
	for _, name := range asks {
		ask := b.find(name)
		if ask == nil || !b.keyed(ask) || b.signature(ask).Params().Len() != 1 || index(ask) {
			continue
		}
		key := param0(b.signature(ask), 0)
		fits := func(fn *types.Func) bool {
			return b.keyed(fn) && types.Identical(param0(b.signature(fn), 0), key)
		}
		put, remove := b.first(fits, puts...), b.first(func(fn *types.Func) bool { return fits(fn) && b.signature(fn).Params().Len() == 1 }, removes...)
		there, value := b.there(ask)
		if there == "" {
			continue
		}
		if put != nil {
			all = append(all, b.putThere(put, ask, there, value)...)
		}
		if remove != nil {
			all = append(all, b.single([]string{"steps"}, []*types.Var{given("key", key)}, func(sc *scene) *Property {
				v := sc.Local("v")
				sc.linef("%s := %s(%s)", v, sc.build, sc.Args[0].Expr)
				sc.linef("%s.%s(%s)", v, remove.Name(), sc.given[0])
				sc.linef("if got, ok := %s; ok {\nt.Errorf(%q, %s, got)\n}", fmt.Sprintf(there, v, sc.given[0]), short(ask)+" of %v after "+remove.Name()+": %v", sc.given[0])
				return sc.property(Agreement, camel(remove)+"Forgets"+ask.Name(), short(ask)+" does not find what "+remove.Name()+" has removed.", true, remove, ask)
			})...)
		}
	}
	return all
}

// there is source of two values, from the value and a key: what was found, and whether; "": the
// method does not say. value says that the first is what was put.
func (b *built) there(ask *types.Func) (source string, value bool) {
	res := b.signature(ask).Results()
	call := "%s." + ask.Name() + "(%s)"
	switch {
	case res.Len() == 1 && isBool(res.At(0).Type()):
		return "func() (bool, bool) { ok := " + call + "; return ok, ok }()", false
	case res.Len() == 2 && isBool(res.At(1).Type()):
		return call, true
	case res.Len() == 2 && isError(res.At(1).Type()):
		return "func() (interface{}, bool) { v, err := " + call + "; return v, err == nil }()", true
	}
	return "", false
}

// putThere: what was put is found, and Len is one more if it was not there.
func (b *built) putThere(put, ask *types.Func, there string, value bool) []Family {
	sig := b.signature(put)
	others := []*types.Var{given("key", param0(sig, 0))}
	if sig.Params().Len() == 2 {
		others = append(others, given("value", param0(sig, 1)))
	}
	res := b.signature(ask).Results()
	compares := value && len(others) == 2 && types.Identical(res.At(0).Type(), param0(sig, 1))
	return b.single([]string{"steps"}, others, func(sc *scene) *Property {
		v := sc.Local("v")
		sc.linef("%s := %s(%s)", v, sc.build, sc.Args[0].Expr)
		sc.linef("%s.%s(%s)", v, put.Name(), strings.Join(sc.given, ", "))
		cond, sentence := "!ok", short(ask)+" finds what "+put.Name()+" has put there."
		if compares {
			cond, sentence = "!ok || got != "+sc.given[1], short(ask)+" returns what "+put.Name()+" has put there."
		}
		sc.linef("if got, ok := %s; %s {\nt.Errorf(%q, %s, got, ok)\n}", fmt.Sprintf(there, v, sc.given[0]), cond, short(ask)+" of %v after "+put.Name()+": %v, %t", sc.given[0])
		return sc.property(Agreement, camel(put)+"Puts"+ask.Name(), sentence, true, put, ask)
	})
}

func fails(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && isError(sig.Results().At(n-1).Type())
}

// wholes: what reads all returns what reading one after the other does.
func wholes(b *built) (all []Family) {
	for _, st := range b.steps {
		rest, ok := afterVerb(st.fn.Name(), "All", "ReadAll")
		if !ok || st.sig.Params().Len() > 0 || st.sig.Results().Len() != 2 || !fails(st.sig) {
			continue
		}
		list, ok := st.sig.Results().At(0).Type().Underlying().(*types.Slice)
		if !ok {
			continue
		}
		one := b.first(func(fn *types.Func) bool {
			sig := b.signature(fn)
			return sig.Params().Len() == 0 && sig.Results().Len() == 2 && fails(sig) && types.Identical(sig.Results().At(0).Type(), list.Elem())
		}, strings.TrimSuffix(rest, "s"), strings.TrimSuffix(rest, "ies")+"y", strings.TrimSuffix(rest, "es"), "Read", "Next")
		if one == nil {
			continue
		}
		all = append(all, b.single([]string{"steps"}, nil, func(sc *scene) *Property {
			v, other, got, want := sc.Local("v"), sc.Local("other"), sc.Local("got"), sc.Local("want")
			sc.linef("%s, %s := %s(%s), %[3]s(%[4]s)", v, other, sc.build, sc.Args[0].Expr)
			sc.linef("%s, err := %s.%s()\nif err != nil {\nreturn\n}", got, v, st.fn.Name())
			sc.linef("var %s %s\nfor {\nnext, err := %s.%s()\nif err != nil {\nbreak\n}\n%[1]s = append(%[1]s, next)\n}", want, sc.TypeName(st.sig.Results().At(0).Type()), other, one.Name())
			sc.reports(fmt.Sprintf("len(%[1]s) != len(%[2]s) || len(%[1]s) > 0 && !%[3]s.DeepEqual(%[1]s, %[2]s)", got, want, sc.Use("reflect")), short(st.fn)+" = %v; one after the other by "+one.Name()+": %v", got, want)
			return sc.property(Agreement, camel(st.fn)+"AgreesWith"+one.Name(), short(st.fn)+" returns what "+one.Name()+" returns, one after the other.", false, st.fn, one)
		})...)
	}
	return all
}

// peekings are methods that show what others take away.
var peekings = [][2]string{
	{"Peek", "Pop"},
	{"Peek", "Dequeue"},
	{"Peek", "Next"},
	{"Front", "PopFront"},
	{"Back", "PopBack"},
	{"Top", "Pop"},
	{"First", "PopFirst"},
	{"Last", "PopLast"},
	{"Min", "DeleteMin"},
	{"Max", "DeleteMax"},
	{"Min", "PopMin"},
	{"Max", "PopMax"},
	{"Front", "PopHead"},
	{"Peek", "Get"},
	{"Front", "Dequeue"},
	{"PeekFront", "PopFront"},
	{"PeekBack", "PopBack"},
	{"GetOldest", "RemoveOldest"},
}

// peeked: what is taken away is what was to be seen before.
func peeked(b *built) (all []Family) {
	for _, pair := range peekings {
		see, take := b.find(pair[0]), b.find(pair[1])
		if see == nil || take == nil || !noParams(see) || !noParams(take) || b.signature(see).Results().Len() == 0 || b.signature(see).Results().Len() != b.signature(take).Results().Len() {
			continue
		}
		all = append(all, b.single([]string{"steps"}, nil, func(sc *scene) *Property {
			v := sc.Local("v")
			sc.linef("%s := %s(%s)", v, sc.build, sc.Args[0].Expr)
			var got, want, conds []string
			res, other := b.signature(see).Results(), b.signature(take).Results()
			for i := range res.Len() {
				t := res.At(i).Type()
				w, g := sc.Local("want"), sc.Local("got")
				got, want = append(got, g), append(want, w)
				switch {
				case !types.Identical(t, other.At(i).Type()):
					return nil
				case isError(t):
					conds = append(conds, fmt.Sprintf("(%s == nil) != (%s == nil)", g, w))
				case b.compared(t):
					conds = append(conds, fmt.Sprintf("!%s.DeepEqual(%s, %s)", sc.Use("reflect"), g, w))
				default:
					return nil
				}
			}
			sc.linef("%s := %s.%s()", strings.Join(want, ", "), v, see.Name())
			sc.linef("%s := %s.%s()", strings.Join(got, ", "), v, take.Name())
			sc.reports(strings.Join(conds, " || "), short(take)+" = "+strings.Repeat("%v ", len(got))+"after "+see.Name()+" = "+strings.TrimSuffix(strings.Repeat("%v ", len(want)), " "), append(got, want...)...)
			return sc.property(Agreement, camel(take)+"AgreesWith"+see.Name(), short(take)+" returns what "+see.Name()+" has shown.", false, take, see)
		})...)
	}
	return all
}

// withOther says whether the only argument of a method is a second value of the type.
func (b *built) withOther(fn *types.Func) bool {
	sig := b.signature(fn)
	return sig.Params().Len() == 1 && !sig.Variadic() && b.is(sig.Params().At(0).Type())
}

// argument of the type, from a pointer to it.
func (b *built) passed(t types.Type, pointer string) string {
	if _, is := types.Unalias(t).(*types.Pointer); is {
		return pointer
	}
	return "*" + pointer
}

// inPlace: a method that changes its receiver makes of it what another returns.
func inPlace(b *built) (all []Family) {
	for sel := range types.NewMethodSet(types.NewPointer(b.named)).Methods() {
		name := sel.Obj().Name()
		rest := strings.TrimPrefix(strings.TrimSuffix(name, "InPlace"), "InPlace")
		if rest == name {
			continue
		}
		set, pure := b.find(name), b.find(rest)
		if set == nil || pure == nil || !types.Identical(b.signature(set).Params(), b.signature(pure).Params()) || !b.withOther(set) && !noParams(set) ||
			b.signature(pure).Results().Len() != 1 || !b.is(b.signature(pure).Results().At(0).Type()) {
			continue
		}
		lists := []string{"steps", "others"}[:1+b.signature(set).Params().Len()]
		all = append(all, b.family(lists, nil, func(sc *scene) *Property {
			v, want, arg := sc.Local("v"), sc.Local("made"), ""
			sc.linef("%s := %s(%s)", v, sc.build, sc.Args[0].Expr)
			if len(lists) == 2 {
				other := sc.Local("other")
				sc.linef("%s := %s(%s)", other, sc.build, sc.Args[1].Expr)
				arg = b.passed(b.signature(set).Params().At(0).Type(), other)
			}
			sc.linef("%s := %s.%s(%s)", want, v, pure.Name(), arg)
			sc.linef("%s.%s(%s)", v, name, arg)
			sc.same(v, b.address(pure, want), "nil", "after "+name)
			return sc.property(Agreement, camel(set)+"AgreesWith"+pure.Name(), short(set)+" makes of a value what "+pure.Name()+" returns.", true, set, pure)
		}))
	}
	return all
}

// anything says whether values of the type hold what a written form may not keep: any text, or values of
// any type.
func (b *built) anything() bool {
	return b.text || slices.ContainsFunc(b.steps, func(st *step) bool {
		return slices.ContainsFunc(slices.Collect(st.sig.Params().Variables()), func(p *types.Var) bool {
			u, ok := p.Type().Underlying().(*types.Interface)
			return ok && u.Empty()
		})
	})
}

// codedStates: a value that a method sets from what another has returned does what the first does.
func codedStates(b *built) (all []Family) {
	for _, pair := range b.api.writers(b.named) {
		out, back := pair[0], pair[1]
		if b.find(out.Name()) == nil || b.find(back.Name()) == nil || b.api.sketchable(b.named) {
			continue
		}
		all = append(all, b.family([]string{"steps", "then"}, nil, func(sc *scene) *Property {
			v, coded, got := sc.Local("v"), sc.Local("coded"), sc.Local("restored")
			sc.linef("%s := %s(%s)", v, sc.build, sc.Args[0].Expr)
			from := b.signature(out)
			sc.bind(coded, v+"."+out.Name()+"()", from.Results(), "return")
			sc.linef("%s := %s(nil)", got, sc.build)
			sc.linef("if %s; err != nil {\nt.Fatalf(%q, err)\n}", set(back, got, sc.convertTo(coded, from.Results().At(0).Type(), b.signature(back).Params().At(0).Type())), back.Name()+" of what "+out.Name()+" returns: %v")
			sc.same(got, v, sc.Args[1].Expr, "calls on what "+back.Name()+" sets")
			return sc.property(RoundTrip, b.name()+out.Name()+"Restores", short(back)+" sets a value from what "+short(out)+" returns that does the same.", b.anything(), out, back)
		}))
	}
	return all
}

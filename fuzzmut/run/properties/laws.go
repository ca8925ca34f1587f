package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// stable are the verbs of functions whose result they leave as it is.
var stable = []string{
	"Format", "Clean", "Normalize", "Normalise", "Canonical", "Compact", "Minify", "Sanitize", "Sanitise", "Tidy", "Simplify", "Dedent", "Trim",
	"Strip", "Fold", "Ugly", "Pretty", "Unique", "Uniq", "Dedup", "Sorted", "Collapse", "ToLower", "ToUpper", "ToValid", "Lower", "Upper", "Clamp", "Abs",
}

// isStable says whether a function has such a name.
func isStable(name string) bool {
	for _, verb := range stable {
		if strings.HasPrefix(name, verb) || strings.HasSuffix(name, verb) {
			return true
		}
	}
	return false
}

// idempotent: what was cleaned is clean. The function takes a value and returns one of its
// type; further arguments stay the same.
func idempotent(a *api) (all []Family) {
	for _, fn := range a.callable() {
		sig := fn.Signature()
		params, ok := a.params(fn)
		if !ok || len(params) == 0 || !isStable(fn.Name()) || !valued(sig.Results()) {
			continue
		}
		t := sig.Results().At(0).Type()
		if !types.Identical(params[0].Type(), t) || slices.ContainsFunc(params[1:], func(v *types.Var) bool { return !isNative(v.Type()) }) {
			continue
		}
		f := a.variants(func() *sketch { return a.of(fn) }, t, func(s *sketch, e equality) *Property {
			once, twice := s.Local("once"), s.Local("twice")
			s.bind(once, call(fn, s.exprs()), sig.Results(), "return")
			args := s.exprs()
			args[0] = once
			format, shown := s.shown(fn, s.Args)
			leave := fmt.Sprintf("t.Fatalf(%q, %s)", fn.Name()+" does not take "+format+" = "+e.verb, strings.Join(append(slices.Clone(shown), once), ", "))
			s.bind(twice, call(fn, args), sig.Results(), leave)
			s.reports(s.condition(e, once, twice), fmt.Sprintf("%s = %[2]s, and of that %[2]s", format, e.verb), append(shown, once, twice)...)
			return s.property(Idempotence, camel(fn)+"Twice", fmt.Sprintf("%s leaves what it has returned as it is.", short(fn)), changesArgument(fn), fn)
		})
		if len(f) > 0 {
			all = append(all, f)
		}
	}
	return all
}

// callable lists the functions and methods.
func (a *api) callable() []*types.Func {
	list := slices.Clone(a.funcs)
	for _, n := range a.types {
		list = append(list, a.methods[n.Obj().Name()]...)
	}
	return list
}

// comparison is what compares two values of a type: methods of it, or functions.
type comparison struct {
	t                                              types.Type
	name                                           string // of the type, for the fuzz test
	compare, less, greater, equal, atMost, atLeast *types.Func
}

// ordered: the laws of an order, and what its functions have to say about each other.
func ordered(a *api) (all []Family) {
	for _, c := range a.comparisons() {
		three := []*types.Var{param("a", c.t), param("b", c.t), param("c", c.t)}
		two := three[:2]
		if a.sketch(two, nil) == nil {
			continue
		}
		for _, p := range slices.Concat(a.compareLaws(c, two, three), a.lessLaws(c, two, three), a.agreements(c, two)) {
			all = append(all, Family{p})
		}
	}
	return all
}

// comparisons finds what compares.
func (a *api) comparisons() (list []*comparison) {
	by := make(map[string]*comparison)
	for _, fn := range a.callable() {
		sig := fn.Signature()
		params, ok := a.params(fn)
		if !ok || len(params) != 2 || sig.Results().Len() != 1 {
			continue
		}
		t := params[1].Type()
		if first := params[0].Type(); !types.Identical(first, t) && (sig.Recv() == nil || named(first) == nil || named(first) != named(t)) {
			continue
		}
		res := sig.Results().At(0).Type()
		prefix := ""
		if sig.Recv() == nil {
			prefix = "func "
		}
		key := prefix + types.TypeString(t, nil)
		c := by[key]
		if c == nil {
			c = &comparison{t: t}
			if n := named(t); n != nil {
				c.name = n.Obj().Name()
			}
		}
		switch name := fn.Name(); {
		case (name == "Compare" || name == "Cmp" || name == "CompareTo") && types.Identical(res, types.Typ[types.Int]):
			c.compare = fn
		case !isBool(res):
			continue
		case slices.Contains([]string{"Less", "LessThan", "Before", "LT"}, name):
			c.less = fn
		case slices.Contains([]string{"Greater", "GreaterThan", "After", "GT"}, name):
			c.greater = fn
		case slices.Contains([]string{"LessThanEqual", "LessThanOrEqual", "LessOrEqual", "LTE", "LE"}, name):
			c.atMost = fn
		case slices.Contains([]string{"GreaterThanEqual", "GreaterThanOrEqual", "GreaterOrEqual", "GTE", "GE"}, name):
			c.atLeast = fn
		case name == "Equal" || name == "Equals" || name == "EQ":
			c.equal = fn
		default:
			continue
		}
		if by[key] == nil {
			by[key] = c
			list = append(list, c)
		}
	}
	return list
}

// says is a call of a comparison.
func says(fn *types.Func, x, y target.Arg) string {
	return call(fn, []string{receiver(fn, x.Expr), y.Expr})
}

// receiver is an expression as the receiver of a method.
func receiver(fn *types.Func, expr string) string {
	if fn.Signature().Recv() != nil && strings.ContainsAny(expr[:1], "*&") {
		return "(" + expr + ")"
	}
	return expr
}

// compareLaws are those of a function with three outcomes.
func (a *api) compareLaws(c *comparison, two, three []*types.Var) (list []*Property) {
	if c.compare == nil {
		return nil
	}
	name := short(c.compare)
	s := a.sketch(two, nil)
	x, y := s.Args[0], s.Args[1]
	s.reports(says(c.compare, x, x)+" != 0", name+" of "+x.Format+" and itself is not 0", x.Operands...)
	xy, yx := s.Local("xy"), s.Local("yx")
	s.linef("%s, %s := %s, %s", xy, yx, says(c.compare, x, y), says(c.compare, y, x))
	s.reports(fmt.Sprintf("(%[1]s < 0) != (%[2]s > 0) || (%[1]s > 0) != (%[2]s < 0)", xy, yx),
		name+" of "+x.Format+" and "+y.Format+" is %d, and the other way round %d", slices.Concat(x.Operands, y.Operands, []string{xy, yx})...)
	list = append(list, s.property(Order, camel(c.compare)+"Antisymmetric", name+" of a value and itself is 0, and of two values the opposite of the other way round.", false, c.compare))
	return append(list, a.transitive(c.compare, three, "%s <= 0 && %s <= 0 && %s > 0", "<=", "greater")...)
}

// lessLaws are those of a strict order.
func (a *api) lessLaws(c *comparison, two, three []*types.Var) (list []*Property) {
	if c.less == nil {
		return nil
	}
	name := short(c.less)
	s := a.sketch(two, nil)
	x, y := s.Args[0], s.Args[1]
	s.reports(says(c.less, x, x), name+": "+x.Format+" is less than itself", x.Operands...)
	s.reports(says(c.less, x, y)+" && "+says(c.less, y, x), name+": "+x.Format+" and "+y.Format+" are each less than the other", slices.Concat(x.Operands, y.Operands)...)
	list = append(list, s.property(Order, camel(c.less)+"Strict", name+" of a value and itself is false, and of two values not true both ways.", false, c.less))
	return append(list, a.transitive(c.less, three, "%s && %s && !%s", "<", "not less")...)
}

// transitive is the law that what holds of x and y, and of y and z, holds of x and z; none if
// no three values can be made. fails is the condition under which it does not hold, with
// places for the three calls; sign and otherwise are for the message.
func (a *api) transitive(fn *types.Func, three []*types.Var, fails, sign, otherwise string) []*Property {
	s := a.sketch(three, nil)
	if s == nil {
		return nil
	}
	name := short(fn)
	x, y, z := s.Args[0], s.Args[1], s.Args[2]
	s.reports(fmt.Sprintf(fails, says(fn, x, y), says(fn, y, z), says(fn, x, z)),
		name+": "+x.Format+" "+sign+" "+y.Format+" "+sign+" "+z.Format+", but the first is "+otherwise+" than the last", slices.Concat(x.Operands, y.Operands, z.Operands)...)
	return []*Property{s.property(Order, camel(fn)+"Transitive", name+" is transitive.", false, fn)}
}

// agreements compare the functions of an order with each other.
func (a *api) agreements(c *comparison, two []*types.Var) (list []*Property) {
	if c.equal != nil {
		s := a.sketch(two, nil)
		x, y, name := s.Args[0], s.Args[1], short(c.equal)
		s.reports("!"+says(c.equal, x, x), name+": "+x.Format+" is not equal to itself", x.Operands...)
		s.reports(says(c.equal, x, y)+" != "+says(c.equal, y, x), name+" of "+x.Format+" and "+y.Format+" is not the same the other way round", slices.Concat(x.Operands, y.Operands)...)
		list = append(list, s.property(Order, camel(c.equal)+"Symmetric", name+" of a value and itself is true, and of two values the same both ways.", false, c.equal))
	}
	for _, pair := range []struct {
		fn, than *types.Func
		want     string
	}{
		{c.less, c.compare, "%s < 0"},
		{c.greater, c.compare, "%s > 0"},
		{c.equal, c.compare, "%s == 0"},
		{c.atMost, c.compare, "%s <= 0"},
		{c.atLeast, c.compare, "%s >= 0"},
	} {
		if pair.fn == nil || pair.than == nil {
			continue
		}
		s := a.sketch(two, nil)
		x, y := s.Args[0], s.Args[1]
		got := s.Local("got")
		s.linef("%s := %s", got, says(pair.fn, x, y))
		s.reports(fmt.Sprintf("%s != (%s)", got, fmt.Sprintf(pair.want, says(pair.than, x, y))),
			short(pair.fn)+" of "+x.Format+" and "+y.Format+" is %t, "+pair.than.Name()+" %d",
			slices.Concat(x.Operands, y.Operands, []string{got, says(pair.than, x, y)})...)
		list = append(list, s.property(Agreement, camel(pair.fn)+"AgreesWith"+pair.than.Name(),
			fmt.Sprintf("%s says the same as %s.", short(pair.fn), short(pair.than)), false, pair.fn, pair.than))
	}
	return list
}

package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// anyCodecs: what was read into a variable of any type, or into a map, is written, and read again.
func anyCodecs(a *api) (all []Family) {
	for _, out := range a.funcs {
		for _, back := range a.funcs {
			if !inverse(out.Name(), back.Name()) || !writesAny(out) || !readsAny(back) {
				continue
			}
			for _, into := range []string{"interface{}", "map[string]interface{}"} {
				if f := a.anyCodec(out, back, into); len(f) > 0 {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// isAny says whether a type is an interface without methods.
func isAny(t types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	return ok && u.Empty()
}

// plainParams is how many arguments a call needs.
func plainParams(sig *types.Signature) int {
	if sig.Variadic() {
		return sig.Params().Len() - 1
	}
	return sig.Params().Len()
}

// writesAny says whether a function returns a text for a value of any type.
func writesAny(fn *types.Func) bool {
	sig := fn.Signature()
	return plainParams(sig) == 1 && isAny(sig.Params().At(0).Type()) && sig.Results().Len() == 2 && isText(sig.Results().At(0).Type()) && isError(sig.Results().At(1).Type())
}

// readsAny says whether a function sets a variable of any type from a text.
func readsAny(fn *types.Func) bool {
	sig := fn.Signature()
	return plainParams(sig) == 2 && isText(sig.Params().At(0).Type()) && isAny(sig.Params().At(1).Type()) && fails(sig)
}

// anyLaws are what is said of such round trips, the strictest first.
var anyLaws = []struct{ name, sentence string }{
	{"kept", "%[2]s returns what %[1]s has read."},
	{"equal", "%[1]s reads what %[2]s returns, as a value that is equal."},
	{"again", "%[1]s reads what %[2]s returns, and this returns the same again."},
	{"read", "%[1]s reads what %[2]s returns."},
}

// anyCodec are the round trips of values that are read into a variable of a type.
func (a *api) anyCodec(out, back *types.Func, into string) (family Family) {
	name := out.Name() + "RoundTrip"
	if into != "interface{}" {
		name = out.Name() + "MapRoundTrip"
	}
	for _, law := range anyLaws {
		s := a.sketch([]*types.Var{back.Signature().Params().At(0)}, a.surface.Seeds(back))
		if s == nil {
			return nil
		}
		s.anyLaw(law.name, out, back, into)
		guess := law.name == "kept" || law.name == "equal" // a number that is not one equals nothing
		family = append(family, s.property(RoundTrip, name, fmt.Sprintf(law.sentence, back.Name(), out.Name()), guess, out, back))
	}
	return family
}

// anyLaw writes one of the laws.
func (s *sketch) anyLaw(law string, out, back *types.Func, into string) {
	text, arg := back.Signature().Params().At(0).Type(), s.Args[0]
	left := strings.Repeat("_, ", back.Signature().Results().Len()-1) + "err := "
	v, coded := s.Local("v"), s.Local("coded")
	s.linef("var %s %s\nif %s%s(%s, &%[1]s); err != nil {\nreturn\n}", v, into, left, back.Name(), arg.Expr)
	s.linef("%s, err := %s(%s)\nif err != nil {\nreturn\n}", coded, out.Name(), v)
	written := s.convertTo(coded, out.Signature().Results().At(0).Type(), text)
	if law == "kept" {
		s.reports(s.condition(s.equalities(text)[0], written, arg.Expr), arg.Format+" is written as %q", append(slices.Clone(arg.Operands), coded)...)
		return
	}
	again := s.Local("again")
	s.linef("var %s %s\nif %s%s(%s, &%[1]s); err != nil {\nt.Fatalf(%[6]q, %[7]s, %[8]s, err)\n}", again, into, left, back.Name(), written,
		arg.Format+" is written as %q: %v", strings.Join(arg.Operands, ", "), coded)
	switch law {
	case "equal":
		s.reports(fmt.Sprintf("!%s.DeepEqual(%s, %s)", s.Use("reflect"), v, again), arg.Format+" is read as %#v, and what is written of that as %#v", append(slices.Clone(arg.Operands), v, again)...)
	case "again":
		second := s.Local("second")
		s.linef("%s, err := %s(%s)\nif err != nil {\nt.Fatal(err)\n}", second, out.Name(), again)
		s.reports(fmt.Sprintf("string(%s) != string(%s)", coded, second), arg.Format+" is written as %q, and that as %q", append(slices.Clone(arg.Operands), coded, second)...)
	}
}

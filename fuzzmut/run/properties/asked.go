package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// askings are names of functions that say whether, with those that say what in addition.
var askings = map[string][]string{
	"Check": {"Validate"}, "Valid": {"Validate"}, "IsValid": {"Validate"},
	"Contains": {"Find", "Index", "IndexOf", "Get", "Load", "Lookup", "Peek"}, "ContainsKey": {"Get"}, "Has": {"Get", "Find", "Lookup", "Index", "Load", "Peek"},
	"HasKey": {"Get"}, "Exists": {"Get", "Find", "Lookup"}, "Match": {"Find", "FindIndex", "FindSubmatch", "Search", "Index"}, "HasPrefix": {"CutPrefix"}, "HasSuffix": {"CutSuffix"},
}

// saysYes is source of whether the results of a function say yes, and the names that they are assigned
// to; "": they do not say.
func saysYes(res *types.Tuple, local func(string) string) (assigned, yes string) {
	n := res.Len()
	if n == 0 {
		return "", ""
	}
	at, format := n-1, "%s"
	switch last := res.At(n - 1).Type(); {
	case isBool(last):
	case isError(last):
		format = "%s == nil"
	case isBool(res.At(0).Type()):
		at = 0
	case n > 1:
		return "", ""
	default:
		switch u := last.Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Map:
			format = "%s != nil"
		case *types.Basic:
			if u.Kind() != types.Int {
				return "", ""
			}
			format = "%s >= 0"
		default:
			return "", ""
		}
	}
	names := slices.Repeat([]string{"_"}, n)
	names[at] = local("found")
	return strings.Join(names, ", "), fmt.Sprintf(format, names[at])
}

// told lists the functions that have the same parameters as one that says whether, and say what in
// addition.
func told(ask string) (names []string) {
	for _, prefix := range []string{"Check", "IsValid", "Valid", "ContainsKey", "Contains", "HasPrefix", "HasSuffix", "HasKey", "Has", "Exists", "Match"} {
		if rest, ok := afterVerb(ask, prefix); ok {
			for _, name := range askings[prefix] {
				names = append(names, name+rest)
			}
			break
		}
	}
	return names
}

// asked: a function that says whether agrees with one that says what.
func asked(a *api) (all []Family) {
	for _, ask := range a.callable() {
		sig := ask.Signature()
		if sig.Results().Len() != 1 || !isBool(sig.Results().At(0).Type()) {
			continue
		}
		for _, name := range told(ask.Name()) {
			tell := a.sibling(ask, name)
			if tell == nil || !types.Identical(tell.Signature().Params(), sig.Params()) {
				continue
			}
			s := a.of(ask)
			if s == nil {
				continue
			}
			assigned, yes := saysYes(tell.Signature().Results(), s.Local)
			if yes == "" {
				continue
			}
			is := s.Local("is")
			format, shown := s.shown(ask, s.Args)
			s.linef("%s := %s", is, call(ask, s.exprs()))
			s.linef("%s := %s", assigned, call(tell, s.exprs()))
			s.reports(is+" != ("+yes+")", format+" = %t, and "+tell.Name()+" says %t", append(shown, is, yes)...)
			all = append(all, Family{s.property(Agreement, camel(ask)+"AgreesWith"+tell.Name(), short(ask)+" says whether "+tell.Name()+" finds something.", false, ask, tell)})
		}
	}
	return all
}

package sequence

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// choices are a few arguments of a type, as source: of functions, maps, errors, times
// and structs of settings, and what tests give for them. The plainest comes first. nil: there
// are none. name is that of the parameter.
func (s *Sequence) choices(t types.Type, name string) []string {
	list := s.plain(t, name)
	for _, source := range s.tested(t) {
		if !slices.Contains(list, source) {
			list = append(list, source)
		}
	}
	return list
}

// plain are choices that a type alone gives.
func (s *Sequence) plain(t types.Type, name string) []string {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return []string{`errors.New("e")`, "nil"}
	}
	if list := standardChoices[types.TypeString(types.Unalias(t), nil)]; list != nil {
		return list
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return append(s.functions(u, compares(t, name)), "nil")
	case *types.Map:
		return s.maps(t, u)
	case *types.Struct:
		return s.structs(t, u, "")
	case *types.Pointer:
		if types.Unalias(t) != types.Type(u) {
			return nil
		}
		switch elem := u.Elem().Underlying().(type) {
		case *types.Struct:
			return s.structs(u.Elem(), elem, "&")
		case *types.Basic:
			if s.nameable(u.Elem()) && elem.Kind() != types.UnsafePointer {
				return []string{"new(" + s.source(u.Elem()) + ")"}
			}
		}
	}
	return nil
}

// standardChoices are values of types of the standard library.
var standardChoices = map[string][]string{
	"*regexp.Regexp": {`regexp.MustCompile("[a-z]+")`, `regexp.MustCompile("(.)(.*)")`, `regexp.MustCompile("^\\s*")`},
	"time.Duration":  {"time.Second", "time.Duration(0)", "-time.Nanosecond"},
	"time.Time":      {"time.Unix(1, 0).UTC()", "time.Time{}", "time.Unix(1e9, 5).UTC()"},
}

// nameable says whether the file can name a type, with packages of other modules and none of the standard
// library.
func (s *Sequence) nameable(t types.Type) bool {
	return Within(t, s.canName)
}

// Within says whether all packages that a type names are such, by their paths.
func Within(t types.Type, such func(path string) bool) bool {
	ok := true
	types.TypeString(t, func(p *types.Package) string {
		ok = ok && such(p.Path())
		return ""
	})
	return ok
}

// functions are function literals of a signature: one that orders two values, one that hands
// on what it is given, or returns what is not zero, and one that returns zeros. Those that do not order
// note what they are called with: an iteration shows by nothing else. Of what compares all are consistent, since
// what a data structure does with others says nothing of it: an order, the reverse, and one in which all are equal.
func (s *Sequence) functions(sig *types.Signature, compares bool) (list []string) {
	if sig.Variadic() || !s.nameable(sig) {
		return nil
	}
	if f := s.ordering(sig, "a", "b", compares); f != "" {
		list = append(list, f)
		if compares {
			list = append(list, s.ordering(sig, "b", "a", true))
		}
	}
	notes := len(list) == 0 && sig.Params().Len() > 0
	for _, one := range []bool{true, false} {
		if one && compares {
			continue
		}
		if f, ok := s.constant(sig, one, notes); ok && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	if at := len(list) - 1; notes && at >= 0 && strings.HasSuffix(list[at], " bool { "+s.note(sig)+"; return false }") {
		list = append(list, strings.TrimSuffix(list[at], "false }")+fmt.Sprintf("len(%s) < 2 }", callsMark))
	}
	return list
}

// callsMark is the variable with what functions were called with, in the fuzz test.
const callsMark = "recordedCalls"

// note is a statement that notes the arguments of a call, but for those that fmt says an address of.
func (s *Sequence) note(sig *types.Signature) string {
	var args []string
	for i := range sig.Params().Len() {
		if s.noted(sig.Params().At(i).Type()) {
			args = append(args, parameter(i))
		}
	}
	said := `"called"`
	if len(args) > 0 {
		said = "fmt.Sprint(" + strings.Join(args, `, " ", `) + ")"
	}
	return fmt.Sprintf("%[1]s = append(%[1]s, %[2]s)", callsMark, said)
}

// noted says whether what fmt says of an argument is the same each time.
func (s *Sequence) noted(t types.Type) bool {
	if i, ok := t.Underlying().(*types.Interface); ok && i.Empty() {
		return true // numbers, as they are given for it
	}
	return types.Identical(t, types.Universe.Lookup("error").Type()) || s.said(t, 0)
}

// parameter is the name of a parameter of a function literal.
func parameter(i int) string { return "v" + strconv.Itoa(i) }

// comparing are words of names of functions that say which of two values comes first.
var comparing = []string{"less", "cmp", "compar"}

// compares says whether values of a type of functions say which of two values comes first, by its form, its name and
// the name of the parameter: a function that returns an int may also be one that makes one number of two.
func compares(t types.Type, name string) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || !twoAlike(sig) {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		name += " " + n.Obj().Name()
	}
	name = strings.ToLower(name)
	called := slices.ContainsFunc(comparing, func(word string) bool { return strings.Contains(name, word) })
	switch r, _ := sig.Results().At(0).Type().(*types.Basic); {
	case r == nil:
		return false
	case r.Kind() == types.Int:
		return called || !types.Identical(r, sig.Params().At(0).Type())
	default:
		return called && r.Kind() == types.Bool
	}
}

// twoAlike says whether a function has two parameters of the same type, and one result.
func twoAlike(sig *types.Signature) bool {
	params := sig.Params()
	return params.Len() == 2 && sig.Results().Len() == 1 && types.Identical(params.At(0).Type(), params.At(1).Type())
}

// ordering is a function that compares two numbers or texts, a and b or the other way around; "": it is no such
// signature. compares says that it is to compare others, too, by what fmt says of them.
func (s *Sequence) ordering(sig *types.Signature, a, b string, compares bool) string {
	if !twoAlike(sig) {
		return ""
	}
	t, results := sig.Params().At(0).Type(), sig.Results()
	info := types.BasicInfo(0)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		info = u.Info()
	case *types.Interface:
		if !u.Empty() {
			return ""
		}
		a, b, info = a+".(int)", b+".(int)", types.IsInteger // what is given for an interface
	}
	if compares && info&types.IsOrdered == 0 && s.said(t, 0) {
		a, b, info, t = "fmt.Sprint("+a+")", "fmt.Sprint("+b+")", types.IsString, types.Typ[types.String]
	}
	body := ""
	switch r, _ := results.At(0).Type().(*types.Basic); {
	case r == nil || info&types.IsOrdered == 0:
	case r.Kind() == types.Bool:
		body = a + " < " + b
	case r.Kind() == types.Int && info&types.IsString != 0:
		to := "string"
		if types.Identical(t, types.Typ[types.String]) {
			to = ""
		}
		body = "strings.Compare(" + converted(to, a) + ", " + converted(to, b) + ")"
	case r.Kind() == types.Int && info&(types.IsInteger|types.IsUnsigned) == types.IsInteger:
		body = "int(" + a + " - " + b + ")"
		if strings.HasSuffix(a, ".(int)") {
			body = a + " - " + b
		}
	}
	if body == "" {
		return ""
	}
	return "func(a, b " + s.source(sig.Params().At(0).Type()) + ") " + s.source(results.At(0).Type()) + " { return " + body + " }"
}

// constant is a function that returns zeros, or what is not zero: of a type that it is given,
// that. Notes has it note what it is called with.
func (s *Sequence) constant(sig *types.Signature, one, notes bool) (string, bool) {
	var params, returned, results []string
	used := make(map[int]bool)
	for v := range sig.Results().Variables() {
		value, ok := s.value(v.Type(), one)
		at := slices.IndexFunc(slices.Collect(sig.Params().Variables()), func(p *types.Var) bool { return types.Identical(p.Type(), v.Type()) })
		if one && at >= 0 {
			used[at] = true
			value, ok = parameter(at), true
		}
		if !ok {
			return "", false
		}
		returned, results = append(returned, value), append(results, s.source(v.Type()))
	}
	for i := range sig.Params().Len() {
		used[i] = used[i] || notes && s.noted(sig.Params().At(i).Type())
	}
	for i := range sig.Params().Len() {
		name := ""
		if used[i] {
			name = parameter(i) + " "
		} else if slices.Contains(slices.Collect(maps.Values(used)), true) {
			name = "_ "
		}
		params = append(params, name+s.source(sig.Params().At(i).Type()))
	}
	text, body := "func("+strings.Join(params, ", ")+")", ""
	if notes {
		body = s.note(sig) + "; "
	}
	switch len(results) {
	case 0:
		return text + " {" + strings.TrimSuffix(" "+body, "; ") + strings.Repeat(" ", min(len(body), 1)) + "}", true
	case 1:
		return text + " " + results[0] + " { " + body + "return " + returned[0] + " }", true
	}
	return text + " (" + strings.Join(results, ", ") + ") { " + body + "return " + strings.Join(returned, ", ") + " }", true
}

// value is source of a zero, or of what is not zero where a type has such a literal.
func (s *Sequence) value(t types.Type, one bool) (string, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return map[bool]string{true: "true", false: "false"}[one], true
		case info&types.IsString != 0:
			return map[bool]string{true: `"a"`, false: `""`}[one], true
		case info&types.IsNumeric != 0:
			return map[bool]string{true: "1", false: "0"}[one], true
		}
		return "", false
	case *types.Struct:
		return s.source(t) + "{}", true
	case *types.Array:
		return s.source(t) + "{}", true
	}
	return "nil", true
}

// maps are maps with an element, without one, and nil.
func (s *Sequence) maps(t types.Type, m *types.Map) []string {
	if !s.nameable(t) {
		return nil
	}
	typ := s.source(t)
	list := []string{typ + "{}", "nil"}
	key, ok := s.value(m.Key(), true)
	if elem, ok2 := s.value(m.Elem(), true); ok && ok2 && key != "nil" {
		list = append([]string{typ + "{" + key + ": " + elem + "}"}, list...)
	}
	return list
}

// structs are an empty struct, and some with one field set. Prefix makes pointers of them.
func (s *Sequence) structs(t types.Type, u *types.Struct, prefix string) (list []string) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !n.Obj().Exported() || n.TypeParams().Len() > 0 || !s.nameable(t) {
		return nil
	}
	typ := prefix + s.source(t)
	list = append(list, typ+"{}")
	for f := range u.Fields() {
		if _, basic := f.Type().Underlying().(*types.Basic); !basic || !f.Exported() {
			continue
		}
		if value, ok := s.value(f.Type(), true); ok {
			list = append(list, typ+"{"+f.Name()+": "+value+"}")
		}
	}
	return list
}

// said says whether what fmt says of a value with %+v is all that a caller can see of it, and
// the same each time: a struct of exported fields with numbers and texts, lists of such, and
// what a method makes a text of.
func (s *Sequence) said(t types.Type, depth int) bool {
	if depth > 3 {
		return false
	}
	if speaks(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsFloat|types.IsString|types.IsBoolean) != 0 && u.Kind() != types.Uintptr
	case *types.Slice:
		return s.said(u.Elem(), depth+1)
	case *types.Array:
		return s.said(u.Elem(), depth+1)
	case *types.Map:
		return s.said(u.Key(), depth+1) && s.said(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() || !s.said(f.Type(), depth+1) {
				return false
			}
		}
		return u.NumFields() > 0
	}
	return false
}

// speaks says whether fmt asks a value of a type for its text.
func speaks(t types.Type) bool {
	return tells(t, "String") || tells(t, "Error") || tells(t, "Format")
}

// tells says whether values of a type have a method that fmt calls.
func tells(t types.Type, name string) bool {
	signature := "func() string"
	if name == "Format" {
		signature = "func(fmt.State, rune)"
	}
	sel := types.NewMethodSet(t).Lookup(nil, name)
	if sel == nil {
		return false
	}
	sig := sel.Type().(*types.Signature)
	return types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), false), (*types.Package).Name) == signature
}

// unnamed are parameters without names.
func unnamed(list *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range list.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// FunctionOf is source of a function of a type: one that orders two values, or that returns what it is
// given or what is not zero; "": there is none, or the type is no function.
func FunctionOf(pkg *types.Package, t types.Type) string {
	sig, ok := t.Underlying().(*types.Signature)
	s := &Sequence{pkg: pkg}
	if !ok || sig.Variadic() || !s.nameable(sig) {
		return ""
	}
	comparing := compares(t, "")
	if f := s.ordering(sig, "a", "b", comparing); f != "" {
		return f
	}
	f, _ := s.constant(sig, !comparing, false)
	return f
}

package target

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// made says whether an argument is the result of a maker, and adds what that is given.
func (w *writer) made(a *argument, t types.Type) bool {
	elem := t
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		elem = p.Elem()
	}
	at := slices.IndexFunc(w.makers, func(m Maker) bool { return m.Type == types.TypeString(types.Unalias(elem), nil) })
	if at < 0 {
		return w.flat && w.composed(a, elem, isPointer(t))
	}
	m := &w.makers[at]
	fn, ok := w.pkg.Scope().Lookup(m.Function).(*types.Func)
	if !ok || !IsMaker(fn, elem) && !IsCreator(fn, elem) {
		return false
	}
	var places []string
	for i := range needed(fn.Signature()) {
		p := fn.Signature().Params().At(i)
		part := argument{name: p.Name(), param: i, maker: m}
		if stream(p.Type()) == "" {
			part.typ = p.Type()
		}
		if part.name == "" || part.name == "_" {
			part.name = "arg" + strconv.Itoa(i+1)
		}
		part.name = w.local(w.inputName(a, &part, fn))
		if part.typ == nil {
			w.supplied(&part, p.Type())
		}
		w.finish(&part)
		a.parts = append(a.parts, len(w.args))
		w.args = append(w.args, part)
		places = append(places, "%s")
	}
	a.made = m.Function
	call := m.Function + "(" + strings.Join(places, ", ") + ")"
	if w.refuses != nil && w.refuses(fn) {
		call = w.recovered(call, fn.Signature().Results())
	}
	a.before, a.value = w.checked(a.name, call, fn.Signature().Results()), a.name
	switch wanted, has := isPointer(t), isPointer(fn.Signature().Results().At(0).Type()); {
	case wanted && !has:
		a.value = "&" + a.name
	case has && !wanted:
		a.value = "*" + a.name
	}
	return true
}

// inputName is a name for what a maker is given.
func (w *writer) inputName(a, part *argument, maker *types.Func) string {
	if !w.several {
		return part.name
	}
	t := maker.Signature().Params().At(part.param).Type()
	if name, _ := native(t); needed(maker.Signature()) == 1 && (name == "string" || name == "[]byte" || stream(t) == reads) {
		return a.name + "Text"
	}
	r, size := utf8.DecodeRuneInString(part.name)
	return a.name + string(unicode.ToUpper(r)) + part.name[size:]
}

// fieldsMost bounds the fields of a struct that become inputs.
const fieldsMost = 8

// composed says whether an argument is a struct whose fields are inputs, and adds these.
func (w *writer) composed(a *argument, t types.Type, pointer bool) bool {
	s, ok := t.Underlying().(*types.Struct)
	if _, named := types.Unalias(t).(*types.Named); !ok || !named || s.NumFields() == 0 || s.NumFields() > fieldsMost || w.nameable(t, "") != nil {
		return false
	}
	for f := range s.Fields() {
		if name, _ := native(f.Type()); name == "" || !f.Exported() {
			return false
		}
	}
	var places []string
	for f := range s.Fields() {
		part := argument{name: w.local(Variable(f.Name())), typ: f.Type(), param: -1, maker: &Maker{}}
		w.finish(&part)
		a.parts = append(a.parts, len(w.args))
		w.args = append(w.args, part)
		places = append(places, f.Name()+": %s")
	}
	address := ""
	if pointer {
		address = "&"
	}
	a.before, a.value = a.name+" := "+address+w.typeName(t)+"{"+strings.Join(places, ", ")+"}", a.name
	return true
}

// checked is the call of a maker. If there is no value, the input says nothing.
func (w *writer) checked(name, call string, results *types.Tuple) string {
	const leave = " {\nreturn\n}"
	switch {
	case results.Len() == 2 && isError(results.At(1).Type()):
		return name + ", err := " + call + "\nif err != nil" + leave
	case results.Len() == 2:
		ok := w.local("ok")
		return name + ", " + ok + " := " + call + "\nif !" + ok + leave
	case isPointer(results.At(0).Type()):
		return name + " := " + call + "\nif " + name + " == nil" + leave
	}
	return name + " := " + call
}

// recovered is a call that skips the input where it panics. What the runtime panics with is a fault.
func (w *writer) recovered(call string, results *types.Tuple) string {
	var list []string
	for r := range results.Variables() {
		list = append(list, w.typeName(r.Type()))
	}
	result := list[0]
	if len(list) > 1 {
		result = "(" + strings.Join(list, ", ") + ")"
	}
	return fmt.Sprintf("func() %s {\ndefer func() {\nv := recover()\nif err, fault := v.(%s.Error); fault {\npanic(err)\n}\nif v != nil {\nt.Skip(v)\n}\n}()\nreturn %s\n}()", result, w.use("runtime"), call)
}

// IsMaker says whether a function can be the maker of a type: it takes what go test -fuzz
// knows, or what an input is read from, and perhaps writers and any number of options.
func IsMaker(fn *types.Func, t types.Type) bool {
	sig := fn.Signature()
	if !makes(sig, t) {
		return false
	}
	inputs := 0
	for i := range needed(sig) {
		typ := sig.Params().At(i).Type()
		name, _ := native(typ)
		switch role := stream(typ); {
		case name != "" || role == reads:
			inputs++
		case role == "":
			return false
		}
	}
	return inputs > 0
}

// needed is how many arguments a maker is given: those that a call takes any number of are
// left out.
func needed(sig *types.Signature) int {
	if sig.Variadic() {
		return sig.Params().Len() - 1
	}
	return sig.Params().Len()
}

// IsCreator says whether a function makes a value of a type of nothing: it takes no
// arguments, or writers, or any number of options.
func IsCreator(fn *types.Func, t types.Type) bool {
	return takesNothing(fn) && makes(fn.Signature(), t)
}

// makes says whether a function returns a value of a type, or nothing with a reason.
func makes(sig *types.Signature, t types.Type) bool {
	res := sig.Results()
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || res.Len() == 0 || res.Len() > 2 {
		return false
	}
	if res.Len() == 2 && !isError(res.At(1).Type()) && !types.Identical(res.At(1).Type(), types.Typ[types.Bool]) {
		return false
	}
	first := types.Unalias(res.At(0).Type())
	if p, ok := first.(*types.Pointer); ok {
		first = p.Elem()
	}
	return types.Identical(first, t)
}

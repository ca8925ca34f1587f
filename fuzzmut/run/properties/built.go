package properties

import (
	"fmt"
	"go/constant"
	"go/types"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// Bounds of what makes a value by calls in turn.
const (
	stepsMost    = 40 // methods that are called
	stepArgsMost = 2  // arguments that a byte of the input says
	callsMost    = 32 // calls that one input makes
	seedsMost    = 8  // inputs that a fuzz test begins with
)

// built is a type whose values are made by calls in turn: a function of the package makes one, or
// it is the zero value, and methods are called on it. The input says which.
type built struct {
	api   *api
	named *types.Named // with types for its type parameters
	maker *types.Func  // nil: the zero value
	made  *types.Signature
	targs string
	steps []*step
	text  bool // the maker or a step takes a text
	width int  // bytes of the input for one call
}

// step is a method that is called in turn.
type step struct {
	fn    *types.Func
	sig   *types.Signature
	args  []string // as source, with the bytes x and y of the input
	bytes int      // that the arguments take
	each  bool     // its argument is a function that is called for each element
	views bool     // it takes nothing, and changes nothing
}

// builts lists the types whose values are made by calls.
func (a *api) builts() (list []*built) {
	for _, n := range sequence.Values(a.pkg) {
		if types.IsInterface(n) {
			continue
		}
		b := &built{api: a, named: n}
		if !b.findMaker() || !b.findSteps() {
			continue
		}
		list = append(list, b)
	}
	return list
}

// findMaker finds the function that makes a value: the one that is named after the type first, then
// the one that takes least. False: values are made by nothing that a fuzz test can call.
func (b *built) findMaker() bool {
	best, others := 0, false
	for _, name := range b.api.pkg.Scope().Names() {
		fn, ok := b.api.pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !fn.Exported() {
			continue
		}
		sig, targs := sequence.Instance(fn.Signature())
		if sig == nil || sig.Results().Len() == 0 || sig.Results().Len() > 2 || !b.is(sig.Results().At(0).Type()) || takesType(sig, b) {
			continue
		}
		if others = true; !b.api.surface.Closed(fn) || b.api.surface.Must(fn) != nil || strings.HasPrefix(name, "Must") || sig.Results().Len() == 2 && !isError(sig.Results().At(1).Type()) || !b.takesPlain(sig) {
			continue
		}
		rank := 1 + sig.Params().Len()
		if name != "New" && name != "New"+b.named.Obj().Name() {
			rank += 100
		}
		if b.maker == nil || rank < best {
			b.maker, b.made, b.targs, best = fn, sig, targs, rank
		}
	}
	if b.maker != nil {
		return true
	}
	_, isStruct := b.named.Underlying().(*types.Struct)
	return isStruct && !others
}

// takesType says whether a function takes a value of the type.
func takesType(sig *types.Signature, b *built) bool {
	for p := range sig.Params().Variables() {
		if b.is(p.Type()) {
			return true
		}
	}
	return false
}

// is says whether a type is the one whose values are made, or a pointer to it.
func (b *built) is(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Identical(types.Unalias(t), b.named)
}

// takesPlain says whether a maker takes what a fuzz test can give.
func (b *built) takesPlain(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			break // nothing is given
		}
		if !isNative(p.Type()) && sequence.FunctionOf(b.api.pkg, p.Type()) == "" {
			return false
		}
	}
	return true
}

// waiting are methods that may wait for others, or end the use of a value.
var waiting = []string{"Lock", "Unlock", "RLock", "RUnlock", "Wait", "Close", "Free", "Release"}

// findSteps finds the methods that can be called in turn; false: there are none that change a value.
func (b *built) findSteps() bool {
	changes := false
	for sel := range types.NewMethodSet(types.NewPointer(b.named)).Methods() {
		fn := sel.Obj().(*types.Func)
		if !fn.Exported() || fn.Pkg() != b.api.pkg || slices.Contains(waiting, fn.Name()) || !b.api.surface.Closed(fn.Origin()) || len(b.steps) == stepsMost {
			continue
		}
		sig := sel.Type().(*types.Signature)
		st := &step{fn: fn, sig: sig}
		if !b.arguments(st) {
			continue
		}
		changing := b.api.changes(fn.Origin())
		if st.views = !changing && (sig.Params().Len() == 0 || st.each) && st.shows(b); !changing && !st.shows(b) {
			continue
		}
		changes = changes || changing
		b.steps = append(b.steps, st)
		b.width = max(b.width, 1+st.bytes)
	}
	for i := range b.params() {
		b.text = b.text || isText(b.made.Params().At(i).Type())
	}
	slices.SortStableFunc(b.steps, func(x, y *step) int {
		switch {
		case x.views == y.views:
			return 0
		case x.views:
			return -1
		}
		return 1
	})
	return changes
}

// params are how many arguments are given to the maker.
func (b *built) params() int {
	switch {
	case b.made == nil:
		return 0
	case b.made.Variadic():
		return b.made.Params().Len() - 1
	}
	return b.made.Params().Len()
}

// arguments are what a method is given: numbers, texts and bools that the bytes x and y of the input
// say, and functions. False: nothing stands for one.
func (b *built) arguments(st *step) bool {
	if st.each = each(st.sig, b); st.each {
		return true
	}
	for i := range st.sig.Params().Len() {
		t := st.sig.Params().At(i).Type()
		spread := st.sig.Variadic() && i == st.sig.Params().Len()-1
		if spread {
			t = t.Underlying().(*types.Slice).Elem()
		}
		if st.bytes < stepArgsMost {
			x := string("xy"[st.bytes])
			if sizes(st.fn.Name()) || sizes(st.sig.Params().At(i).Name()) {
				x = "(" + x + "%16)"
			}
			if arg, text, ok := b.argument(t, x); ok {
				st.args = append(st.args, arg)
				st.bytes++
				b.text = b.text || text
				continue
			}
		}
		arg := sequence.FunctionOf(b.api.pkg, t)
		if spread && arg == "" {
			break
		}
		if arg == "" {
			return false
		}
		st.args = append(st.args, arg)
	}
	return true
}

// sizing are words of names of what asks for memory: 2 to the power of a byte is more than there is.
var sizing = []string{"cap", "grow", "exp", "reserve", "resize", "shift", "bits", "size", "repeat"}

func sizes(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(sizing, func(word string) bool { return strings.Contains(name, word) })
}

// argument is an argument of a type, from a byte of the input.
func (b *built) argument(t types.Type, x string) (arg string, text, ok bool) {
	if !b.api.nameable(t) {
		return "", false, false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return b.converted(x+"%2 == 1", t, types.Typ[types.Bool]), false, true
		case u.Info()&(types.IsInteger|types.IsFloat) != 0 && u.Kind() != types.Uintptr:
			return b.converted(x, t, types.Typ[types.Byte]), false, true
		case u.Info()&types.IsString != 0:
			return b.converted("words[int("+x+")%len(words)]", t, types.Typ[types.String]), true, true
		}
	case *types.Interface:
		return "int(" + x + ")", false, u.Empty()
	case *types.Slice:
		return b.converted("words[int("+x+")%len(words)]", t, types.Typ[types.String]), true, isBytes(t)
	}
	return "", false, false
}

// converted is an expression as a value of a type.
func (b *built) converted(expr string, to, from types.Type) string {
	if types.Identical(to, from) {
		return expr
	}
	return b.api.typeName(to) + "(" + expr + ")"
}

// typeName is a type of the package, or of none, as source.
func (a *api) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == a.pkg {
			return ""
		}
		return p.Name()
	})
}

// nameable says whether a type can be written without an import.
func (a *api) nameable(t types.Type) bool {
	return sequence.Within(t, func(path string) bool { return path == a.pkg.Path() })
}

// each says whether the only argument is a function that is called for each element, with elements
// that can be compared.
func each(sig *types.Signature, b *built) bool {
	if sig.Params().Len() != 1 || sig.Results().Len() > 0 || sig.Variadic() {
		return false
	}
	f, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || f.Params().Len() == 0 || f.Results().Len() > 1 || f.Results().Len() == 1 && !isBool(f.Results().At(0).Type()) || f.Variadic() {
		return false
	}
	for p := range f.Params().Variables() {
		if !b.compared(p.Type()) || !b.api.nameable(p.Type()) {
			return false
		}
	}
	return true
}

// shows says whether a call returns something that can be compared.
func (st *step) shows(b *built) bool {
	if st.each {
		return true
	}
	if st.sig.Results().Len() == 1 && iterated(st.sig.Results().At(0).Type()) != nil {
		return b.iterates(st.sig.Results().At(0).Type())
	}
	for v := range st.sig.Results().Variables() {
		if isError(v.Type()) || b.compared(v.Type()) {
			return true
		}
	}
	return false
}

// iterated is the function that an iterator calls; nil: the type is no iterator.
func iterated(t types.Type) *types.Signature {
	f, ok := t.Underlying().(*types.Signature)
	if !ok || f.Params().Len() != 1 || f.Results().Len() != 0 {
		return nil
	}
	yield, ok := f.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Results().Len() != 1 || !isBool(yield.Results().At(0).Type()) || yield.Params().Len() == 0 || yield.Params().Len() > 2 {
		return nil
	}
	return yield
}

func (b *built) iterates(t types.Type) bool {
	for v := range iterated(t).Params().Variables() {
		if !b.compared(v.Type()) {
			return false
		}
	}
	return true
}

// compared says whether reflect.DeepEqual compares all of a value that a caller can see, and nothing
// else.
func (b *built) compared(t types.Type) bool { return b.deep(t, make(map[types.Type]bool)) }

func (b *built) deep(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	if b.is(t) && !isFlat(t) {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		_, basic := n.Underlying().(*types.Basic)
		if n.Obj().Pkg() != b.api.pkg && !basic {
			return false
		}
		if seen[n.Origin()] && n.TypeArgs().Len() > 0 {
			return false
		}
		seen[n.Origin()] = true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsString|types.IsBoolean|types.IsInteger) != 0 && u.Kind() != types.Uintptr
	case *types.Slice:
		return b.deep(u.Elem(), seen)
	case *types.Array:
		return b.deep(u.Elem(), seen)
	case *types.Map:
		return b.deep(u.Key(), seen) && b.deep(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if !b.deep(f.Type(), seen) {
				return false
			}
		}
		return true
	case *types.Interface:
		return u.Empty() || b.implemented(u, seen)
	}
	return false
}

// implemented says whether the values of an interface of the package can be compared: those of its
// types, or pointers to them.
func (b *built) implemented(iface *types.Interface, seen map[types.Type]bool) bool {
	found := false
	for _, name := range b.api.pkg.Scope().Names() {
		tn, ok := b.api.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) || !types.Implements(types.NewPointer(tn.Type()), iface) {
			continue
		}
		if found = true; !b.deep(tn.Type(), seen) {
			return false
		}
	}
	return found
}

// A scene is a fuzz test over values that calls make, while its body is written.
type scene struct {
	*sketch
	b          *built
	build, run string   // the names of the functions in it
	inputs     []string // lists of calls
	given      []string // what is given in addition
}

// scene begins a fuzz test with lists of calls, and with other arguments; nil: it has no values for
// these. plain leaves out what may come in any order: lists and functions for each element.
func (b *built) scene(lists []string, others []*types.Var, plain bool) *scene {
	var params []*types.Var
	for _, name := range lists {
		params = append(params, param(name, types.NewSlice(types.Typ[types.Byte])))
	}
	params = append(params, others...)
	numbers := 0
	for i := range b.params() {
		if t := b.made.Params().At(i).Type(); !isText(t) && isNative(t) {
			params = append(params, param("size", types.Typ[types.Byte]))
			numbers++
		}
	}
	if b.text {
		params = append(params, param("text", types.Typ[types.String]))
	}
	s := b.api.sketch(params, nil)
	if s == nil {
		return nil
	}
	s.Seeds = b.seeds(len(lists), others, numbers)
	sc := &scene{sketch: s, b: b, inputs: lists, build: s.Local("build"), run: s.Local("run")}
	for i := range others {
		sc.given = append(sc.given, s.Args[len(lists)+i].Expr)
	}
	var sizes []string
	for i := range numbers {
		sizes = append(sizes, s.Args[len(lists)+len(others)+i].Expr)
	}
	s.linef("defer func() { recover() }() // a call that panics, as with an index that is too large, shows nothing")
	calls := b.calls(s, plain)
	if strings.Contains(calls, "words[") {
		s.linef("words := []string{%s, \"a\", \"b\", \"\", \"ab\"}", s.Args[len(s.Args)-1].Expr)
	}
	b.writeRun(s, sc.run, calls)
	b.writeBuild(s, sc.build, sc.run, sizes)
	return sc
}

// seeds are inputs with each of the calls, and texts that tests give.
func (b *built) seeds(lists int, others []*types.Var, numbers int) (list []string) {
	var texts []string
	for _, st := range b.steps {
		for _, values := range b.api.surface.Seeds(st.fn.Origin()) {
			for _, v := range values {
				if v != nil && v.Kind() == constant.String {
					texts = append(texts, strconv.Quote(constant.StringVal(v)))
				}
			}
		}
	}
	if len(texts) == 0 {
		texts = []string{`"a"`}
	}
	random := rand.New(rand.NewPCG(uint64(len(b.steps)), 0))
	for n := range seedsMost {
		var args []string
		for range lists {
			var ops []byte
			for range 2 + 2*n {
				ops = append(ops, byte(random.IntN(len(b.steps))))
				for range b.width - 1 {
					ops = append(ops, byte(random.IntN(4)))
				}
			}
			args = append(args, "[]byte("+strconv.Quote(string(ops))+")")
		}
		for _, v := range others {
			args = append(args, example(v.Type(), n))
		}
		for range numbers {
			args = append(args, fmt.Sprintf("byte(%d)", 2+n))
		}
		if b.text {
			args = append(args, texts[n%len(texts)])
		}
		list = append(list, strings.Join(args, ", "))
	}
	return list
}

// example is a value of a basic type as source.
func example(t types.Type, n int) string {
	if isString(t) {
		return strconv.Quote(string(rune('a' + n%2)))
	}
	if isBytes(t) {
		return "[]byte(" + strconv.Quote(string(rune('a'+n%2))) + ")"
	}
	if isBool(t) {
		return strconv.FormatBool(n%2 == 1)
	}
	return fmt.Sprintf("%s(%d)", t.Underlying().String(), n%4)
}

// calls is source of a case for each call of a value.
func (b *built) calls(s *sketch, plain bool) string {
	var body strings.Builder
	for i, st := range b.steps {
		if source := b.called(s, st, "v", plain); source != "" {
			fmt.Fprintf(&body, "case %d:\n%s", i, source)
		}
	}
	return body.String()
}

// writeRun writes the function that makes calls on a value, and returns what they show. Those that read
// the value and need no argument come first, and are called once more in the end.
func (b *built) writeRun(s *sketch, name, calls string) {
	views := 0
	for _, st := range b.steps {
		if st.views {
			views++
		}
	}
	xy := []string{"x", "y"}[:b.width-1]
	typed, zeros, records := "", "", ""
	if len(xy) > 0 {
		typed = ", " + strings.Join(xy, ", ")
		zeros = strings.Repeat(", 0", len(xy))
		for i := range xy {
			records += fmt.Sprintf(", steps[i+%d]", i+1)
		}
	}
	s.linef(`%s := func(v *%s, steps []byte) (seen []interface{}) {
one := func(op%s byte) {
defer func() {
if recover() != nil {
seen = append(seen, "panic")
}
}()
switch op %% %d {
%s}
}
for i := 0; i+%d < len(steps) && i < %d; i += %d {
one(steps[i]%s)
}`, name, s.TypeName(b.named), typed, len(b.steps), calls, b.width-1, callsMost*b.width, b.width, records)
	if views > 0 {
		s.linef("for op := byte(0); op < %d; op++ {\none(op%s)\n}", views, zeros)
	}
	s.linef("return seen\n}")
}

// writeBuild writes the function that makes a value, and calls in turn on it.
func (b *built) writeBuild(s *sketch, name, run string, sizes []string) {
	typ := s.TypeName(b.named)
	if b.maker == nil {
		s.linef("%s := func(steps []byte) *%s {\nv := new(%[2]s)\n%[3]s(v, steps)\nreturn v\n}", name, typ, run)
		return
	}
	var args []string
	for i := range b.params() {
		t := b.made.Params().At(i).Type()
		switch {
		case isText(t):
			args = append(args, s.convert(s.Args[len(s.Args)-1].Expr, types.Typ[types.String], t))
		case isBool(t):
			args, sizes = append(args, sizes[0]+"%2 == 1"), sizes[1:]
		case isNative(t):
			args, sizes = append(args, s.convert(sizes[0]+"%64", types.Typ[types.Byte], t)), sizes[1:]
		default:
			args = append(args, sequence.FunctionOf(b.api.pkg, t))
		}
	}
	made := b.maker.Name() + b.targs + "(" + strings.Join(args, ", ") + ")"
	_, pointer := types.Unalias(b.made.Results().At(0).Type()).(*types.Pointer)
	value := "v"
	if !pointer {
		value = "&v"
	}
	if b.made.Results().Len() == 2 {
		s.linef("%s := func(steps []byte) *%s {\nv, err := %s\nif err != nil {\npanic(err)\n}\n%s(%s, steps)\nreturn %[5]s\n}", name, typ, made, run, value)
		return
	}
	s.linef("%s := func(steps []byte) *%s {\nv := %s\n%s(%s, steps)\nreturn %[5]s\n}", name, typ, made, run, value)
}

// called is source of a call in turn, and of what notes its results.
func (b *built) called(s *sketch, st *step, v string, plain bool) string {
	name := v + "." + st.fn.Name()
	if st.each {
		if plain {
			return ""
		}
		f := st.sig.Params().At(0).Type().Underlying().(*types.Signature)
		var params, shown []string
		for i := range f.Params().Len() {
			params, shown = append(params, fmt.Sprintf("e%d %s", i, s.TypeName(f.Params().At(i).Type()))), append(shown, fmt.Sprintf("e%d", i))
		}
		returns, result := "", ""
		if f.Results().Len() == 1 {
			returns, result = "\nreturn true", "bool "
		}
		return fmt.Sprintf("%s(func(%s) %s{\nseen = append(seen, %s)%s\n})\n", name, strings.Join(params, ", "), result, strings.Join(shown, ", "), returns)
	}
	source := name + "(" + strings.Join(st.args, ", ") + ")"
	results := st.sig.Results()
	if results.Len() == 1 && iterated(results.At(0).Type()) != nil {
		if plain || !b.iterates(results.At(0).Type()) {
			return ""
		}
		vars := []string{"e0", "e1"}[:iterated(results.At(0).Type()).Params().Len()]
		return fmt.Sprintf("for %s := range %s {\nseen = append(seen, %[1]s)\n}\n", strings.Join(vars, ", "), source)
	}
	var vars, shown []string
	for i := range results.Len() {
		t, r := results.At(i).Type(), "r"+strconv.Itoa(i)
		_, pointer := types.Unalias(t).(*types.Pointer)
		_, basic := t.Underlying().(*types.Basic)
		switch {
		case isError(t) || pointer:
			vars, shown = append(vars, r), append(shown, r+" == nil")
		case b.compared(t) && (!plain || basic):
			vars, shown = append(vars, r), append(shown, r)
		default:
			vars = append(vars, "_")
		}
	}
	if len(shown) == 0 {
		return source + "\n"
	}
	if results.Len() == 1 && shown[0] == vars[0] {
		return "seen = append(seen, " + source + ")\n"
	}
	return strings.Join(vars, ", ") + " := " + source + "\nseen = append(seen, " + strings.Join(shown, ", ") + ")\n"
}

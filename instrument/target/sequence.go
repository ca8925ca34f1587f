package target

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// SequenceName is the name of the fuzz test of sequences of a type: FuzzQueue.
func SequenceName(tn *types.TypeName) string {
	return Name(types.NewFunc(tn.Pos(), tn.Pkg(), tn.Name(), types.NewSignatureType(nil, nil, nil, nil, nil, false)))
}

// WriteSequence writes a fuzz test of sequences of the exported methods of a type. The
// options say which are left out, and what a model is called. What stands in its way is an
// *Error.
func WriteSequence(tn *types.TypeName, opts Options) (*Test, error) {
	fn := types.NewFunc(tn.Pos(), opts.Package, tn.Name(), types.NewSignatureType(nil, nil, nil, nil, nil, false))
	w := newWriter(fn, opts)
	w.imports["testing"] = w.importName("testing")
	w.names["f"], w.names["t"] = true, true
	w.use(Library)
	n, err := w.sequenced(tn)
	if err != nil {
		return nil, err
	}
	s := &sequence{writer: w, typ: n, model: opts.Model, concurrent: opts.Concurrent, zero: opts.Zero}
	if err := s.find(); err != nil {
		return nil, err
	}
	if opts.Model != "" {
		if err := s.compare(opts.Model); err != nil {
			return nil, err
		}
	}
	s.wrapConstructors()
	s.leaveOutUnhashable()
	t, err := w.finished(tn.Name(), s.text())
	if err != nil {
		return nil, err
	}
	t.Made, t.Wrapped = len(s.constructors) > 0, s.wrapped
	for _, op := range s.ops {
		t.Methods = append(t.Methods, op.Name())
	}
	t.Left = s.left
	return t, nil
}

// sequence is a fuzz test of a type.
type sequence struct {
	*writer
	typ          *types.Named
	zero         bool // sequences may begin with the zero value whatever constructors there are
	model        string
	concurrent   bool
	constructors []constructor
	ops          []*types.Func
	left         []Left   // but for those that the directive leaves out
	models       []string // one for each constructor, or for the zero value
	output       *output  // nil: constructors take no writers
	wrapped      map[string]string
}

// sequenced returns the type itself, with types for type parameters.
func (w *writer) sequenced(tn *types.TypeName) (*types.Named, error) {
	n, ok := types.Unalias(tn.Type()).(*types.Named)
	if !ok || types.IsInterface(n) {
		return nil, w.fail("it is no type with methods and values that nothing but its package makes")
	}
	params := n.TypeParams()
	if params.Len() == 0 {
		return n, nil
	}
	targs, err := w.typeArguments(params, func(targs []types.Type) (types.Type, error) { return types.Instantiate(nil, n, targs, true) })
	if err != nil {
		return nil, err
	}
	t, err := types.Instantiate(nil, n, targs, true)
	if err != nil {
		return nil, w.fail("%v", err)
	}
	return t.(*types.Named), nil
}

// find finds the constructors and the operations.
func (s *sequence) find() error {
	s.stubs = true
	made := s.constructorsOf(s.typ)
	shut := s.shut(s.typ, made)
	s.stubs = false
	var unknown []string
	s.constructors, shut, unknown = leave(s.without, made, shut)
	for sel := range types.NewMethodSet(types.NewPointer(s.typ)).Methods() {
		fn, ok := sel.Obj().(*types.Func)
		if !ok || !fn.Exported() {
			continue
		}
		unknown = slices.DeleteFunc(unknown, func(name string) bool { return name == fn.Name() })
		if reason := s.unfit(fn); reason != "" {
			s.left = append(s.left, Left{fn.Name(), reason})
		} else if !slices.Contains(s.without, fn.Name()) {
			s.ops = append(s.ops, fn)
		}
	}
	switch {
	case len(unknown) > 0:
		return s.fail("it has no exported method and no constructor %s, which the directive leaves out", unknown[0])
	case len(s.ops) == 0 && len(s.left) > 0:
		return s.fail("there is no operation: %s; declare a type in the test that has a value of this one, and methods with plain arguments", s.left[0])
	case len(s.ops) == 0:
		return s.fail("it has no exported method")
	case len(s.constructors) == 0 && len(shut) > 0 && !s.zero:
		s.stubs = true
		defer func() { s.stubs = false }()
		return s.failShut(s.typ, shut, "sequences would begin with the zero value", leavingOut(shut))
	}
	return nil
}

// failShut says which constructor is not called, and what there is to do: what a value would be otherwise is seldom
// what a user of the type has. Whoever wants that has words for it in the directive.
func (w *writer) failShut(n *types.Named, shut []constructor, otherwise, words string) error {
	return w.fail("its constructor %s is not called, since %s, and %s; add an exported function to a test file that returns %s and takes other arguments, or write the directive with %s",
		shut[0].text, w.whyShut(n, &shut[0]), otherwise, w.describe(shut[0].result), words)
}

// leavingOut is what a directive has that leaves constructors out, and when to write it.
func leavingOut(list []constructor) string {
	words := "without"
	for _, c := range list {
		words += " " + strconv.Quote(c.fn.Name())
	}
	return words + " if the zero value is right"
}

// whyShut says why a constructor of n is not called.
func (w *writer) whyShut(n *types.Named, c *constructor) string {
	if p := w.undrawn(c.fn.Signature(), c.params, n); p >= 0 {
		what := fmt.Sprintf("argument %d", p+1)
		if name := c.fn.Signature().Params().At(p).Name(); name != "" && name != "_" {
			what = "argument " + name
		}
		return fmt.Sprintf("values of its %s, of type %s, can't be drawn", what, w.describe(c.params[p]))
	}
	return "it reaches outside the process"
}

// unfit says why a method is no operation; "": it is one.
func (s *sequence) unfit(fn *types.Func) string {
	switch {
	case waits[fn.Name()]:
		return "it may wait for others, or ends the use of the value"
	case s.touches != nil && s.touches(fn.Origin()):
		return "it reaches outside the process"
	case !s.drawn(fn.Signature(), s.typ):
		return "values of its arguments can't be drawn"
	}
	return ""
}

// leaveOutUnhashable leaves calls out that use a value of an empty interface as the key of a map, or
// compare it, where its type does not allow that.
func (s *sequence) leaveOutUnhashable() {
	if s.model != "" {
		return
	}
	for _, op := range s.ops {
		for p := range op.Signature().Params().Variables() {
			if u, ok := p.Type().Underlying().(*types.Interface); ok && u.Empty() {
				s.panics = append(slices.Clone(s.panics), "hash of unhashable type", "comparing uncomparable type")
				return
			}
		}
	}
}

// compare finds models: functions that make values of a type, or the type, whose methods have
// the names of the operations.
func (s *sequence) compare(name string) error {
	obj := s.pkg.Scope().Lookup(name)
	if obj == nil {
		return s.fail("its model %s is declared nowhere in the package or its test files", name)
	}
	makers, typ, err := s.modelsOf(obj)
	if err != nil {
		return err
	}
	s.models = makers
	set := types.NewMethodSet(typ)
	var ops []*types.Func
	for _, op := range s.ops {
		sel := set.Lookup(s.pkg, op.Name())
		if sel == nil {
			s.left = append(s.left, Left{op.Name(), "the model has no such method"})
			continue
		}
		if other := sel.Obj().(*types.Func).Signature(); !alike(op.Signature(), other) {
			return s.fail("its method %s is %s, and that of its model %s is %s", op.Name(), s.describe(op.Signature()), name, s.describe(other))
		}
		ops = append(ops, op)
	}
	if s.ops = ops; len(ops) == 0 {
		var left []string
		for _, l := range s.left {
			left = append(left, l.String())
		}
		return s.fail("its model %s shares no method with it: %s", name, strings.Join(left, "; "))
	}
	return nil
}

// alike says whether a method can be compared with that of a model: it has the same
// parameters, and as many results.
func alike(a, b *types.Signature) bool {
	return types.Identical(a.Params(), b.Params()) && a.Results().Len() == b.Results().Len()
}

// modelsOf returns what makes a model for each constructor, and the type of the models.
func (s *sequence) modelsOf(obj types.Object) (makers []string, typ types.Type, err error) {
	begins := s.constructors
	if len(begins) == 0 {
		begins = []constructor{{}}
	}
	var candidates []constructor
	zero := ""
	switch obj := obj.(type) {
	case *types.Func:
		c, ok := s.instanceOf(obj)
		if !ok {
			return nil, nil, s.fail("its model %s has to be a type, or a function with one result", obj.Name())
		}
		candidates, typ = []constructor{c}, c.result
	case *types.TypeName:
		typ, zero = s.modelType(obj)
		candidates = s.makersOf(typ)
	default:
		return nil, nil, s.fail("its model %s is no type, nor a function", obj.Name())
	}
	for i := range begins {
		text := s.bestModel(candidates, &begins[i])
		switch {
		case text == "" && zero == "" && len(s.constructors) == 0:
			return nil, nil, s.fail("its model %s has parameters, and there is no constructor of %s that has them and could be given drawn values: sequences begin with the zero value, and the model needs no parameters", obj.Name(), s.typ.Obj().Name())
		case text == "" && zero == "":
			return nil, nil, s.fail("its model %s has other parameters than %s, and needs the same or none", obj.Name(), s.constructors[i].text)
		case text == "":
			text = zero
		}
		makers = append(makers, text)
	}
	return makers, typ, nil
}

// modelType is a pointer to a type of models, and what makes its zero value.
func (s *sequence) modelType(tn *types.TypeName) (typ types.Type, zero string) {
	t := tn.Type()
	if n, ok := types.Unalias(t).(*types.Named); ok && n.TypeParams().Len() > 0 && n.TypeParams().Len() == s.typ.TypeArgs().Len() {
		if inst, err := types.Instantiate(nil, n, slices.Collect(s.typ.TypeArgs().Types()), true); err == nil {
			t = inst
		}
	}
	typ = types.NewPointer(t)
	return typ, fmt.Sprintf("func() %s { return new(%s) }", s.typeName(typ), s.typeName(t))
}

// makersOf are the functions of the package that return a type alone.
func (s *sequence) makersOf(typ types.Type) (list []constructor) {
	for _, name := range s.pkg.Scope().Names() {
		if fn, ok := s.pkg.Scope().Lookup(name).(*types.Func); ok {
			if c, ok := s.instanceOf(fn); ok && types.Identical(c.result, typ) {
				list = append(list, c)
			}
		}
	}
	return list
}

// instanceOf is a function with the type arguments of the type under test.
func (s *sequence) instanceOf(fn *types.Func) (constructor, bool) {
	sig, text, ok := s.instantiated(fn, s.typ)
	if !ok || sig.Results().Len() != 1 || sig.Variadic() {
		return constructor{}, false
	}
	return constructor{fn: fn, text: text, params: paramTypes(sig), result: sig.Results().At(0).Type()}, true
}

// bestModel is a function with the parameters of a constructor, or else with those for which values are drawn, or else
// one without; "": there is none of them. One that takes functions gets the same as the constructor, which do nothing.
func (s *sequence) bestModel(list []constructor, c *constructor) string {
	for _, want := range [][]types.Type{c.params, c.drawn(), nil} {
		for i := range list {
			if m := &list[i]; slices.EqualFunc(m.params, want, types.Identical) {
				if slices.ContainsFunc(m.params, isFunction) {
					params, args := (&wrapper{sequence: s}).arguments(m)
					return fmt.Sprintf("func(%s) %s { return %s(%s) }", params, s.typeName(m.result), m.text, args)
				}
				return m.text
			}
		}
	}
	return ""
}

// drawn are the parameters of a constructor for which there are values: no functions, and no options.
func (c *constructor) drawn() []types.Type {
	if c.fn == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.params[:given(c.fn.Signature(), false)]), isFunction)
}

// text returns the source of the file.
func (s *sequence) text() string {
	var b strings.Builder
	if s.oldGo {
		b.WriteString("//go:build go1.18\n\n")
	}
	name := s.testName()
	body := s.body()
	fmt.Fprintf(&b, "package %s\n\n", s.pkg.Name())
	s.writeImports(&b)
	if len(s.left) > 0 {
		fmt.Fprintf(&b, "\n// %s calls all exported methods but\n//\n", name)
		for _, left := range s.left {
			fmt.Fprintf(&b, "//\t%s\n", left)
		}
	} else {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "func %s(f *%s.F) {\n%s\n}\n", name, s.imports["testing"], body)
	b.WriteString(s.decls)
	return b.String()
}

func (s *sequence) body() string {
	typ := s.typeName(types.NewPointer(s.typ))
	if s.output != nil {
		typ = s.output.typ
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s.Machine[%s]{\n", s.imports[Library], typ)
	switch {
	case len(s.constructors) > 0:
		b.WriteString("Constructors: []any{" + joined(s.constructors) + "},\n")
		if len(s.models) > 0 {
			b.WriteString("Models: []any{" + strings.Join(s.models, ", ") + "},\n")
		}
	case len(s.models) > 0:
		fmt.Fprintf(&b, "Model: func() any { return %s },\n", called(s.models[0]))
	}
	b.WriteString("Ops: []any{\n")
	for _, op := range s.ops {
		fmt.Fprintf(&b, "(%s).%s,\n", typ, op.Name())
	}
	if s.output != nil && !s.concurrent { // the buffer has no lock
		fmt.Fprintf(&b, "(%s).%s,\n", typ, s.output.written)
	}
	b.WriteString("},\n")
	if len(s.panics) > 0 {
		fmt.Fprintf(&b, "Panics: %#v,\n", s.panics)
	}
	if s.concurrent {
		b.WriteString("Goroutines: 2,\n") // most faults need no more
		if names := s.tries(); len(names) > 0 {
			fmt.Fprintf(&b, "GivesUp: %#v,\n", names)
		}
	}
	fmt.Fprintf(&b, "Most: %s,\n}.Fuzz(f)", most)
	return b.String()
}

// tries are the operations that may give up while others are at work, by what Go's own packages call
// such: TryLock.
func (s *sequence) tries() (names []string) {
	for _, op := range s.ops {
		out := op.Signature().Results()
		if !strings.HasPrefix(op.Name(), "Try") || out.Len() == 0 {
			continue
		}
		last := out.At(out.Len() - 1).Type()
		if b, ok := last.Underlying().(*types.Basic); ok && b.Kind() == types.Bool || types.Identical(last, types.Universe.Lookup("error").Type()) {
			names = append(names, op.Name())
		}
	}
	return names
}

// called is the call of a function without arguments, as Go source: for a literal that makes
// a zero value, the value.
func called(fn string) string {
	if _, value, ok := strings.Cut(fn, "{ return "); ok {
		return strings.TrimSuffix(value, " }")
	}
	return fn + "()"
}

func joined(list []constructor) string {
	var texts []string
	for _, c := range list {
		texts = append(texts, c.text)
	}
	return strings.Join(texts, ", ")
}

package target

import (
	"go/types"
	"slices"
	"strings"
)

// most bounds arguments of types int and uint of constructors and of the methods that are
// called before: they are often sizes.
const most = "1000"

// state says how a fuzz test makes the receiver of a method where it must not choose its
// fields: by the constructors of the type, and by calls of methods that change it.
type state struct {
	name         string   // of the type of the variable, as Go source: "*Table"
	constructors []string // as Go source; none: the zero value
	ops          []string
}

// Bounds of the functions that make a receiver.
const (
	mostConstructors = 8
	mostOps          = 24
)

// begin decides where the receiver comes from: nil where its fields are inputs, or where one
// constructor takes what go test -fuzz knows, which is left to made.
func (w *writer) begin(recv types.Type) (*state, error) {
	t := recv
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if _, basic := t.Underlying().(*types.Basic); !ok || basic || types.IsInterface(t) {
		return nil, w.noConstructor(w.without)
	}
	if w.changes == nil {
		return nil, nil
	}
	made := w.constructorsOf(n)
	found, shut, unknown := leave(w.without, made, w.shut(n, made))
	ops := w.changing(n, len(found) > 0)
	switch plain := plainest(found, n); {
	case len(unknown) > 0:
		return nil, w.noConstructor(unknown)
	case len(found) == 0 && len(shut) > 0 && hidden(n) && n.Obj().Exported() && len(ops) > 0:
		return nil, w.failShut(n, shut, "the receiver would begin as the zero value", leavingOut(shut))
	case len(found) == 0 && len(shut) > 0 && hidden(n) && n.Obj().Exported():
		return nil, w.failShut(n, shut, "the fields of the receiver would have any values", "the word fields if any are right")
	case len(found) == 0 && (len(ops) == 0 || !hidden(n) || !n.Obj().Exported()):
		return nil, nil
	case len(ops) == 0 && plain != nil:
		w.make(n, plain)
		return nil, nil
	case plain != nil:
		w.make(n, plain) // other arguments of the type
	}
	s := &state{name: w.typeName(types.NewPointer(n))}
	for _, c := range found {
		s.constructors = append(s.constructors, c.text)
	}
	for _, op := range ops {
		s.ops = append(s.ops, "("+s.name+")."+op)
	}
	return s, nil
}

// noConstructor says that a directive leaves out what is no constructor of the receiver; nil: it leaves out nothing
// such.
func (w *writer) noConstructor(names []string) error {
	if len(names) == 0 {
		return nil
	}
	return w.fail("there is no constructor %s of its receiver, which the directive leaves out", names[0])
}

// make has a function make the values of a type that are arguments.
func (w *writer) make(n *types.Named, fn *types.Func) {
	w.makers = append(slices.Clone(w.makers), Maker{Type: types.TypeString(n, nil), Function: fn.Name()})
	for p := range w.fn.Signature().Params().Variables() {
		t := types.Unalias(p.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		w.several = w.several || types.Identical(t, n)
	}
}

// constructor is a function that returns values of a type.
type constructor struct {
	fn     *types.Func
	text   string // as Go source, with type arguments
	params []types.Type
	result types.Type
}

// constructorsOf finds the exported functions of the package that return a type, or for a type
// that is not exported others. One that takes such a value makes none, and one that reaches
// outside the process is not called with arguments that nobody has chosen.
func (w *writer) constructorsOf(n *types.Named) []constructor {
	var exported, others []constructor
	for _, c := range w.returning(n) {
		switch {
		case w.touches != nil && w.touches(c.fn) || w.undrawn(c.fn.Signature(), c.params, n) >= 0:
		case c.fn.Exported():
			exported = append(exported, c)
		default:
			others = append(others, c)
		}
	}
	if len(exported) == 0 {
		exported = others
	}
	return exported[:min(len(exported), mostConstructors)]
}

// returning finds the functions of the package that return a type, whether or not they can be called: the exported
// ones, and for a type that is not exported all.
func (w *writer) returning(n *types.Named) (list []constructor) {
	for _, name := range w.pkg.Scope().Names() {
		fn, ok := w.pkg.Scope().Lookup(name).(*types.Func)
		if !ok || fn == w.fn || strings.HasPrefix(name, "Must") || !fn.Exported() && n.Obj().Exported() {
			continue
		}
		if sig, text, ok := w.instantiated(fn, n); ok && makes(sig, n) {
			list = append(list, constructor{fn, text, paramTypes(sig), sig.Results().At(0).Type()})
		}
	}
	return list
}

// shut are the functions that return n and are not called, where made are those that are. One that takes such
// a value is none: it needs what it is to make.
func (w *writer) shut(n *types.Named, made []constructor) []constructor {
	return slices.DeleteFunc(w.returning(n), func(c constructor) bool {
		return slices.ContainsFunc(made, func(m constructor) bool { return m.fn == c.fn }) ||
			slices.ContainsFunc(c.params, func(t types.Type) bool { return consistsOf(t, n) })
	})
}

// leave leaves out the constructors that a directive names, of those that are called and the others. unknown are
// the names of no constructor.
func leave(without []string, made, shut []constructor) (called, others []constructor, unknown []string) {
	unknown = slices.Clone(without)
	for _, c := range slices.Concat(made, shut) {
		unknown = slices.DeleteFunc(unknown, func(name string) bool { return name == c.fn.Name() })
	}
	named := func(c constructor) bool { return slices.Contains(without, c.fn.Name()) }
	return slices.DeleteFunc(made, named), slices.DeleteFunc(shut, named), unknown
}

// consistsOf says whether values of a type are values of another, or a list of them.
func consistsOf(t types.Type, n *types.Named) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return consistsOf(u.Elem(), n)
	case *types.Slice:
		return consistsOf(u.Elem(), n)
	case *types.Array:
		return consistsOf(u.Elem(), n)
	case *types.Map:
		return consistsOf(u.Elem(), n)
	}
	return types.Identical(t, n)
}

// instantiated is a function with the type arguments of n, if it has type parameters.
func (w *writer) instantiated(fn *types.Func, n *types.Named) (sig *types.Signature, text string, ok bool) {
	sig, text = fn.Signature(), fn.Name()
	params := sig.TypeParams()
	if params.Len() == 0 {
		return sig, text, true
	}
	if params.Len() != n.TypeArgs().Len() {
		return nil, "", false
	}
	var targs []types.Type
	var names []string
	for t := range n.TypeArgs().Types() {
		targs, names = append(targs, t), append(names, w.typeName(t))
	}
	t, err := types.Instantiate(nil, sig, targs, true)
	if err != nil {
		return nil, "", false
	}
	return t.(*types.Signature), text + "[" + strings.Join(names, ", ") + "]", true
}

func paramTypes(sig *types.Signature) (list []types.Type) {
	for p := range sig.Params().Variables() {
		list = append(list, p.Type())
	}
	return list
}

// drawn says whether values of all parameters can be drawn, and none is of type n. Options
// are left out.
func (w *writer) drawn(sig *types.Signature, n *types.Named) bool {
	return w.undrawn(sig, paramTypes(sig), n) < 0
}

// undrawn is the first of the parameters of a function for which that is not so; -1: there is none.
func (w *writer) undrawn(sig *types.Signature, params []types.Type, n *types.Named) int {
	return slices.IndexFunc(params[:given(sig, false)], func(t types.Type) bool {
		return !w.drawable(t, n, make(map[types.Type]bool)) && !(w.stubs && isFunction(t) && w.nameable(t, "") == nil)
	})
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// drawable says whether package fuzzmut can draw values of a type that do not hold an n.
func (w *writer) drawable(t types.Type, n *types.Named, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	if Known(t) {
		return true
	}
	if w.nameable(t, "") != nil || types.Identical(t, n) {
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		switch {
		case isText(named), IsMessage(named):
			return true
		case hidden(named):
			return false // nor do its fields have values that nobody has chosen
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Pointer:
		return w.drawable(u.Elem(), n, seen)
	case *types.Slice:
		return w.drawable(u.Elem(), n, seen)
	case *types.Array:
		return w.drawable(u.Elem(), n, seen)
	case *types.Map:
		return w.drawable(u.Key(), n, seen) && w.drawable(u.Elem(), n, seen)
	case *types.Struct:
		for f := range u.Fields() {
			if !w.drawable(f.Type(), n, seen) {
				return false
			}
		}
		return true
	case *types.Interface:
		return u.Empty() || w.implemented(t, u, n, seen)
	}
	return false
}

// implemented says whether package fuzzmut can draw values of a type of the package that an
// interface with a name can hold.
func (w *writer) implemented(t types.Type, iface *types.Interface, n *types.Named, seen map[types.Type]bool) bool {
	of, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	for _, name := range w.pkg.Scope().Names() {
		tn, ok := w.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) || w.double != nil && w.double(tn) && !w.double(of.Obj()) {
			continue
		}
		if named, ok := tn.Type().(*types.Named); ok && named.TypeParams().Len() == 0 && types.Implements(types.NewPointer(named), iface) && w.drawable(named, n, seen) {
			return true
		}
	}
	return false
}

// Known says whether package fuzzmut makes values of a type of the standard library by itself.
func Known(t types.Type) bool { return known[types.TypeString(types.Unalias(t), nil)] }

// known are the types of the standard library that package fuzzmut makes values of, in addition
// to those that have a text form.
var known = map[string]bool{
	"time.Time": true, "*time.Location": true, "math/big.Int": true, "math/big.Rat": true, "math/big.Float": true,
	"net/netip.Addr": true, "net/netip.Prefix": true, "net/netip.AddrPort": true, "net/url.URL": true,
	"bytes.Buffer": true, "bytes.Reader": true, "strings.Reader": true, "strings.Builder": true,
	"io.Reader": true, "io.Writer": true, "error": true, "context.Context": true,
}

// IsMessage says whether a type is a struct that stands for a message of protocol buffers. Package fuzzmut draws its
// exported fields: generated code keeps what else it needs in others.
func IsMessage(n *types.Named) bool {
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	m := types.NewMethodSet(types.NewPointer(n)).Lookup(nil, "ProtoMessage")
	if m == nil || m.Type().(*types.Signature).Params().Len()+m.Type().(*types.Signature).Results().Len() > 0 {
		return false
	}
	for f := range s.Fields() {
		if strings.HasPrefix(f.Name(), "xxx_hidden_") {
			return false // only its methods set them
		}
	}
	return true
}

// hidden says whether a type is a struct with fields that are not exported.
func hidden(n *types.Named) bool {
	s, ok := n.Underlying().(*types.Struct)
	if !ok || IsMessage(n) {
		return false
	}
	for f := range s.Fields() {
		if !f.Exported() && f.Name() != "_" {
			return true
		}
	}
	return false
}

// isText says whether values of a type are made from texts or bytes that they are marshaled to.
func isText(n *types.Named) bool {
	set := types.NewMethodSet(types.NewPointer(n))
	has := func(name string) bool { return set.Lookup(nil, name) != nil }
	return has("MarshalText") && has("UnmarshalText") || has("MarshalBinary") && has("UnmarshalBinary")
}

// plainest is the constructor that a fuzz test without package fuzzmut can call: rather one
// that takes a text, of these one that takes little. nil: there is none.
func plainest(list []constructor, n *types.Named) *types.Func {
	var best *types.Func
	for _, c := range list {
		if !IsMaker(c.fn, n) && !IsCreator(c.fn, n) {
			continue
		}
		if best == nil || plainer(c.fn, best) {
			best = c.fn
		}
	}
	return best
}

func plainer(a, b *types.Func) bool {
	if at, bt := takesText(a), takesText(b); at != bt {
		return at
	}
	if an, bn := takesNothing(a), takesNothing(b); an != bn {
		return bn
	}
	return needed(a.Signature()) < needed(b.Signature())
}

// takesNothing says whether no input is given to a maker.
func takesNothing(fn *types.Func) bool {
	sig := fn.Signature()
	for i := range needed(sig) {
		if stream(sig.Params().At(i).Type()) != writes {
			return false
		}
	}
	return true
}

func takesText(fn *types.Func) bool {
	for p := range fn.Signature().Params().Variables() {
		if name, _ := native(p.Type()); name == "string" || name == "[]byte" {
			return true
		}
	}
	return false
}

// changing lists the names of the methods that change a value. made says that
// constructors make it: what reads it from elsewhere is not needed then.
func (w *writer) changing(n *types.Named, made bool) (list []string) {
	for sel := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		fn, ok := sel.Obj().(*types.Func)
		switch {
		case !ok || !fn.Exported() && n.Obj().Exported() || !fn.Exported() && fn.Pkg() != w.fn.Pkg():
		case waits[fn.Name()] || made && unmarshals(fn.Name()):
		case !w.changes(fn.Origin()) || w.touches != nil && w.touches(fn.Origin()):
		case len(list) < mostOps && w.drawn(fn.Signature(), n):
			list = append(list, fn.Name())
		}
	}
	return list
}

// waits are the methods that may wait for others, or after which a value is not to be used.
var waits = map[string]bool{"Lock": true, "Unlock": true, "RLock": true, "RUnlock": true, "Wait": true, "Close": true}

// unmarshals says whether a method has the name of one that makes the value of a text.
func unmarshals(name string) bool {
	return strings.HasPrefix(name, "Unmarshal") || name == "GobDecode" || name == "Scan"
}

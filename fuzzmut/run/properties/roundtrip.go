package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// textRoundTrips: what a value says of itself can be read again. Parse and String.
func textRoundTrips(a *api) (all []Family) {
	for _, parse := range a.funcs {
		sig := parse.Signature()
		n, at := (*types.Named)(nil), textParam(sig)
		if at < 0 || !valued(sig.Results()) || !a.reads(parse) {
			continue
		}
		if n = named(sig.Results().At(0).Type()); n == nil || n.Obj().Pkg() != a.pkg {
			continue
		}
		if show := a.method(n, "String"); show != nil && isStringMethod(show) {
			all = append(all, a.readAgain(parse, show, at))
		}
	}
	for _, n := range a.types {
		all = append(all, a.formsReadAgain(n)...)
	}
	return slices.DeleteFunc(all, func(f Family) bool { return len(f) == 0 })
}

// formsReadAgain: what a method returns, a function that is named after it reads. Bytes and FromBytes.
func (a *api) formsReadAgain(n *types.Named) (all []Family) {
	for _, show := range a.methods[n.Obj().Name()] {
		sig := show.Signature()
		if show.Name() == "String" || sig.Params().Len() != 0 || !valued(sig.Results()) || !isText(sig.Results().At(0).Type()) {
			continue
		}
		for _, read := range a.funcs {
			from := read.Signature()
			if readsForm(read.Name(), show.Name(), n.Obj().Name()) && from.Params().Len() == 1 && !from.Variadic() && isText(from.Params().At(0).Type()) &&
				valued(from.Results()) && named(from.Results().At(0).Type()) == n && a.of(read) != nil {
				all = append(all, a.readAgain(read, show, 0))
			}
		}
	}
	return all
}

// readsForm says whether a function is named after what a method returns: FromBytes, IDFromBytes, NewIDFromBytes.
func readsForm(reads, form, typ string) bool {
	form = strings.TrimPrefix(form, "To")
	reads = strings.TrimPrefix(strings.TrimPrefix(reads, "New"), typ)
	return reads == "From"+form || reads == "Parse"+form || reads == "Decode"+form
}

// reads says whether a function may read a text form: it takes nothing else of weight, and
// its name does not say that it takes other bytes.
func (a *api) reads(fn *types.Func) bool {
	bytes := strings.HasSuffix(fn.Name(), "Bytes") || strings.HasPrefix(fn.Name(), "FromBytes")
	if strings.HasPrefix(fn.Name(), "Must") || a.surface.Must(fn) != nil || !strings.HasPrefix(fn.Name(), "Parse") && bytes {
		return false
	}
	for p := range fn.Signature().Params().Variables() {
		if !isNative(p.Type()) {
			return false
		}
	}
	return true
}

// textParam is the only parameter that is a text; -1: there is none, or there are several.
func textParam(sig *types.Signature) int {
	at := -1
	for i := range sig.Params().Len() {
		if isText(sig.Params().At(i).Type()) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// readAgain: parse reads what show says of a value that parse has made. show is a method
// without parameters, or a function of one.
func (a *api) readAgain(parse, show *types.Func, at int) Family {
	sig := parse.Signature()
	t := sig.Results().At(0).Type()
	family := a.readable(func() *sketch { return a.of(parse) }, t, func(s *sketch, e equality) *Property {
		v, again, text := s.Local("v"), s.Local("again"), s.Local("printed")
		if !s.bind(v, call(parse, s.exprs()), sig.Results(), "return") {
			return nil
		}
		res := show.Signature().Results()
		if !s.bind(text, call(show, []string{v}), res, "return") {
			return nil
		}
		args := s.exprs()
		args[at] = s.convert(text, res.At(0).Type(), sig.Params().At(at).Type())
		first, shown := s.shown(parse, s.Args)
		other := slices.Clone(s.Args)
		other[at] = target.Arg{Format: "%q", Operands: []string{text}}
		second, shownToo := s.shown(parse, other)
		leave := fmt.Sprintf("t.Fatalf(%q, %s)", second+", which is "+first+" as text, is not read", strings.Join(slices.Concat(shownToo, shown), ", "))
		if sig.Results().Len() == 2 && isError(sig.Results().At(1).Type()) {
			leave = fmt.Sprintf("t.Fatalf(%q, %s, err)", first+" as text is %q: %v", strings.Join(append(slices.Clone(shown), text), ", "))
		}
		if e.differ == "" {
			if sig.Results().Len() != 2 || !isError(sig.Results().At(1).Type()) {
				return nil
			}
			s.linef("if _, err := %s; err != nil {\n%s\n}", call(parse, args), leave)
			return s.property(RoundTrip, parse.Name()+"RoundTrip", fmt.Sprintf("%s reads what %s returns.", short(parse), short(show)), false, parse, show)
		}
		s.bind(again, call(parse, args), sig.Results(), leave)
		s.reports(s.condition(e, v, again), fmt.Sprintf("%s = %[2]s, but %[3]s = %[2]s", first, e.verb, second),
			slices.Concat(shown, []string{v}, shownToo, []string{again})...)
		return s.property(RoundTrip, parse.Name()+"RoundTrip",
			fmt.Sprintf("%s reads what %s returns, as a value that is %s.", short(parse), short(show), e.word), false, parse, show)
	})
	if p := a.kept(parse, show, at); p != nil && len(family) > 0 {
		family = slices.Insert(family, 0, p)
	}
	return family
}

// kept is the strictest round trip: what is written is what was read. Of a form that has one text for each
// value it holds.
func (a *api) kept(parse, show *types.Func, at int) *Property {
	s := a.of(parse)
	v, text := s.Local("v"), s.Local("printed")
	sig, res := parse.Signature(), show.Signature().Results()
	if !s.bind(v, call(parse, s.exprs()), sig.Results(), "return") || !s.bind(text, call(show, []string{v}), res, "return") {
		return nil
	}
	t, was := sig.Params().At(at).Type(), s.Args[at]
	first, shown := s.shown(parse, s.Args)
	e := s.equalities(t)[0]
	s.reports(s.condition(e, s.convert(text, res.At(0).Type(), t), was.Expr), first+" is written as %q", append(shown, text)...)
	return s.property(RoundTrip, parse.Name()+"RoundTrip", fmt.Sprintf("%s returns what %s has read.", short(show), short(parse)), true, parse, show)
}

// opposites are words of names for the two directions of a conversion.
var opposites = [][2]string{
	{"WriteTo", "ReadFrom"},
	{"Encode", "Decode"},
	{"Marshal", "Unmarshal"},
	{"Escape", "Unescape"},
	{"Quote", "Unquote"},
	{"Pack", "Unpack"},
	{"Compress", "Decompress"},
	{"Compress", "Uncompress"},
	{"Format", "Parse"},
	{"Print", "Parse"},
	{"Serialize", "Deserialize"},
	{"Serialise", "Deserialise"},
	{"Serialize", "Parse"},
	{"Encrypt", "Decrypt"},
	{"Zip", "Unzip"},
	{"Wrap", "Unwrap"},
	{"Dump", "Load"},
	{"Write", "Read"},
	{"To", "From"},
	{"Join", "Split"},
	{"Value", "Scan"},
	{"Render", "Parse"},
	{"Stringify", "Parse"},
	{"String", "Parse"},
	{"Flatten", "Unflatten"},
	{"Shift", "Unshift"},
	{"Hex", "Unhex"},
	{"Save", "Load"},
}

// inverse says whether the name of a function is that of the inverse of another.
func inverse(out, back string) bool {
	if a, b, ok := strings.Cut(out, "To"); ok && a != "" && b != "" && (back == b+"To"+a || back == a+"From"+b) {
		return true // UTF16ToUTF8
	}
	for _, pair := range opposites {
		if rest, ok := strings.CutPrefix(out, pair[0]); ok && back == pair[1]+rest {
			return true
		}
		if rest, ok := strings.CutSuffix(out, pair[0]); ok && back == rest+pair[1] {
			return true
		}
		if before, after, ok := strings.Cut(out, pair[0]); ok && back == before+pair[1]+after {
			return true
		}
	}
	return false
}

// codecs: what one function makes of a value, another turns into that value.
func codecs(a *api) (all []Family) {
	for _, out := range a.funcs {
		for _, back := range a.funcs {
			if inverse(out.Name(), back.Name()) && out != back {
				if f := a.codec(out, back); len(f) > 0 {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// codec is the round trip by two functions: the first parameter of each is the value, or what stands for
// it, and others are settings, which both are given. Where the first takes values that a fuzz test does
// not have, it begins with the second.
func (a *api) codec(out, back *types.Func) Family {
	from, to := out.Signature(), back.Signature()
	if !sameSettings(from, to) || !valued(from.Results()) || !valued(to.Results()) {
		return nil
	}
	value, text := from.Params().At(0).Type(), to.Params().At(0).Type()
	code := from.Results().At(0).Type()
	if !types.Identical(to.Results().At(0).Type(), value) || !types.Identical(code, text) && !(isText(code) && isText(text)) {
		return nil
	}
	if a.of(out) == nil {
		if a.of(back) == nil || !isText(text) || from.Params().Len() > 1 {
			return nil
		}
		return a.readAgain(back, out, 0)
	}
	return a.variants(func() *sketch { return a.of(out) }, value, func(s *sketch, e equality) *Property {
		v, got, coded := s.Args[0], s.Local("got"), s.Local("coded")
		s.bind(coded, call(out, s.exprs()), from.Results(), "return")
		first, shown := s.shown(out, s.Args)
		leave := fmt.Sprintf("t.Fatalf(%q, %s)", first+" is not read by "+back.Name(), strings.Join(shown, ", "))
		if to.Results().Len() == 2 && isError(to.Results().At(1).Type()) {
			leave = fmt.Sprintf("t.Fatalf(%q, %s, err)", back.Name()+" of "+first+": %v", strings.Join(shown, ", "))
		}
		args := s.exprs()
		args[0] = s.convert(coded, code, text)
		s.bind(got, call(back, args), to.Results(), leave)
		s.reports(s.condition(e, got, v.Expr), fmt.Sprintf("%s of %s = %s", back.Name(), first, e.verb), append(shown, got)...)
		return s.property(RoundTrip, out.Name()+"RoundTrip",
			fmt.Sprintf("%s turns what %s returns into the value that this was given.", short(back), short(out)), false, out, back)
	})
}

// sameSettings says whether two functions have the same parameters after the first, which both have.
func sameSettings(from, to *types.Signature) bool {
	n := from.Params().Len()
	if n == 0 || n != to.Params().Len() || from.Variadic() || to.Variadic() {
		return false
	}
	for i := 1; i < n; i++ {
		if p := from.Params().At(i).Type(); !isNative(p) || !types.Identical(p, to.Params().At(i).Type()) {
			return false
		}
	}
	return true
}

// writers lists the pairs of methods of a type by which a value becomes a text, or bytes, and
// is set from them.
func (a *api) writers(n *types.Named) (pairs [][2]*types.Func) {
	for _, out := range a.methods[n.Obj().Name()] {
		for _, back := range a.methods[n.Obj().Name()] {
			if !inverse(out.Name(), back.Name()) || out == back {
				continue
			}
			from, to := out.Signature(), back.Signature()
			if from.Params().Len() != 0 || !valued(from.Results()) || to.Params().Len() != 1 || to.Results().Len() == 0 || to.Results().Len() > 2 ||
				!isError(to.Results().At(to.Results().Len()-1).Type()) || !pointed(back) {
				continue
			}
			code, text := from.Results().At(0).Type(), to.Params().At(0).Type()
			if types.AssignableTo(code, text) || isText(code) && isText(text) {
				pairs = append(pairs, [2]*types.Func{out, back})
			}
		}
	}
	return pairs
}

// pointed says whether a method has a pointer as its receiver.
func pointed(m *types.Func) bool {
	_, ok := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
	return ok
}

// set is the source that sets a value by a method, in the head of an if statement.
func set(back *types.Func, receiver, arg string) string {
	return strings.Repeat("_, ", back.Signature().Results().Len()-1) + "err := " + receiver + "." + back.Name() + "(" + arg + ")"
}

// blank declares a value to be set by a method: what New returns, or the zero value. It returns
// whether that is a pointer.
func (s *sketch) blank(name string, n *types.Named) (pointer bool) {
	fn, ok := s.api.pkg.Scope().Lookup("New" + n.Obj().Name()).(*types.Func)
	if ok && fn.Signature().TypeParams().Len() == 0 && fn.Signature().Params().Len() == 0 && fn.Signature().Results().Len() == 1 && named(fn.Signature().Results().At(0).Type()) == n {
		s.linef("%s := %s()", name, fn.Name())
		_, pointer = types.Unalias(fn.Signature().Results().At(0).Type()).(*types.Pointer)
		return pointer
	}
	s.linef("var %s %s", name, s.TypeName(n))
	return false
}

// onlyUTF8 leaves out texts that are not in UTF-8 where a method writes JSON, which has no others.
func (s *sketch) onlyUTF8(out *types.Func) {
	if texts := s.Texts(); out.Name() == "MarshalJSON" && len(texts) > 0 {
		s.linef("if !%s.ValidString(%s) {\nreturn\n}", s.Use("unicode/utf8"), strings.Join(texts, "+"))
	}
}

// methodCodecs: a value that a method sets from what another has returned is equal to the
// first. MarshalText and UnmarshalText.
func methodCodecs(a *api) (all []Family) {
	for _, n := range a.types {
		if !a.sketchable(n) {
			continue // parserMethods has them
		}
		for _, pair := range a.writers(n) {
			out, back := pair[0], pair[1]
			from := out.Signature()
			value := types.Type(n)
			if _, isPointer := a.valueType(n).(*types.Pointer); isPointer {
				value = types.NewPointer(n)
			}
			f := a.readable(func() *sketch { return a.of(out) }, value, func(s *sketch, e equality) *Property {
				v, coded, got := s.Args[0], s.Local("coded"), s.Local("got")
				s.onlyUTF8(out)
				s.bind(coded, call(out, s.exprs()), from.Results(), "return")
				right := got
				switch is := s.blank(got, n); {
				case is && value == n:
					right = "*" + got
				case !is && value != n:
					right = "&" + got
				}
				s.linef("if %s; err != nil {\nt.Fatalf(%q, %s)\n}", set(back, got, s.convertTo(coded, from.Results().At(0).Type(), back.Signature().Params().At(0).Type())),
					back.Name()+" of "+v.Format+": %v", strings.Join(append(slices.Clone(v.Operands), "err"), ", "))
				if e.differ == "" {
					return s.property(RoundTrip, n.Obj().Name()+out.Name()+"RoundTrip", fmt.Sprintf("%s reads what %s returns.", short(back), short(out)), false, out, back)
				}
				s.reports(s.condition(e, parenthesized(right, e), v.Expr), fmt.Sprintf("%s of %s of %s = %s", back.Name(), out.Name(), v.Format, e.verb), append(slices.Clone(v.Operands), right)...)
				return s.property(RoundTrip, n.Obj().Name()+out.Name()+"RoundTrip",
					fmt.Sprintf("%s sets a value from what %s returns that is %s.", short(back), short(out), e.word), false, out, back)
			})
			if len(f) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// parenthesized is an address as the receiver of a method.
func parenthesized(expr string, e equality) string {
	if strings.HasPrefix(e.differ, "!%[1]s.") || strings.HasPrefix(e.differ, "%[1]s.") {
		if strings.HasPrefix(expr, "&") {
			return strings.TrimPrefix(expr, "&") // a variable: its address is taken
		}
		if strings.HasPrefix(expr, "*") {
			return "(" + expr + ")"
		}
	}
	return expr
}

// convertTo is convert, but for what can be assigned.
func (s *sketch) convertTo(expr string, from, to types.Type) string {
	if types.AssignableTo(from, to) {
		return expr
	}
	return s.convert(expr, from, to)
}

// parserMethods: what a value writes that was read is written again where it is read. The
// reader is a method, as ReadFromString. Of values that a fuzz test has anyway methodCodecs has laws as well.
func parserMethods(a *api) (all []Family) {
	for _, n := range a.types {
		for _, pair := range a.writers(n) {
			out, back := pair[0], pair[1]
			name := n.Obj().Name() + out.Name() + "RoundTrip"
			if a.sketchable(n) {
				name = n.Obj().Name() + back.Name() + "RoundTrip"
			}
			text := back.Signature().Params().At(0)
			if !isText(text.Type()) {
				continue
			}
			from := out.Signature()
			f := a.readable(func() *sketch { return a.sketch([]*types.Var{text}, a.surface.Seeds(back)) }, from.Results().At(0).Type(), func(s *sketch, e equality) *Property {
				v, again, first, second := s.Local(variable(n)), s.Local("again"), s.Local("first"), s.Local("second")
				s.blank(v, n)
				s.linef("if %s; err != nil {\nreturn\n}", set(back, v, s.Args[0].Expr))
				s.bind(first, call(out, []string{v}), from.Results(), "return")
				s.blank(again, n)
				s.linef("if %s; err != nil {\nt.Fatalf(%q, %s, %s, err)\n}", set(back, again, s.convertTo(first, from.Results().At(0).Type(), text.Type())),
					"%q is written as %q: %v", strings.Join(s.Args[0].Operands, ", "), first)
				if e.differ == "" {
					return s.property(RoundTrip, name, fmt.Sprintf("%s reads what %s returns.", short(back), short(out)), false, out, back)
				}
				leave := "t.Fatal(err)"
				if from.Results().Len() == 2 && !isError(from.Results().At(1).Type()) {
					leave = "t.Fatal(\"it is not written again\")"
				}
				s.bind(second, call(out, []string{again}), from.Results(), leave)
				s.reports(s.condition(e, first, second), fmt.Sprintf("%%q is written as %[1]s, and that as %[1]s", e.verb), append(slices.Clone(s.Args[0].Operands), first, second)...)
				return s.property(RoundTrip, name,
					fmt.Sprintf("%s reads what %s returns, and this returns the same again.", short(back), short(out)), false, out, back)
			})
			if len(f) > 0 {
				all = append(all, append(a.restored(name, n, out, back), f...))
			}
		}
	}
	return all
}

// restored are the strictest round trips of a value that a method sets: what is written is what was read,
// and what is read of that is an equal value.
func (a *api) restored(name string, n *types.Named, out, back *types.Func) (family Family) {
	text, from := back.Signature().Params().At(0), out.Signature().Results()
	begin := func() (s *sketch, v, first string, pointer bool) {
		s = a.sketch([]*types.Var{text}, a.surface.Seeds(back))
		v, first = s.Local(variable(n)), s.Local("first")
		pointer = s.blank(v, n)
		s.linef("if %s; err != nil {\nreturn\n}", set(back, v, s.Args[0].Expr))
		s.bind(first, call(out, []string{v}), from, "return")
		return s, v, first, pointer
	}
	s, _, first, _ := begin()
	was := s.Args[0]
	written := s.convertTo(first, from.At(0).Type(), text.Type())
	s.reports(s.condition(s.equalities(text.Type())[0], written, was.Expr), was.Format+" is written as %q", append(slices.Clone(was.Operands), first)...)
	family = append(family, s.property(RoundTrip, name, fmt.Sprintf("%s returns what %s has read.", short(out), short(back)), true, out, back))
	s, v, first, pointer := begin()
	equal := s.equalities(n)
	if len(equal) == 0 || equal[0].word != "equal" {
		return family
	}
	again := s.Local("again")
	s.blank(again, n)
	s.linef("if %s; err != nil {\nt.Fatalf(%q, %s, %s, err)\n}", set(back, again, s.convertTo(first, from.At(0).Type(), text.Type())), was.Format+" is written as %q: %v", strings.Join(was.Operands, ", "), first)
	if pointer {
		v, again = "*"+v, "*"+again
	}
	s.reports(s.condition(equal[0], v, again), fmt.Sprintf("%s is read as %[2]s, and what is written of that as %[2]s", was.Format, equal[0].verb), append(slices.Clone(was.Operands), v, again)...)
	return append(family, s.property(RoundTrip, name, fmt.Sprintf("%s reads what %s returns, as a value that is equal.", short(back), short(out)), true, out, back))
}

// sketchable says whether a fuzz test has values of a type.
func (a *api) sketchable(n *types.Named) bool {
	return a.made([]*types.Var{param("v", a.valueType(n))}, nil) != nil
}

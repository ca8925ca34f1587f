package properties

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/relations"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// A Probe is a fuzz test that shows what calls are given, and what they return, as a row of values. What
// holds in many rows may be a property.
type Probe struct {
	*Property
	// Shown fails with the row, so that a worker reports it.
	Shown   *Property
	Columns []relations.Column

	about string // the calls, for sentences
	names string // the functions, for names
	fns   []*types.Func
	// begin makes the calls, and leaves where there is nothing to see. Of several results, or calls, it
	// leaves out those whose names are not used.
	begin   func(uses func(name string) bool) *sketch
	results []string // names of what is returned
	least   int      // results that a relation has to be about
}

// Mark is before each row that a probe shows.
const Mark = "fuzzmut row "

// Bounds of what is asked.
const (
	groupMost     = 16 // functions that are asked together
	pairsMost     = 12
	observersMost = 14 // of one value
	rowMost       = 1 << 13
	shownMost     = 1800 // of a message
)

// Probes lists what to ask about the functions of a package: about each, what its arguments and results
// have to do with each other; about those with the same parameters, what they have to do with each other.
func Probes(r *load.Result) []*Probe {
	a := newAPI(r)
	var list []*Probe
	for _, fn := range a.callable() {
		if p := a.alone(fn); p != nil {
			list = append(list, p)
		}
	}
	list = slices.Concat(list, a.together(), a.pairs())
	var families []Family
	for _, p := range list {
		families = append(families, Family{p.Property}, Family{p.Shown})
	}
	Rename(r, families)
	return list
}

// askable says whether the results of a function depend on its arguments alone, and it leaves these as
// they are.
func (a *api) askable(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Results().Len() > 0 && a.surface.Closed(fn) && (sig.Recv() == nil || !a.changes(fn)) && a.surface.Must(fn) == nil && !changesArgument(fn)
}

// sketched begins a probe with the arguments of a function, or nil if it has none.
func (a *api) sketched(fn *types.Func) *sketch {
	if !a.askable(fn) {
		return nil
	}
	if s := a.of(fn); s != nil && len(s.Inputs) > 0 {
		return s
	}
	return nil
}

// alone is the probe of one function.
func (a *api) alone(fn *types.Func) *Probe {
	if a.sketched(fn) == nil || a.observes(fn) {
		return nil
	}
	res := fn.Signature().Results()
	p := &Probe{about: "each call of " + short(fn), names: camel(fn), fns: []*types.Func{fn}, results: make([]string, res.Len()), least: 1}
	p.begin = func(uses func(string) bool) *sketch {
		s := a.of(fn)
		p.call(s, fn, uses)
		return s
	}
	s := p.begin(always)
	params, _ := a.params(fn)
	for i, param := range params {
		p.see(s, s.Args[i].Expr, param.Type(), relations.Column{Value: i})
	}
	seen := len(p.Columns)
	for i, name := range p.results {
		if name != "" {
			p.see(s, name, res.At(i).Type(), relations.Column{Value: len(params) + i, Result: true})
		}
	}
	if len(p.Columns) == seen {
		return nil
	}
	return p.finish()
}

// call adds the call of a function, and leaves where it returns an error, or a pointer to nothing.
func (p *Probe) call(s *sketch, fn *types.Func, uses func(string) bool) {
	var left, leaves []string
	for r := range fn.Signature().Results().Variables() {
		if isError(r.Type()) {
			left = append(left, s.errorName(left))
			leaves = append(leaves, left[len(left)-1]+" != nil")
			continue
		}
		name := s.Local(resultName(r, len(left)))
		if p.results[len(left)] = name; !uses(name) {
			name = "_"
		} else if _, pointer := types.Unalias(r.Type()).(*types.Pointer); pointer {
			leaves = append(leaves, name+" == nil")
		}
		left = append(left, name)
	}
	s.linef("%s := %s", strings.Join(left, ", "), call(fn, s.exprs()))
	if len(leaves) > 0 {
		s.linef("if %s {\nreturn\n}", strings.Join(leaves, " || "))
	}
}

// errorName is the name of an error among names: another one if what makes the arguments has one, too.
func (s *sketch) errorName(names []string) string {
	if slices.Contains(names, "err") || slices.ContainsFunc(s.body, func(line string) bool { return mentions(line, "err") }) {
		return s.Local("callErr")
	}
	return "err"
}

// resultName is what a caller calls a result.
func resultName(r *types.Var, at int) string {
	switch {
	case r.Name() != "" && r.Name() != "_":
		return r.Name()
	case at > 0 && basic(r.Type()) == "bool":
		return "ok"
	}
	return "got"
}

// observes says whether a method only says something of its receiver: together with the others it
// is asked what.
func (a *api) observes(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Recv() != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && basic(sig.Results().At(0).Type()) != ""
}

// basic is the basic type below a type whose values are compared; "": it has none.
func basic(t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if ok && b.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0 && b.Kind() != types.Uintptr {
		return b.Name()
	}
	return ""
}

// see adds the columns of a value: itself, how long it is, its fields, and what methods without arguments
// return.
func (p *Probe) see(s *sketch, expr string, t types.Type, at relations.Column) {
	add := func(expr, observer string, t types.Type) bool {
		at.Expr, at.Observer, at.Basic = expr, observer, basic(t)
		if at.Basic == "" {
			return false
		}
		at.Type = s.TypeName(t)
		p.Columns = append(p.Columns, at)
		return true
	}
	addressed := strings.IndexFunc(expr, func(r rune) bool { return strings.ContainsRune(".*&() ", r) }) < 0
	if strings.ContainsAny(expr[:1], "*&") {
		expr = "(" + expr + ")"
	}
	add(expr, "", t)
	switch t.Underlying().(type) {
	case *types.Slice:
		if isBytes(t) {
			add("string("+expr+")", "", types.Typ[types.String])
		}
		add("len("+expr+")", "len", types.Typ[types.Int])
	case *types.Map:
		add("len("+expr+")", "len", types.Typ[types.Int])
	case *types.Basic:
		if isString(t) {
			add("len("+expr+")", "len", types.Typ[types.Int])
		}
	}
	for _, f := range fields(t) {
		add(expr+"."+f.Name(), f.Name(), f.Type())
	}
	observers := s.api.observers(t, addressed)
	for _, m := range observers[:min(len(observers), observersMost)] {
		add(expr+"."+m.Name()+"()", m.Name(), m.Signature().Results().At(0).Type())
	}
}

// fields are the exported fields of a struct, or of what a pointer points to.
func fields(t types.Type) (list []*types.Var) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Exported() {
				list = append(list, f)
			}
		}
	}
	return list
}

// observers are the methods that say something of a value and take nothing. Of types of other packages
// those of values count, which do not change them. addressed says that a variable has the value, so that
// methods of pointers can be called on it.
func (a *api) observers(t types.Type, addressed bool) (list []*types.Func) {
	n := named(t)
	if n == nil || n.Obj().Pkg() == nil || types.IsInterface(n) {
		return nil
	}
	own := n.Obj().Pkg() == a.pkg
	for sel := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		m, ok := sel.Obj().(*types.Func)
		if !ok || !m.Exported() || m.Signature().Params().Len() > 0 || m.Signature().Results().Len() != 1 || basic(m.Signature().Results().At(0).Type()) == "" {
			continue
		}
		_, pointer := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
		if own && m.Pkg() == a.pkg && a.surface.Closed(m) && !a.changes(m) && (addressed || !pointer) || !own && !pointer {
			list = append(list, m)
		}
	}
	return list
}

// parameters is what two functions have in common that can be asked the same.
func (a *api) parameters(fn *types.Func) string {
	var b strings.Builder
	params, _ := a.params(fn)
	for _, p := range params {
		fmt.Fprintf(&b, "%s, ", types.TypeString(p.Type(), nil))
	}
	return b.String()
}

// together are the probes of functions that can be asked the same, and answer with a basic value, or with
// whether it is an error.
func (a *api) together() (list []*Probe) {
	by := make(map[string][]*types.Func)
	var order []string
	for _, fn := range a.callable() {
		if a.sketched(fn) == nil || !isError(last(fn)) && (fn.Signature().Results().Len() > 1 || basic(last(fn)) == "") {
			continue
		}
		key := a.parameters(fn)
		if by[key] == nil {
			order = append(order, key)
		}
		by[key] = append(by[key], fn)
	}
	for _, key := range order {
		if fns := by[key]; len(fns) > 1 {
			list = append(list, a.group(fns[:min(len(fns), groupMost)]))
		}
	}
	return list
}

// last is the type of the last result of a function that has any.
func last(fn *types.Func) types.Type {
	res := fn.Signature().Results()
	return res.At(res.Len() - 1).Type()
}

// seeded is the first function that tests give arguments to, or the first.
func (a *api) seeded(fns ...*types.Func) *types.Func {
	if i := slices.IndexFunc(fns, func(fn *types.Func) bool { return len(a.seeds(fn)) > 0 }); i >= 0 {
		return fns[i]
	}
	return fns[0]
}

// answer adds the call of a function if its answer is used, and returns the name of that: what it returns,
// or whether it returns no error.
func (s *sketch) answer(fn *types.Func, uses func(string) bool) string {
	plain := target.Variable(fn.Name())
	if !isError(last(fn)) {
		name := s.Local(plain)
		if uses(name) {
			s.linef("%s := %s", name, call(fn, s.exprs()))
		}
		return name
	}
	name, err := s.Local(plain+"OK"), s.Local(plain+"Err")
	if uses(name) {
		s.linef("%s%s := %s", strings.Repeat("_, ", fn.Signature().Results().Len()-1), err, call(fn, s.exprs()))
		s.linef("%s := %s == nil", name, err)
	}
	return name
}

// group is the probe of functions that are asked the same.
func (a *api) group(fns []*types.Func) *Probe {
	first := a.seeded(fns...)
	p := &Probe{about: "calls of " + short(first) + " and others with the same arguments", names: camel(first) + "AndOthers", fns: fns, least: 1}
	p.begin = func(uses func(string) bool) *sketch {
		s := a.of(first)
		p.results = nil
		for _, fn := range fns {
			p.results = append(p.results, s.answer(fn, uses))
		}
		return s
	}
	s := p.begin(always)
	params, _ := a.params(first)
	for i, param := range params {
		if isNative(param.Type()) {
			p.see(s, s.Args[i].Expr, param.Type(), relations.Column{Value: i})
		}
	}
	for i, fn := range fns {
		t := last(fn)
		if isError(t) {
			t = types.Typ[types.Bool]
		}
		p.see(s, p.results[i], t, relations.Column{Value: len(params) + i, Result: true})
	}
	return p.finish()
}

// pairs are the probes of two functions that make values of one type of the same texts or numbers: how
// these differ where both make one.
func (a *api) pairs() (list []*Probe) {
	by := make(map[string][]*types.Func)
	for _, fn := range a.funcs {
		res := fn.Signature().Results()
		if a.sketched(fn) == nil || !valued(res) || named(res.At(0).Type()) == nil || named(res.At(0).Type()).Obj().Pkg() != a.pkg {
			continue
		}
		key := a.parameters(fn) + types.TypeString(res.At(0).Type(), nil)
		for _, other := range by[key] {
			if p := a.pair(other, fn); p != nil && len(list) < pairsMost {
				list = append(list, p)
			}
		}
		by[key] = append(by[key], fn)
	}
	return list
}

func (a *api) pair(one, two *types.Func) *Probe {
	p := &Probe{about: "calls of " + short(one) + " and " + short(two) + " with the same arguments", names: camel(one) + "And" + camel(two), fns: []*types.Func{one, two}, least: 2}
	p.begin = func(uses func(string) bool) *sketch {
		s := a.of(a.seeded(one, two))
		p.results = []string{s.Local("one"), s.Local("other")}
		s.bind(p.results[0], call(one, s.exprs()), one.Signature().Results(), "return")
		s.bind(p.results[1], call(two, s.exprs()), two.Signature().Results(), "return")
		return s
	}
	s := p.begin(always)
	for i, fn := range []*types.Func{one, two} {
		p.see(s, p.results[i], fn.Signature().Results().At(0).Type(), relations.Column{Value: i, Result: true})
	}
	if len(p.Columns) == 0 {
		return nil
	}
	return p.finish()
}

// always uses all names.
func always(string) bool { return true }

// finish writes the fuzz tests of a probe: they show a row.
func (p *Probe) finish() *Probe {
	p.Property = p.shows("Rows", "Log", rowMost)
	p.Shown = p.shows("Shown", "Error", shownMost)
	return p
}

// shows is a fuzz test that hands a row to a method of its T.
func (p *Probe) shows(name, method string, most int) *Property {
	s := p.begin(func(name string) bool {
		return slices.ContainsFunc(p.Columns, func(c relations.Column) bool { return mentions(c.Expr, name) })
	})
	var list []string
	for _, c := range p.Columns {
		to := c.Basic
		switch {
		case strings.HasPrefix(to, "int") || to == "rune":
			to = "int64"
		case to != "bool" && to != "string":
			to = "uint64"
		}
		list = append(list, to+"("+c.Expr+")")
	}
	// What panics shows nothing.
	s.body = append([]string{"defer func() { _ = recover() }()"}, s.body...)
	row := s.Local("row")
	s.linef("%s := %s.Sprintf(%q, []interface{}{%s})", row, s.Use("fmt"), Mark+"%#v", strings.Join(list, ", "))
	s.linef("if len(%s) <= %d {\nt.%s(%[1]s)\n}", row, most, method)
	return s.property(Relation, p.names+name, "Rows of "+p.about+".", true, p.fns...)
}

// Claim is the property that relations hold; nil: none is about enough of the results.
func (p *Probe) Claim(list []relations.Relation) *Property {
	if list = p.Telling(list); len(list) == 0 {
		return nil
	}
	return p.claim(list)
}

// Telling leaves out relations that are not about enough of the results.
func (p *Probe) Telling(list []relations.Relation) []relations.Relation {
	return slices.DeleteFunc(slices.Clone(list), func(r relations.Relation) bool {
		n := 0
		for _, name := range p.results {
			if mentions(r.Fails, name) {
				n++
			}
		}
		return n < p.least
	})
}

// mentions says whether source has a name.
func mentions(source, name string) bool {
	return name != "" && slices.Contains(strings.FieldsFunc(source, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), name)
}

// claim is Claim.
func (p *Probe) claim(list []relations.Relation) *Property {
	s := p.begin(func(name string) bool {
		return slices.ContainsFunc(list, func(r relations.Relation) bool { return mentions(r.Fails, name) })
	})
	var given, operands, checks []string
	for _, a := range s.Args {
		given, operands = append(given, a.Format), append(operands, a.Operands...)
	}
	for _, r := range list {
		fails := r.Fails
		if r.Package != "" {
			fails = strings.ReplaceAll(fails, r.Package+".", s.Use(r.Package)+".")
		}
		format := strings.Join(given, ", ") + ": "
		for i, expr := range r.Shows {
			format += strings.Repeat(", ", min(i, 1)) + expr + " = %#v"
		}
		check := wanted + r.Holds
		s.reports(fails, format+strings.ReplaceAll(check, "%", "%%"), slices.Concat(operands, r.Shows)...)
		checks = append(checks, r.Holds)
	}
	made := s.property(Relation, p.names+"Related", "In "+p.about+", "+strings.Join(checks, "; ")+". That is what the code does today.", true, p.fns...)
	made.probe, made.relations = p, list
	return made
}

// wanted is before what a failure of a relation wants.
const wanted = "; want: "

// Narrowed is a property of relations that checks those which are needed to fail with each of some
// messages; nil: it has no others.
func (p *Property) Narrowed(messages []string) *Property {
	var kept []relations.Relation
	left := slices.Clone(messages)
	for len(left) > 0 {
		best, most := -1, 0
		for i, r := range p.relations {
			if n := len(left) - len(without(left, r)); n > most {
				best, most = i, n
			}
		}
		if best < 0 {
			break
		}
		kept, left = append(kept, p.relations[best]), without(left, p.relations[best])
	}
	if len(kept) == 0 || len(kept) == len(p.relations) {
		return nil
	}
	narrow := p.probe.claim(kept)
	narrow.Name, narrow.Plain = p.Name, p.Plain
	return narrow
}

// without leaves out the messages in which a relation does not hold.
func without(messages []string, r relations.Relation) []string {
	return slices.DeleteFunc(slices.Clone(messages), func(m string) bool { return strings.Contains(m+"\n", wanted+r.Holds+"\n") })
}

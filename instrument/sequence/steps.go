package sequence

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/named"
)

// A Steps is what one input does.
type Steps struct {
	sequence *Sequence
	list     []*step
}

// calledMost is how long the text of what functions were called with is at most that a test compares: a
// person reads it.
const calledMost = 300

// step is one call that was made.
type step struct {
	call   *call
	on     *value // the receiver; nil: none
	args   []arg
	seen   []string // of its results
	ends   bool     // it panics
	makes  []*value // by result; nil for one that is not kept
	buffer string   // a variable
	called string   // what functions were called with
	calls  string   // the variable that has it
}

// arg is an argument: source, or a value that a step has made.
type arg struct {
	source  string
	named   string // the same by constants, or as a character; "": there are none
	value   *value
	pointer bool
	held    string // of an empty interface: what the call has put into it, quoted; "": nothing that is seen
}

// value is something that a step has made.
type value struct {
	kind    int
	pointer bool // the variable of it is a pointer
	used    bool // by a later step
	name    string
	element string // "[1]" of the last element of a list, ".(*Tree)" of what an interface holds; "": it is all of it
	of      *value // the interface
}

// use notes that a later step uses a value.
func (v *value) use() {
	if v.used = true; v.of != nil {
		v.of.use()
	}
}

// expr is the value as source, once what it is of has a name.
func (v *value) expr() string {
	if v.of != nil {
		return v.of.expr() + v.element
	}
	return v.name
}

// Read reads an input of the fuzz test: what it does, as far as what it has shown says that
// it was done. It returns false if this can't be the statements of a test.
func (s *Sequence) Read(args []any, seen []string) (*Steps, bool) {
	ops, texts, ok := s.inputs(args)
	if !ok {
		return nil, false
	}
	r := &reader{Sequence: s, texts: texts, seen: seen, values: make([][]*value, len(s.kinds))}
	for n := 0; n < s.most && len(ops) >= s.width && len(r.seen) > 0 && !r.bad; n++ {
		r.step(ops[:s.width])
		ops = ops[s.width:]
	}
	if r.bad || len(r.seen) > 0 {
		return nil, false
	}
	steps := &Steps{sequence: s, list: r.steps}
	steps.trim()
	return steps, len(steps.list) > 0
}

// inputs are what the fuzz test is given.
func (s *Sequence) inputs(args []any) (ops []byte, texts []string, ok bool) {
	if len(args) != 3 {
		return nil, nil, false
	}
	ops, isBytes := args[0].([]byte)
	text, isText := args[1].(string)
	text2, isText2 := args[2].(string)
	return ops, append([]string{text, text2, ""}, s.texts...), isBytes && isText && isText2
}

// reader reads an input.
type reader struct {
	*Sequence
	texts  []string
	made   []string // that calls have returned or written
	seen   []string // what is not read so far
	values [][]*value
	steps  []*step
	bad    bool
}

// step reads one record. Steps without the values that they need are left out.
func (r *reader) step(op []byte) {
	at := func(i int) int { return int(op[i] - zero) }
	c := r.calls[at(0)%len(r.calls)]
	st := &step{call: c}
	if c.receiver >= 0 {
		if st.on = pick(r.values[c.receiver], at(1)); st.on == nil {
			return
		}
	}
	for i, p := range c.params {
		a, ok := r.arg(p, at(i+2))
		if !ok {
			return
		}
		if st.args = append(st.args, a); p.form == writerParam {
			st.buffer = writerMark
		}
	}
	r.take(st)
}

// writerMark stands for a buffer that has no name yet.
const writerMark = "buffer"

// pick is the value that a byte says, counted from the last; nil: there is none.
func pick(list []*value, n int) *value {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1-n%len(list)]
}

// arg reads an argument; false: there is no such value.
func (r *reader) arg(p param, n int) (arg, bool) {
	text := r.text(n)
	switch p.form {
	case textParam:
		return arg{source: quoted(text)}, true
	case bytesParam:
		if p.convert != "" {
			return arg{source: p.convert + "(" + quoted(text) + ")"}, true
		}
		return arg{source: "[]byte(" + quoted(text) + ")"}, true
	case boolParam:
		return arg{source: strconv.FormatBool(n%2 == 1)}, true
	case numberParam:
		if p.signed {
			n = int(int8(n))
		}
		return arg{source: strconv.Itoa(n), named: r.named(p.of, int64(n))}, true
	case writerParam:
		return arg{source: "&" + writerMark}, true
	case readerParam:
		return arg{source: "strings.NewReader(" + quoted(text) + ")"}, true
	case contextParam:
		return arg{source: "context.Background()"}, true
	case choiceParam:
		n = int(byte(n))
		return arg{source: filled(p.choices[n%len(p.choices)], quoted(r.text(n/len(p.choices))))}, true
	case anyParam:
		return r.anyValue(p, n), true
	case listParam:
		return r.list(p, n), true
	}
	var list []*value
	for _, k := range p.kinds {
		list = append(list, r.values[k]...)
	}
	v := pick(list, n)
	return arg{value: v, pointer: p.pointer}, v != nil
}

// text is the text that a byte says.
func (r *reader) text(n int) string {
	if n >= madeFrom && len(r.made) > 0 {
		return r.made[len(r.made)-1-(n-madeFrom)%len(r.made)]
	}
	return r.texts[n%len(r.texts)]
}

// takeTexts keeps the texts of a step for later ones.
func (r *reader) takeTexts(st *step) {
	for i, seen := range st.seen {
		isBuffer := i >= len(st.call.results)
		if isBuffer && st.buffer == "" || !isBuffer && !st.call.results[i].isText() {
			continue
		}
		if s, err := strconv.Unquote(seen); err == nil && s != "" && len(s) <= textMost {
			r.made = append(r.made, s)
		}
	}
}

// list reads a list.
func (r *reader) list(p param, n int) arg {
	var elems []string
	for i := range n % (listMost + 1) {
		a, _ := r.arg(*p.elem, int(byte(n+i*listStep)))
		elems = append(elems, a.source)
	}
	if p.spread {
		return arg{source: strings.Join(elems, ", ")}
	}
	if len(elems) == 0 {
		return arg{source: "nil"}
	}
	return arg{source: p.typ + "{" + strings.Join(elems, ", ") + "}"}
}

// take reads what a step has shown, and keeps what it has made.
func (r *reader) take(st *step) {
	if len(st.call.unless) > 0 && r.seen[0] == leftOut {
		r.seen = r.seen[1:]
		return
	}
	r.steps = append(r.steps, st)
	if r.seen[0] == panicked || r.seen[0] == crashed {
		st.ends, r.bad = true, r.seen[0] == crashed || st.call.function == "" // nothing was called
		r.seen = r.seen[1:]
		return
	}
	n := len(st.call.results)
	if st.buffer != "" {
		n++
	}
	if st.call.records() {
		n++
	}
	n = max(n+st.call.any(), 1)
	if len(r.seen) < n {
		r.bad = true
		return
	}
	st.seen, r.seen = r.seen[:n], r.seen[n:]
	if st.call.records() {
		if called := st.seen[n-1]; len(called) <= calledMost {
			st.called = called
		}
		st.seen = st.seen[:n-1]
	}
	st.takeHeld()
	failed := false
	for i, res := range st.call.results {
		failed = failed || res.form == asError && st.seen[i] != isNilText
	}
	for i, res := range st.call.results {
		var v *value
		seen, _, _ := res.divided(st.seen[i])
		if res.form == kept && res.there(seen) && !failed {
			v = &value{kind: res.kind, pointer: res.pointer}
			if n, err := strconv.Atoi(seen); res.several && err == nil {
				v.element = "[" + strconv.Itoa(n-1) + "]"
			}
			r.keep(v, res, seen)
		}
		st.makes = append(st.makes, v)
	}
	r.takeTexts(st)
}

// keep keeps a value for later steps, and what it holds, by the type that was seen.
func (r *reader) keep(v *value, res result, seen string) {
	if res.kind != noKind {
		r.values[res.kind] = append(r.values[res.kind], v)
	}
	if res.isTyped() {
		seen, _, _ = strings.Cut(unquoted(seen), " ")
	}
	for _, k := range res.holds {
		if !res.several && seen == r.dynamicType(k) {
			r.values[k] = append(r.values[k], &value{kind: k, pointer: true, of: v, element: ".(" + r.kinds[k].element() + ")"})
		}
	}
}

// dynamicType is what fmt says of the type of pointers of a kind.
func (s *Sequence) dynamicType(kind int) string {
	obj := s.kinds[kind].named.Obj()
	return "*" + obj.Pkg().Name() + "." + obj.Name()
}

// there says whether there is a value to keep, by what was seen of a result.
func (r result) there(seen string) bool {
	switch {
	case r.several:
		return seen != "0"
	case r.isTyped():
		return seen != typedNil
	}
	return !r.pointer || seen != isNilText
}

// trim marks the values that are used, and leaves out zero values that nothing uses. Calls
// that show nothing stay: with a mutant they may panic.
func (s *Steps) trim() {
	defer func() {
		s.list = slices.DeleteFunc(s.list, func(st *step) bool { return st.call.function == "" && !st.makes[0].used })
	}()
	for _, st := range s.list {
		if st.on != nil {
			st.on.use()
		}
		for _, a := range st.args {
			if a.value != nil {
				a.value.use()
			}
		}
	}
}

// Wide says whether a call returns an int or uint of more than 32 bits, as a test would compare it.
func (s *Steps) Wide() bool {
	return slices.ContainsFunc(s.list, func(st *step) bool {
		for i, seen := range st.seen {
			if i < len(st.call.results) && st.call.results[i].isWide(seen) {
				return true
			}
		}
		return false
	})
}

// isWide says whether a number was seen of a result that does not fit into 32 bits, which an int has on some systems.
func (r result) isWide(seen string) bool {
	if r.form == dynamic {
		_, err := strconv.ParseInt(seen, 10, 64)
		return err == nil && !named.Narrow(types.Typ[types.Int], seen) // no other number is seen
	}
	return r.form == literal && r.of != nil && !named.Narrow(r.of, seen)
}

// Fails says whether the sequence ends in an error or a panic.
func (s *Steps) Fails() bool {
	last := s.list[len(s.list)-1]
	if last.ends {
		return true
	}
	for i, r := range last.call.results {
		if r.fails(last.seen[i]) {
			return true
		}
	}
	return false
}

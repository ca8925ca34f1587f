package sequence

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// A paramForm says what stands for an argument.
type paramForm int

const (
	noParam      paramForm = iota
	textParam              // one of the texts
	bytesParam             // likewise, as bytes
	numberParam            // a small number
	boolParam              // an even or odd byte
	keptParam              // a value that a call has made
	writerParam            // a buffer, whose text is a result
	readerParam            // of one of the texts
	contextParam           // the empty one
	choiceParam            // one of few literals
	listParam              // some texts, numbers or bools
	anyParam               // what tests give for an empty interface, a text or a number
)

// param is a parameter of a call.
type param struct {
	form    paramForm
	convert string     // the type that an argument is converted to; "": it has it
	of      types.Type // of a number
	signed  bool       // of a number
	kinds   []int      // of values that may be given
	pointer bool       // to them
	choices []string   // literals
	typ     string     // of choices, or of a list
	elem    *param     // of a list
	records bool       // choices are functions that note what they are called with
	spread  bool       // the elements of a list are arguments
}

// paramOf says what stands for arguments of a type.
func (s *Sequence) paramOf(t types.Type, name string) param {
	convert := ""
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if n.Obj().Pkg() != nil && !s.canName(n.Obj().Pkg().Path()) {
			return standardParam(n)
		}
		convert = s.source(t)
	}
	elem, pointer := t, false
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		elem, pointer = p.Elem(), true
		if types.TypeString(elem, nil) == "bytes.Buffer" {
			return param{form: writerParam}
		}
	}
	if i := s.kindOf(elem); i >= 0 && !s.kinds[i].iface {
		return param{form: keptParam, kinds: []int{i}, pointer: pointer}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		p := basicParam(u, convert)
		p.of = t
		return p
	case *types.Slice:
		if b, ok := types.Unalias(u.Elem()).(*types.Basic); ok && b.Kind() == types.Byte {
			return param{form: bytesParam, convert: convert}
		}
		if p := s.listOf(t, u.Elem()); p.form != noParam {
			return p
		}
	case *types.Interface:
		if u.Empty() {
			return param{form: numberParam, signed: true}
		}
		if p := s.implementing(u, s.source(t)); p.form != noParam {
			return p
		}
	}
	if list := s.choices(t, name); len(list) > 0 {
		return param{form: choiceParam, choices: list, typ: s.source(t), records: strings.Contains(list[0], callsMark)}
	}
	return param{}
}

// listOf is an argument that is a list of texts, numbers or bools.
func (s *Sequence) listOf(t, elem types.Type) param {
	b, ok := elem.Underlying().(*types.Basic)
	if !ok || !s.nameable(t) {
		return param{}
	}
	convert := ""
	if n, ok := types.Unalias(elem).(*types.Named); ok {
		convert = s.source(n)
	}
	if p := basicParam(b, convert); p.form != noParam {
		return param{form: listParam, typ: s.source(t), elem: &p}
	}
	return param{}
}

// standardParam is what stands for an argument of a type of another package.
func standardParam(n *types.Named) param {
	switch types.TypeString(n, nil) {
	case "io.Writer":
		return param{form: writerParam}
	case "io.Reader":
		return param{form: readerParam}
	case "context.Context":
		return param{form: contextParam}
	}
	name := types.TypeString(n, nil)
	if list := standardChoices[name]; list != nil {
		return param{form: choiceParam, choices: list, typ: name}
	}
	return param{}
}

func basicParam(b *types.Basic, convert string) param {
	switch info := b.Info(); {
	case info&types.IsString != 0:
		return param{form: textParam, convert: convert}
	case info&types.IsBoolean != 0:
		return param{form: boolParam, convert: convert}
	case info&(types.IsInteger|types.IsFloat) != 0 && b.Kind() != types.Uintptr:
		if convert == "" && b.Kind() != types.Int {
			convert = b.Name()
		}
		return param{form: numberParam, convert: convert, signed: info&types.IsUnsigned == 0}
	}
	return param{}
}

// implementing is an argument of an interface: any value that implements it.
func (s *Sequence) implementing(t *types.Interface, convert string) (p param) {
	for i, k := range s.kinds {
		if types.Implements(k.stored(), t) {
			p = param{form: keptParam, convert: convert, kinds: append(p.kinds, i), pointer: true}
		}
	}
	return p
}

// A resultForm says what is seen of a result.
type resultForm int

const (
	nothing  resultForm = iota
	kept                // a value for later calls, and whether it is nil
	literal             // a number, a text or a bool
	dynamic             // such a value in an interface
	asBytes             // bytes, as a text
	asError             // what an error says
	asList              // what fmt says of a list
	asTexts             // likewise, of texts
	asFields            // what fmt says of a struct, or of a list of such, with its fields
	asSource            // what fmt says of a value that tells its source, with %#v
	length              // how many elements there are
	isNil               // whether it is nil
	written             // what is in a buffer
	calls               // what functions were called with
)

// compared says whether a test compares something of a result.
func (r result) compared() bool {
	return r.form != nothing && (r.form != kept || r.said || r.several || r.says)
}

// isText says whether a result is a text that later calls may be given.
func (r result) isText() bool {
	return r.form == asBytes || r.form == literal && r.basic == textForm
}

// result is a result of a call.
type result struct {
	form    resultForm
	kind    int        // of what is kept
	pointer bool       // to it
	said    bool       // of what is kept: it is compared as a struct, too
	several bool       // a list of it: how many are compared, and the last is kept
	holds   []int      // of an interface: the kinds of the pointers that it may hold
	basic   basicForm  // of a literal
	of      types.Type // of a literal, or a function
	says    bool       // it is an error: its text is compared, too
	parts   []part     // and these
	each    bool       // of each element
}

// resultOf says what is seen of results of a type.
func (s *Sequence) resultOf(t types.Type) result { return asFault(s.formOf(t), t) }

// formOf is what is seen of results of a type if they are no errors, or nothing but an error.
func (s *Sequence) formOf(t types.Type) result {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return result{form: asError}
	}
	elem, pointer := t, false
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		elem, pointer = p.Elem(), true
	}
	if i := s.kindOf(elem); i >= 0 && !(pointer && s.kinds[i].iface) {
		return result{form: kept, kind: i, pointer: pointer || s.kinds[i].iface, said: !pointer && s.said(t, 0), holds: s.holding(t)}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		info := u.Info()
		if info&types.IsComplex != 0 || u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr {
			return result{}
		}
		return result{form: literal, basic: basicFormOf(u), of: t}
	case *types.Slice:
		return s.listResult(u.Elem())
	case *types.Struct:
		if s.said(t, 0) {
			return result{form: asFields}
		}
		if tells(t, "GoString") {
			return result{form: asSource}
		}
	case *types.Map:
		if s.said(t, 0) {
			return result{form: asList} // sorted
		}
		return result{form: length}
	case *types.Interface:
		if u.Empty() {
			return result{form: dynamic}
		}
		if holds := s.holding(t); len(holds) > 0 {
			return result{form: kept, kind: noKind, pointer: true, holds: holds}
		}
		return result{form: isNil}
	case *types.Signature:
		return result{form: isNil, of: t}
	case *types.Pointer:
		return result{form: isNil}
	}
	return result{}
}

// isTyped says whether what fmt says of a value is shown after its type: it is in an interface, whose methods depend on
// what it holds.
func (r result) isTyped() bool { return r.form == kept && r.said && r.pointer && !r.several }

// typedNil is what is seen of nil where values are shown after their types.
const typedNil = `"<nil> <nil>"`

// typed is source of a value's type and of what fmt says of it.
func typed(v string) string { return "fmt.Sprintf(\"%T %+v\", " + v + ", " + v + ")" }

// noKind is the kind of an interface of another package: what it holds is kept, and it is not.
const noKind = -1

// holding lists the kinds of pointers that implement an interface with methods.
func (s *Sequence) holding(t types.Type) (kinds []int) {
	u, ok := t.Underlying().(*types.Interface)
	if !ok || u.Empty() {
		return nil
	}
	for i, k := range s.kinds {
		if !k.iface && types.Implements(k.stored(), u) {
			kinds = append(kinds, i)
		}
	}
	return kinds
}

// listResult is what is seen of a list.
func (s *Sequence) listResult(elem types.Type) result {
	if r := s.resultOf(elem); r.form == kept && r.kind != noKind {
		return result{form: kept, kind: r.kind, pointer: r.pointer, several: true}
	}
	switch u := elem.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.Byte:
			return result{form: asBytes}
		case u.Info()&types.IsString != 0:
			return result{form: asTexts}
		case u.Info()&(types.IsInteger|types.IsBoolean|types.IsFloat) != 0 && u.Kind() != types.Uintptr:
			return result{form: asList}
		}
	}
	if s.said(elem, 0) {
		return result{form: asFields}
	}
	if tells(elem, "GoString") {
		return result{form: asSource}
	}
	return result{form: length}
}

// shown is source of what the fuzz test says of a result in a variable. The named functions
// are those of the file.
func (r result) shown(v, function string) string {
	if r.says {
		return r.saying(v, function)
	}
	switch r.form {
	case kept:
		switch {
		case r.several:
			return result{form: length}.shown(v, function)
		case r.isTyped():
			return "strconv.Quote(" + typed(v) + ")"
		case r.said:
			return result{form: asFields}.shown(v, function)
		case !r.pointer:
			return strconv.Quote(notNil)
		case len(r.holds) > 0:
			return function + "Type(" + v + ")"
		}
		return function + "Nil(" + v + " == nil)"
	case isNil:
		return function + "Nil(" + v + " == nil)"
	case asError, dynamic:
		return function + "Text(" + v + ")"
	case asBytes:
		return "strconv.Quote(string(" + v + "))"
	case literal:
		return r.basic.shown(v)
	case asList:
		return "strconv.Quote(fmt.Sprint(" + v + "))"
	case asTexts:
		return `strconv.Quote(fmt.Sprintf("%q", ` + v + "))"
	case asFields:
		return `strconv.Quote(fmt.Sprintf("%+v", ` + v + "))"
	case asSource:
		return `strconv.Quote(fmt.Sprintf("%#v", ` + v + "))"
	case length:
		return "strconv.Itoa(len(" + v + "))"
	case calls:
		return `strconv.Quote(fmt.Sprintf("%q", ` + v + "))"
	case written:
		return "strconv.Quote(" + v + ".String())"
	}
	return strconv.Quote(unknown)
}

// A basicForm says how a literal is written.
type basicForm int

const (
	textForm basicForm = iota
	boolForm
	signedForm
	unsignedForm
	floatForm
	float32Form
)

func basicFormOf(b *types.Basic) basicForm {
	switch info := b.Info(); {
	case info&types.IsString != 0:
		return textForm
	case info&types.IsBoolean != 0:
		return boolForm
	case b.Kind() == types.Float32:
		return float32Form
	case info&types.IsFloat != 0:
		return floatForm
	case info&types.IsUnsigned != 0:
		return unsignedForm
	}
	return signedForm
}

// shown is source of the literal of what is in a variable. A String method is not asked.
func (f basicForm) shown(v string) string {
	switch f {
	case textForm:
		return "strconv.Quote(string(" + v + "))"
	case boolForm:
		return "strconv.FormatBool(bool(" + v + "))"
	case unsignedForm:
		return "strconv.FormatUint(uint64(" + v + "), 10)"
	case floatForm:
		return "strconv.FormatFloat(float64(" + v + "), 'g', -1, 64)"
	case float32Form:
		return "strconv.FormatFloat(float64(" + v + "), 'g', -1, 32)"
	}
	return "strconv.FormatInt(int64(" + v + "), 10)"
}

// What the fuzz test says in place of a result.
const (
	isNilText = "nil"
	notNil    = "not nil"
	unknown   = "?"
	panicked  = "panic"
	crashed   = "crash"
	leftOut   = "left out" // a call that would ask the outside
	errorText = "error "
)

// textFunctions are the functions of the fuzz test that show whether a value is nil, errors and
// what is in interfaces.
func textFunctions(name string) string {
	return fmt.Sprintf(`
func %[1]sNil(yes bool) string {
	if yes {
		return %[2]q
	}
	return %[3]q
}

func %[1]sType(v interface{}) string {
	if v == nil {
		return %[2]q
	}
	return fmt.Sprintf("%%T", v)
}

func %[1]sText(v interface{}) string {
	switch v := v.(type) {
	case nil:
		return %[2]q
	case error:
		return %[5]q + strconv.Quote(v.Error())
	case string:
		return strconv.Quote(v)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return %[4]q
}
`, name, isNilText, notNil, unknown, errorText)
}

package sequence

import (
	"go/constant"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Script is what a test does with the values of a package: calls in turn. A fuzz test over
// sequences begins with those that it can make.
type Script []Do

// A Do is a call of a script, a zero value, a literal, or a field or variable that is set.
type Do struct {
	Function string // full name; "" for the others
	Type     string // of the receiver, of the zero value or of what has the field; "" if there is none
	Field    string // "Settings.Strict"
	Receiver *Made
	Args     []Arg // of what is set: the value; of a literal its source
	Results  []*Made
}

// A Made is a value that a call of a script makes.
type Made struct{ _ byte }

// An Arg is an argument of a call of a script. What is not known is the zero Arg.
type Arg struct {
	Constant constant.Value
	Made     *Made
	Source   string // of a literal
}

// Bounds on what is taken from scripts.
const (
	scriptsMost = 128 // inputs
	windowsMost = 4   // of one script
)

// coded is a call of a script that the fuzz test can make.
type coded struct {
	*Do
	at   int // in calls
	call *call
}

// coded are the calls of a script that the fuzz test can make.
func (s *Sequence) coded(script Script) (list []coded) {
	for i := range script {
		do := &script[i]
		if at := slices.IndexFunc(s.calls, func(c *call) bool { return s.does(c, do) }); at >= 0 {
			list = append(list, coded{do, at, s.calls[at]})
		}
	}
	return list
}

// does says whether a call is what a script does.
func (s *Sequence) does(c *call, do *Do) bool {
	on := ""
	if c.receiver >= 0 {
		on = s.kinds[c.receiver].named.Obj().Name()
	}
	switch {
	case do.Field != "":
		return c.setting && c.function == do.Field && on == do.Type
	case do.Function == "":
		return c.function == "" && len(c.params) == len(do.Args) && s.kinds[c.results[0].kind].named.Obj().Name() == do.Type
	}
	return c.fn != nil && !c.field && c.fn.FullName() == do.Function && on == do.Type
}

// scriptTexts are the texts that scripts give to calls.
func (s *Sequence) scriptTexts(scripts []Script) (texts []string) {
	for _, script := range scripts {
		for _, c := range s.coded(script) {
			for _, a := range c.Args {
				if a.Constant != nil && a.Constant.Kind() == constant.String {
					texts = append(texts, constant.StringVal(a.Constant))
				}
			}
		}
	}
	return texts
}

// scriptSeeds are inputs that do what scripts do.
func (s *Sequence) scriptSeeds(scripts []Script) (list []seed) {
	for _, script := range scripts {
		all := s.coded(script)
		windows, step := windowsMost, s.most/2
		if s.most == 1 { // each call
			windows, step = len(all), 1
		}
		for n := range windows {
			end := min(s.most+n*step, len(all))
			if in := s.window(all[:end]); in.ops != "" && !slices.Contains(list, in) {
				list = append(list, in)
			}
			if end == len(all) {
				break
			}
		}
	}
	if n := len(list); n > scriptsMost {
		for i := range scriptsMost {
			list[i] = list[i*n/scriptsMost]
		}
		list = list[:scriptsMost]
	}
	return list
}

// window is an input of the last calls of a list, with what makes the values that they need.
func (s *Sequence) window(list []coded) seed {
	maker := make(map[*Made]int)
	for i, c := range list {
		for _, m := range c.Results {
			maker[m] = i
		}
	}
	chosen := make(map[int]bool)
	for i := len(list) - 1; i >= 0; i-- {
		need := make(map[int]bool)
		needs(list, maker, i, need)
		for k := range chosen {
			need[k] = true
		}
		if len(need) <= s.most {
			chosen = need
		}
	}
	w := &scripted{Sequence: s, made: make([][]*Made, len(s.kinds))}
	for i, c := range list {
		if chosen[i] {
			w.add(c)
		}
	}
	return seed{w.ops.String(), w.inputs}
}

// needs adds a call and those that make what it needs.
func needs(list []coded, maker map[*Made]int, i int, need map[int]bool) {
	need[i] = true
	for _, m := range append([]*Made{list[i].Receiver}, madeOf(list[i].Args)...) {
		if k, ok := maker[m]; ok && m != nil && k < i && !need[k] {
			needs(list, maker, k, need)
		}
	}
}

func madeOf(args []Arg) (list []*Made) {
	for _, a := range args {
		list = append(list, a.Made)
	}
	return list
}

// scripted writes an input, and knows which values there are then, as far as one can tell.
type scripted struct {
	*Sequence
	made   [][]*Made // by kind
	said   []*Made   // texts that calls return
	ops    strings.Builder
	inputs [2]string // the texts of the input, which the search may change: the first ones
	taken  int       // of these
}

// add adds a call, if the values that it needs are there.
func (w *scripted) add(c coded) {
	op := []byte(w.record(c.at))
	if c.call.receiver >= 0 {
		n, ok := back(w.made[c.call.receiver], c.Receiver)
		if !ok {
			return
		}
		op[1] += n
	}
	for i, p := range c.call.params {
		var args []Arg
		if args = c.Args[min(i, len(c.Args)):]; !p.spread {
			args = args[:min(1, len(args))]
		}
		n, ok := w.byteOf(p, args)
		if !ok {
			return
		}
		op[2+i] += n
	}
	for i, r := range c.call.results {
		if r.form == kept {
			m := new(Made)
			if i < len(c.Results) {
				m = c.Results[i]
			}
			w.keep(r, m)
		}
		if r.isText() {
			m := new(Made)
			if i < len(c.Results) {
				m = c.Results[i]
			}
			w.said = append(w.said, m)
		}
	}
	for _, p := range c.call.params {
		if p.form == writerParam {
			w.said = append(w.said, new(Made))
		}
	}
	w.ops.Write(op)
}

// keep notes a value, and what it holds if that can be one kind alone.
func (w *scripted) keep(r result, m *Made) {
	if r.kind != noKind {
		w.made[r.kind] = append(w.made[r.kind], m)
	}
	if len(r.holds) == 1 && !r.several {
		w.made[r.holds[0]] = append(w.made[r.holds[0]], m)
	}
}

// back is how far a value is from the last; of one that is not there that of the last.
func back(list []*Made, m *Made) (byte, bool) {
	if i := slices.Index(list, m); i >= 0 && m != nil {
		return byte(len(list) - 1 - i), true
	}
	return 0, len(list) > 0
}

// byteOf is what stands for arguments of a parameter; 0 if nothing does. false: it needs a value
// that is not there.
func (w *scripted) byteOf(p param, args []Arg) (byte, bool) {
	if p.form == keptParam {
		var list []*Made
		for _, k := range p.kinds {
			list = append(list, w.made[k]...)
		}
		var m *Made
		if len(args) > 0 {
			m = args[0].Made
		}
		return back(list, m)
	}
	if p.form == textParam || p.form == bytesParam || p.form == readerParam {
		if n, ok := w.saidBefore(args); ok {
			return n, true
		}
	}
	want, ok := p.sourceOf(args)
	if !ok {
		return 0, true
	}
	w.take(p, args)
	r := &reader{Sequence: w.Sequence, texts: append([]string{w.inputs[0], w.inputs[1], ""}, w.texts...)}
	for n := range 256 {
		if a, _ := r.arg(p, n); a.source == want {
			return byte(n), true
		}
	}
	return 0, true
}

// saidBefore is the byte of a text that a call before has returned.
func (w *scripted) saidBefore(args []Arg) (byte, bool) {
	if len(args) == 0 || args[0].Made == nil {
		return 0, false
	}
	n, ok := back(w.said, args[0].Made)
	return madeFrom + n, ok && n < 256-madeFrom && slices.Contains(w.said, args[0].Made)
}

// take makes a text an input, if there are not two yet. Of other texts only constants are given.
func (w *scripted) take(p param, args []Arg) {
	if p.form != textParam && p.form != bytesParam && p.form != readerParam || args[0].Constant == nil || args[0].Constant.Kind() != constant.String {
		return
	}
	if text := constant.StringVal(args[0].Constant); w.taken < len(w.inputs) && utf8.ValidString(text) && !slices.Contains(w.inputs[:w.taken], text) {
		w.inputs[w.taken] = text
		w.taken++
	}
}

// sourceOf is the source that a reader makes of arguments; false: they are not known.
func (p param) sourceOf(args []Arg) (string, bool) {
	if p.form == listParam {
		return p.sourceOfList(args)
	}
	if len(args) == 0 {
		return "", false
	}
	c := args[0].Constant
	if p.form == choiceParam || c == nil {
		return args[0].Source, args[0].Source != ""
	}
	switch {
	case c.Kind() == constant.String:
		text := quoted(constant.StringVal(c))
		switch p.form {
		case bytesParam:
			if p.convert == "" {
				return "[]byte(" + text + ")", true
			}
			return p.convert + "(" + text + ")", true
		case readerParam:
			return "strings.NewReader(" + text + ")", true
		}
		return text, p.form == textParam
	case c.Kind() == constant.Bool:
		return strconv.FormatBool(constant.BoolVal(c)), p.form == boolParam
	}
	n, exact := constant.Int64Val(constant.ToInt(c))
	return strconv.FormatInt(n, 10), exact && p.form == numberParam
}

// sourceOfList is that of a list, or of the arguments that are its elements.
func (p param) sourceOfList(args []Arg) (string, bool) {
	if !p.spread {
		return "", false
	}
	var elems []string
	for _, a := range args {
		text, ok := p.elem.sourceOf([]Arg{a})
		if !ok {
			return "", false
		}
		elems = append(elems, text)
	}
	return strings.Join(elems, ", "), true
}

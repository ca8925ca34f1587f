package study

import "encoding/binary"

// An Edit makes a new input from the one that was studied: it puts Text in the place
// of bytes [From, To) of a byte slice or string, or Value in place of a scalar,
// for the sake of Goal.
type Edit struct {
	Goal     Goal
	Mutant   uint32 // the first of the comparison; 0 if it has none
	Arg      int
	From, To int
	Text     string
	Value    any // of the argument's type; nil: Text counts
}

// Apply returns the edited input. It shares no memory that a target could change.
func (e *Edit) Apply(vals []any) []any {
	out := make([]any, len(vals))
	for i, v := range vals {
		switch v := v.(type) {
		case []byte:
			if i == e.Arg {
				out[i] = []byte(e.splice(string(v)))
			} else {
				out[i] = append(make([]byte, 0, len(v)), v...)
			}
		case string:
			out[i] = v
			if i == e.Arg {
				out[i] = e.splice(v)
			}
		default:
			out[i] = v
			if i == e.Arg {
				out[i] = e.Value
			}
		}
	}
	return out
}

func (e *Edit) splice(s string) string { return s[:e.From] + e.Text + s[e.To:] }

// edits gathers edits of one input, each once.
type edits struct {
	vals  []any
	texts []string // by argument; "" for scalars
	list  []Edit
	known map[string]bool
	most  int // length of list
	limit int // length of an argument
}

func newEdits(vals []any, limit int) *edits {
	e := &edits{vals: vals, known: make(map[string]bool), limit: limit}
	for _, v := range vals {
		s, _ := textOf(v)
		e.texts = append(e.texts, s)
	}
	return e
}

// textOf returns the bytes of a byte slice or string.
func textOf(v any) (s string, ok bool) {
	switch v := v.(type) {
	case []byte:
		return string(v), true
	case string:
		return v, true
	}
	return "", false
}

func (e *edits) full() bool { return len(e.list) >= e.most }

// replace adds the edit that puts text in place of bytes [from, to) of an
// argument.
func (e *edits) replace(arg, from, to int, text string) {
	old := e.texts[arg]
	if e.full() || old[from:to] == text || len(old)-(to-from)+len(text) > e.limit {
		return
	}
	var head [12]byte
	binary.LittleEndian.PutUint32(head[:], uint32(arg))
	binary.LittleEndian.PutUint32(head[4:], uint32(from))
	binary.LittleEndian.PutUint32(head[8:], uint32(to))
	e.add(string(head[:])+text, Edit{Arg: arg, From: from, To: to, Text: text})
}

// set adds the edit that sets a scalar to v, which must be comparable.
func (e *edits) set(arg int, v any) {
	if e.full() || e.vals[arg] == v {
		return
	}
	var head [12]byte
	binary.LittleEndian.PutUint32(head[:], uint32(arg))
	binary.LittleEndian.PutUint64(head[4:], scalarBits(v))
	e.add(string(head[:]), Edit{Arg: arg, Value: v})
}

func (e *edits) add(key string, edit Edit) {
	if e.known[key] {
		return
	}
	e.known[key] = true
	e.list = append(e.list, edit)
}

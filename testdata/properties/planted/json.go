package planted

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// The bugs of the encoding.
const (
	JSONEscapesEnd  = 1 + iota // a text that ends with a backslash, or a quotation mark, has it not escaped
	JSONEmptyInside            // an empty list inside an object is null
	JSONLargeNumber            // a number of more than 53 bits loses its last digits
)

// JSON is a value.
type JSON struct {
	Number *int
	Text   *string
	List   []*JSON
	Object map[string]*JSON
}

// write appends the encoding of v, as one with a bug has it.
func (v *JSON) write(b *strings.Builder, bug int, inObject bool) {
	switch {
	case v == nil:
		b.WriteString("null")
	case v.Number != nil && bug == JSONLargeNumber:
		fmt.Fprintf(b, "%.0f", float64(*v.Number))
	case v.Number != nil:
		fmt.Fprint(b, *v.Number)
	case v.Text != nil:
		writeText(b, *v.Text, bug)
	case v.Object != nil:
		b.WriteByte('{')
		for i, k := range slices.Sorted(maps.Keys(v.Object)) {
			if i > 0 {
				b.WriteByte(',')
			}
			writeText(b, k, 0)
			b.WriteByte(':')
			v.Object[k].write(b, bug, true)
		}
		b.WriteByte('}')
	case bug == JSONEmptyInside && inObject && len(v.List) == 0:
		b.WriteString("null")
	default:
		b.WriteByte('[')
		for i, e := range v.List {
			if i > 0 {
				b.WriteByte(',')
			}
			e.write(b, bug, false)
		}
		b.WriteByte(']')
	}
}

func writeText(b *strings.Builder, s string, bug int) {
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case (r == '"' || r == '\\') && !(bug == JSONEscapesEnd && i == len(s)-1):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// tree is the value as package encoding/json has it, with numbers as texts.
func (v *JSON) tree() any {
	switch {
	case v == nil:
		return nil
	case v.Number != nil:
		return json.Number(fmt.Sprint(*v.Number))
	case v.Text != nil:
		return *v.Text
	case v.Object != nil:
		m := make(map[string]any)
		for k, e := range v.Object {
			m[k] = e.tree()
		}
		return m
	}
	list := make([]any, len(v.List))
	for i, e := range v.List {
		list[i] = e.tree()
	}
	return list
}

func (v *JSON) valid() bool {
	if v == nil {
		return true
	}
	for k, e := range v.Object {
		if !utf8.ValidString(k) || !e.valid() {
			return false
		}
	}
	for _, e := range v.List {
		if !e.valid() {
			return false
		}
	}
	return v.Text == nil || utf8.ValidString(*v.Text)
}

// Encodings tests whether what is written is read again by package encoding/json.
func Encodings(bug int) func(*JSON) hunt.Outcome {
	return func(v *JSON) hunt.Outcome {
		if !v.valid() {
			return hunt.Discarded
		}
		var b strings.Builder
		v.write(&b, bug, false)
		d := json.NewDecoder(strings.NewReader(b.String()))
		d.UseNumber()
		var got any
		if d.Decode(&got) != nil || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", v.tree()) {
			return hunt.Failed
		}
		return hunt.Passed
	}
}

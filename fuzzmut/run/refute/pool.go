package refute

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// Bounds of what is kept.
const (
	poolMost  = 4096 // values of one type
	joinsMost = 32
	joinsSeen = 256 // bytes of a text
)

// pool are values that calls take, by type, each once, and what separates parts of texts.
type pool struct {
	r     *rand.Rand
	by    map[reflect.Type][]any
	known map[string]bool
	joins []string // also the empty text
}

func newPool(r *rand.Rand) *pool {
	return &pool{r: r, by: make(map[reflect.Type][]any), known: make(map[string]bool), joins: []string{""}}
}

// add adds a value.
func (p *pool) add(v any) {
	typ := reflect.TypeOf(v)
	key := corpus.Of(v).Key()
	if p.known[key] || len(p.by[typ]) >= poolMost {
		return
	}
	p.known[key] = true
	p.by[typ] = append(p.by[typ], v)
	if text, ok := textOf(v); ok {
		p.separators(text[:min(len(text), joinsSeen)])
	}
}

// separators notes what is between the words of a text.
func (p *pool) separators(text string) {
	for _, c := range text {
		if c == utf8.RuneError || unicode.IsLetter(c) || unicode.IsDigit(c) || len(p.joins) >= joinsMost || slices.Contains(p.joins, string(c)) {
			continue
		}
		p.joins = append(p.joins, string(c))
	}
}

// draw is a value of a type, or another one.
func (p *pool) draw(typ reflect.Type, other any) any {
	if list := p.by[typ]; len(list) > 0 {
		return list[p.r.IntN(len(list))]
	}
	return other
}

// textOf is a value as a text, if it is one.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []byte:
		return string(v), true
	}
	return "", false
}

// compose puts a text together of one, and of a special one or one that calls have taken.
func (p *pool) compose(v any) (any, bool) {
	if _, ok := textOf(v); !ok {
		return nil, false
	}
	typ := reflect.TypeOf(v)
	switch list := specials(typ); p.r.IntN(3) {
	case 0:
		return p.merge(v, list[p.r.IntN(len(list))]), true
	case 1:
		text, _ := textOf(v)
		return reflect.ValueOf(p.respelled(text)).Convert(typ).Interface(), true
	}
	return p.merge(v, p.draw(typ, v)), true
}

// spellings are ways to write a word that often say the same.
var spellings = []func(string) string{
	func(word string) string { return "0" + word },
	func(word string) string { return "+" + word },
	func(word string) string { return "-" + word },
	func(word string) string { return " " + word },
	func(word string) string { return word + " " },
	func(word string) string { return word + "0" },
	strings.ToUpper, strings.ToLower,
}

// respelled writes one word of a text in another way.
func (p *pool) respelled(text string) string {
	words := slices.Collect(wordsOf(text))
	if len(words) == 0 {
		return text
	}
	at := words[p.r.IntN(len(words))]
	return text[:at[0]] + spellings[p.r.IntN(len(spellings))](text[at[0]:at[1]]) + text[at[1]:]
}

// wordsOf yields where words begin and end.
func wordsOf(text string) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		begin := -1
		for i, c := range text + "\x00" {
			switch is := unicode.IsLetter(c) || unicode.IsDigit(c); {
			case is && begin < 0:
				begin = i
			case !is && begin >= 0:
				if !yield([2]int{begin, i}) {
					return
				}
				begin = -1
			}
		}
	}
}

// merge puts two texts together. Of other values it returns one.
func (p *pool) merge(v, other any) any {
	a, text := textOf(v)
	b, _ := textOf(other)
	if !text {
		return other
	}
	joined := p.joined(a, b)
	if _, bytes := v.([]byte); bytes {
		return []byte(joined)
	}
	return joined
}

// step is a number close to another.
func (p *pool) step(v any) (any, bool) {
	at := reflect.ValueOf(v)
	n := reflect.New(at.Type()).Elem()
	by := int64(1 + p.r.IntN(stepMost))
	if p.r.IntN(2) == 0 {
		by = -by
	}
	switch {
	case at.CanInt():
		n.SetInt(at.Int() + by)
	case at.CanUint():
		n.SetUint(at.Uint() + uint64(by))
	case at.CanFloat() && by%2 == 0:
		n.SetFloat(math.Nextafter(at.Float(), math.Inf(int(by))))
	case at.CanFloat():
		n.SetFloat(at.Float() + float64(by))
	default:
		return nil, false
	}
	return n.Interface(), true
}

// stepMost is how far numbers are from each other that are close.
const stepMost = 8

// joined puts two texts together.
func (p *pool) joined(a, b string) string {
	join := p.join(a, b)
	if p.r.IntN(3) == 0 {
		b = p.part(b)
	}
	switch p.r.IntN(4) {
	case 0:
		at := p.r.IntN(len(a) + 1)
		return a[:at] + join + b + a[at:]
	case 1:
		return a[:p.r.IntN(len(a)+1)] + join + b[p.r.IntN(len(b)+1):]
	case 2:
		if join != "" {
			parts := strings.Split(a, join)
			parts[p.r.IntN(len(parts))] = b
			return strings.Join(parts, join)
		}
	}
	return a + join + b
}

// join is what may be between two texts: often it is between the parts of one of them.
func (p *pool) join(a, b string) string {
	if p.r.IntN(2) == 0 {
		return p.joins[p.r.IntN(len(p.joins))]
	}
	var own []string
	for _, j := range p.joins {
		if strings.Contains(a, j) || strings.Contains(b, j) {
			own = append(own, j)
		}
	}
	return own[p.r.IntN(len(own))] // the empty text is in all
}

// part is one word of a text.
func (p *pool) part(text string) string {
	words := slices.Collect(wordsOf(text))
	if len(words) == 0 {
		return text
	}
	at := words[p.r.IntN(len(words))]
	return text[at[0]:at[1]]
}

// shapeMost bounds the text of a shape, of each value.
const shapeMost = 24

// shapeOf is what inputs have in common that differ in their words and numbers alone.
func shapeOf(vals []any) string {
	var b strings.Builder
	for _, v := range vals {
		b.WriteByte(0)
		if text, ok := textOf(v); ok {
			b.WriteString(shapeOfText(text))
			continue
		}
		switch at := reflect.ValueOf(v); {
		case at.CanInt():
			b.WriteString(strconv.Itoa(cmp.Compare(at.Int(), 0)))
		case at.CanFloat():
			x := at.Float()
			b.WriteString(strconv.Itoa(cmp.Compare(x, 0)) + strconv.FormatBool(math.IsInf(x, 0) || math.IsNaN(x)))
		case at.CanUint():
			b.WriteString(strconv.Itoa(cmp.Compare(at.Uint(), 0)))
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String()
}

// shapeOfText is a text with one letter in place of each word.
func shapeOfText(text string) string {
	var b strings.Builder
	word := false
	for _, c := range text {
		is := unicode.IsLetter(c) || unicode.IsDigit(c)
		switch {
		case is && !word:
			b.WriteByte('w')
		case !is:
			b.WriteRune(c)
		}
		if word = is; b.Len() >= shapeMost {
			break
		}
	}
	return b.String()
}

// specials are values of a type at its ends, and others that code often does not think of.
func specials(typ reflect.Type) []any {
	switch typ.Kind() {
	case reflect.Bool:
		return []any{false, true}
	case reflect.Float32, reflect.Float64:
		return convert(typ, math.Inf(1), math.Inf(-1), math.NaN(), 0.0, math.Copysign(0, -1), 1.0, -1.0, 0.5, 1e-15,
			math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		most := int64(1)<<(typ.Bits()-1) - 1
		return convert(typ, int64(0), int64(1), int64(-1), int64(2), most, most-1, -most-1, -most, most/2, int64(utf8.RuneError))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		most := ^uint64(0) >> (64 - typ.Bits())
		return convert(typ, uint64(0), uint64(1), uint64(2), most, most-1, most/2, most/2+1)
	case reflect.String:
		return convert(typ, texts...)
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			return convert(typ, texts...)
		}
	}
	return nil
}

// texts are special.
var texts = []any{
	"", " ", "\x00", "\n", "\t", "0", "-0", "00", "1", "-1", "+1", "1.0", "1e9", "0x1", "NaN", "Inf", "-Inf", "a", "A", "ä", "İ", "ß", "\u00a0", "\ufeff", "\xff",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616", strings.Repeat("a", 300), strings.Repeat("9", 40),
}

// convert is a list of values as values of a type.
func convert(typ reflect.Type, list ...any) (out []any) {
	for _, v := range list {
		out = append(out, reflect.ValueOf(v).Convert(typ).Interface())
	}
	return out
}

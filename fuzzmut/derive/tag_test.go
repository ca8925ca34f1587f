package derive

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

func TestTagsAreRead(t *testing.T) {
	all := []string{"-", "nonnil", "utf8", "min", "max", "oneof", "elem", "key"}
	for _, c := range []struct {
		text string
		want tag
	}{
		{"", tag{}},
		{"-", tag{skip: true}},
		{"nonnil, utf8", tag{nonnil: true, utf8: true}},
		{"min=-3,max=0x10", tag{min: "-3", max: "0x10"}},
		{"oneof=a|b=c|", tag{oneof: []string{"a", "b=c", ""}}},
		{"elem.min=1,key.max=2,elem.elem.nonnil,max=9", tag{max: "9", elem: "min=1,elem.nonnil", key: "max=2"}},
	} {
		got, err := parseTag(c.text, all...)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(tag{})); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", c.text, err, diff)
		}
	}
	for _, c := range []struct {
		text    string
		allowed []string
		want    string
	}{
		{"odd", all[:2], `"odd" does not apply to its type, which takes -, nonnil`},
		{"min=1", nil, "does not apply to its type, which takes none"},
		{"min=1,,max=2", all, `"" does not apply`},
		{"elem.min=1", []string{"min"}, `"elem.min=1" does not apply`},
	} {
		if _, err := parseTag(c.text, c.allowed...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// valuesOf are the values that a codec's terms stand for, in the order of the
// alternatives.
func valuesOf(t *testing.T, c *Codec) (list []string) {
	t.Helper()
	for i := range c.Type().Alts {
		v := makeValue(c, term.Choice(c.Type(), i, nil))
		checkRound(t, c, v)
		list = append(list, fmt.Sprint(v.Elem()))
	}
	return list
}

func TestListedValues(t *testing.T) {
	type colors struct {
		Name  string  `fuzz:"oneof=low|high|"`
		Size  int16   `fuzz:"oneof=-5|0x10|0"`
		Bits  uint32  `fuzz:"oneof=0b11|4294967295"`
		Share float32 `fuzz:"oneof=0.5|-1e3|inf"`
	}
	reg := NewRegistry()
	c, err := reg.Of(reflect.TypeFor[colors]())
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, f := range c.Type().Fields {
		var names []string
		for _, a := range f.Type.Alts {
			names = append(names, a.Name)
		}
		got = append(got, names)
	}
	want := [][]string{{"low", "high", ""}, {"-5", "16", "0"}, {"3", "4294967295"}, {"0.5", "-1000", "+Inf"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// The zero value stands for the first of each.
	first := makeValue(c, c.Type().Default()).Interface().(*colors)
	if *first != (colors{"low", -5, 3, 0.5}) {
		t.Errorf("the default is %+v", first)
	}
	if list := valuesOf(t, mustOf(t, registry(t), reflect.TypeFor[color]())); !slices.Equal(list, []string{"7", "9"}) {
		t.Errorf("of registered values: %q", list)
	}
}

func mustOf(t *testing.T, reg *Registry, rt reflect.Type) *Codec {
	t.Helper()
	c, err := reg.Of(rt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestBadTags(t *testing.T) {
	for _, c := range []struct {
		rtype reflect.Type
		want  string
	}{
		{reflect.TypeFor[struct {
			A int `fuzz:"oneof=1|x"`
		}](), `A has a tag with a bad value: strconv.ParseInt: parsing "x"`},
		{reflect.TypeFor[struct {
			A uint8 `fuzz:"oneof=256"`
		}](), "value out of range"},
		{reflect.TypeFor[struct {
			A float64 `fuzz:"oneof=much"`
		}](), `parsing "much"`},
		{reflect.TypeFor[struct {
			A int `fuzz:"oneof=1|2,min=0"`
		}](), "A has a tag with oneof and a range"},
		{reflect.TypeFor[struct {
			A int8 `fuzz:"max=128"`
		}](), "value out of range"},
		{reflect.TypeFor[struct {
			A uint `fuzz:"min=-1"`
		}](), `parsing "-1"`},
		{reflect.TypeFor[struct {
			A float32 `fuzz:"min=x"`
		}](), "A has a tag with bad bounds"},
		{reflect.TypeFor[struct {
			A float64 `fuzz:"min=2,max=1"`
		}](), "2 is above the maximum 1"},
		{reflect.TypeFor[struct {
			A float64 `fuzz:"min=nan"`
		}](), "is above the maximum"},
		{reflect.TypeFor[struct {
			A float64 `fuzz:"min=0,max=0"`
		}](), "allows only 0"},
		{reflect.TypeFor[struct {
			A string `fuzz:"min=-1"`
		}](), "A has a tag with bad lengths"},
		{reflect.TypeFor[struct {
			A []int `fuzz:"min=3,max=2"`
		}](), "3 is above the maximum 2"},
		{reflect.TypeFor[struct {
			A []int `fuzz:"elem.max=x"`
		}](), `A[] has the tag`},
		{reflect.TypeFor[struct {
			A complex64 `fuzz:"min=1"`
		}](), "does not apply to its type, which takes none"},
	} {
		_, err := NewRegistry().Of(c.rtype)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.Root != c.rtype {
			t.Errorf("%v: %v, want %s", c.rtype, err, c.want)
		}
	}
}

func TestRegistriesRefuse(t *testing.T) {
	ints := func(list ...int) (values []reflect.Value) {
		for _, n := range list {
			values = append(values, reflect.ValueOf(n))
		}
		return values
	}
	reg := NewRegistry()
	for _, c := range []struct {
		err  error
		want string
	}{
		{reg.Values(reflect.TypeFor[int](), nil), "no value of int is given"},
		{reg.Values(reflect.TypeFor[int](), ints(1, 2, 1)), "the value 1 of int is given twice"},
		{reg.Implementations(reflect.TypeFor[expr](), nil), "no implementation of derive.expr is given"},
		{reg.Implementations(reflect.TypeFor[expr](), []any{literal(1), neg{}, literal(2)}), "derive.literal is given twice"},
		{Represent(reg, func(n int) int { return n }, func(n int) int { return n }), "int can't represent itself"},
		{reg.Values(reflect.TypeFor[int](), ints(1, 2)), ""},
		{reg.Values(reflect.TypeFor[int](), ints(3)), "values of int registered twice"},
	} {
		if got := fmt.Sprint(c.err); c.want == "" && c.err != nil || !strings.Contains(got, c.want) {
			t.Errorf("got %s, want %q", got, c.want)
		}
	}
	mustOf(t, reg, reflect.TypeFor[[]int]())
	if err := Mutate(reg, func(_ *rand.Rand, n int) int { return n }); err == nil || !strings.Contains(err.Error(), "registered too late") {
		t.Errorf("late: %v", err)
	}
}

// code is marshaled to a text; a text that is none gives the zero value.
type code struct{ letter byte }

func (c code) MarshalText() ([]byte, error) {
	if c.letter == 'x' {
		return nil, errors.New("no text for x")
	}
	if c.letter == 0 {
		return nil, errors.New("no text for the zero value")
	}
	return []byte{'<', c.letter, '>'}, nil
}

func (c *code) UnmarshalText(text []byte) error {
	if len(text) != 3 || text[0] != '<' || text[2] != '>' {
		c.letter = 'x' // half of the work, then an error
		return errors.New("not in brackets")
	}
	c.letter = text[1]
	return nil
}

func TestTextsStandForWhatTheyAreMarshaledTo(t *testing.T) {
	p := &plan{rtype: reflect.TypeFor[code](), typ: &term.Type{Name: "code"}}
	if !marshaled(p) {
		t.Fatal("it has the methods")
	}
	if err := p.typ.Seal(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]byte{"<a>": 'a', "a": 0, "": 0, "<x>": 0} {
		var c code
		p.set(unsafe.Pointer(&c), &term.Term{Type: p.typ, Text: text})
		if c.letter != want {
			t.Errorf("%q gives %q, want %q", text, c.letter, want)
		}
	}
	for letter, want := range map[byte]string{'a': "<a>", 0: ""} {
		x, err := p.get(unsafe.Pointer(&code{letter}), 1)
		if err != nil || x.Text != want {
			t.Errorf("%q gives %v, %v, want %q", letter, x, err, want)
		}
	}
	if x, err := p.get(unsafe.Pointer(&code{'x'}), 1); err == nil || !strings.Contains(err.Error(), "can't be marshaled: no text for x") {
		t.Errorf("got %v, %v", x, err)
	}
	if marshaled(&plan{rtype: reflect.TypeFor[int](), typ: &term.Type{}}) {
		t.Error("an int has no such methods")
	}
}

func TestErrorsNameThePath(t *testing.T) {
	inner := under(".B", under("[2]", bound("is %d", 7)))
	if got := under(".A", inner).Error(); got != "the value.A.B[2] is 7" {
		t.Errorf("got %s", got)
	}
	other := errors.New("other")
	if under(".A", other) != other {
		t.Error("errors of others are changed")
	}
	root := step{name: "T"}
	if got := root.to(".A").to("[]").String(); got != "T.A[]" {
		t.Errorf("got %s", got)
	}
}

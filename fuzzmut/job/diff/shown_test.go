package diff

import "testing"

func TestAStructWithoutANameIsShownByItsFields(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`struct{ Data []uint8; V interface {} }{Data: []byte("}{"), V: new(any)}`, `{Data: []byte("}{"), V: new(any)}`},
		{"struct{\n\tN int\n}{\n\tN: 1,\n}", "{\n\tN: 1,\n}"},
		{`p.Pair{A: 1}`, `p.Pair{A: 1}`},
		{`[]struct{ N int }{{N: 1}}`, `[]struct{ N int }{{N: 1}}`},
		{`"text"`, `"text"`},
		{`no source {`, `no source {`},
		{"", ""},
	} {
		if got := withoutType(c.source); got != c.want {
			t.Errorf("%s: %s, want %s", c.source, got, c.want)
		}
	}
}

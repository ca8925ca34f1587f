package diff

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// New code that does not end, or ends the process, is not run again outside a worker.
func TestWhatIsShown(t *testing.T) {
	for kind, want := range map[wire.OutcomeKind]bool{
		wire.Pass: true, wire.Skip: true, wire.Fail: true, wire.Panic: true, wire.Fuel: false, wire.Exit: false, wire.Death: false,
	} {
		if got := shows(kind); got != want {
			t.Errorf("%v: %v", kind, got)
		}
	}
}

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

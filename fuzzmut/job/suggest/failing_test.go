package suggest

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A panic that the comment of a function speaks of is no bug, but for one that the runtime finds.
func TestPanicsThatCommentsAnnounce(t *testing.T) {
	r := loadtest.Typed(t, `
// A List has elements.
type List struct{}

// At returns an element. It panics if there is none.
func (l *List) At(n int) int { return 0 }

// First returns an element.
func First(l *List) int { return 0 }
`, "")
	for _, c := range []struct {
		functions []string
		outcome   wire.Outcome
		want      bool
	}{
		{[]string{"First", "(*List).At"}, wire.Outcome{Kind: wire.Panic, Message: "out of range"}, true},
		{[]string{"First"}, wire.Outcome{Kind: wire.Panic, Message: "out of range"}, false},
		{[]string{"(*List).At"}, wire.Outcome{Kind: wire.Panic, Message: "runtime error: index out of range [1] with length 0"}, false},
		{[]string{"(*List).At"}, wire.Outcome{Kind: wire.Panic, Message: "interface conversion: interface {} is string, not int"}, false},
		{[]string{"(*List).At"}, wire.Outcome{Kind: wire.Panic, Message: "assignment to entry in nil map"}, false},
		{[]string{"(*List).At"}, wire.Outcome{Kind: wire.Fuel}, false},
	} {
		if got := announced(r, c.functions, c.outcome); got != c.want {
			t.Errorf("%q, %v: %t", c.functions, c.outcome, got)
		}
	}
}

package trial

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Code that does not end, or ends the process, is not run again outside a worker.
func TestWhatIsShown(t *testing.T) {
	for kind, want := range map[wire.OutcomeKind]bool{
		wire.Pass: true, wire.Skip: true, wire.Fail: true, wire.Panic: true, wire.Fuel: false, wire.Exit: false, wire.Memory: false, wire.Death: false,
	} {
		if got := shows(kind); got != want {
			t.Errorf("%v: %v", kind, got)
		}
	}
}

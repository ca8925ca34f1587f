//go:build unix

package engine

import (
	"context"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What leaves goroutines waiting in no fresh process is dropped. Other failures stay, and nothing
// is dropped of what there was no time to run.
func TestWhatWasAskedForIsConfirmedInFreshProcesses(t *testing.T) {
	e := begun(t, Config{}, 1, "seed")
	for key, inputs := range map[string][]string{"always": {"leak"}, "later": {"a", "b", "c leak"}, "never": {"a", "b"}, "fourth": {"a", "b", "c", "dd leak"}, "dies": {"end"}} {
		for _, words := range inputs {
			e.failed(failures.Failure{Key: key, Input: fake.Input(words), Outcome: wire.Outcome{Kind: wire.Leak}}, 1)
		}
	}
	e.failed(failures.Failure{Key: "panic", Input: fake.Input("seed"), Outcome: wire.Outcome{Kind: wire.Panic}}, 1)
	e.failed(failures.Failure{Key: "counted", Outcome: wire.Outcome{Kind: wire.Leak}}, 1)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := e.ConfirmAsked(over); n > 0 || err == nil {
		t.Errorf("%d are dropped, %v", n, err)
	}
	n, err := e.ConfirmAsked(t.Context())
	if err != nil || n != 3 {
		t.Errorf("%d are dropped, %v", n, err)
	}
	for key, want := range map[string]bool{"always": true, "later": true, "never": false, "fourth": false, "dies": false, "panic": true, "counted": true} {
		if e.Failures.Has(key) != want {
			t.Errorf("%s is kept: %v", key, !want)
		}
	}
}

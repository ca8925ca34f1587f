package loop

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/filter"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// nativeCoverage returns the counters by which the stock engine measures
// coverage. It is bound on injection, in binaries built for that engine.
var nativeCoverage func() []byte

// nativeTarget wraps a fuzz target for the stock engine. Each input is run as
// ever, with the T and the coverage counters that the engine watches. If it
// passes, mutants are run on it; what they do to the counters is undone, and
// each kill raises its own counter, so that the engine keeps the input as
// one that covers something new.
func nativeTarget(ff any, hooks exec.Testing, path string) any {
	n, err := newNative(ff, hooks, path)
	if err != nil {
		fmt.Fprintf(os.Stderr, "fuzzmut: %v\n", err)
		os.Exit(wire.ExitInternal)
	}
	return exec.Adopt(ff, n.run)
}

// native is the state of a wrapped fuzz target.
type native struct {
	target *exec.Target
	cfg    wire.NativeConfig
	x      *exec.Executor
	muts   *mutants.Mutants
	filter filter.Filter
	log    *os.File
	// killed remembers who killed what: the engine runs an input several times
	// before it keeps it, and each time must see the same counters.
	killed map[string][]uint32
	saved  []byte
}

func newNative(ff any, hooks exec.Testing, path string) (*native, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := &native{target: exec.NewTarget(ff, hooks), killed: make(map[string][]uint32)}
	if err := json.Unmarshal(data, &n.cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	n.target.Renew = n.cfg.Init.RenewContext
	// Nobody else maps this memory: a death is the stock engine's to report.
	shared := wire.NewShared(make([]byte, wire.SharedSize))
	if n.x, err = exec.New(n.target, shared, &n.cfg.Init); err != nil {
		return nil, err
	}
	n.muts = mutants.New(n.x, &n.cfg.Init)
	n.filter = filter.New(n.cfg.Filter, n.cfg.K, n.muts, havoc.NewRand(n.cfg.Seed), filter.NewState())
	n.log, err = os.OpenFile(n.cfg.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	return n, err
}

func (n *native) run(t *testing.T, vals []any) {
	n.target.Proto = t
	n.target.Call(t, exec.Clone(vals))
	if t.Failed() || nativeCoverage == nil {
		return
	}
	counters := nativeCoverage()
	n.saved = append(n.saved[:0], counters...)
	kills := n.hunt(vals)
	copy(counters, n.saved)
	if fuzzmutrt.KillHook == nil {
		return
	}
	for _, m := range kills {
		fuzzmutrt.KillHook(int(m))
	}
}

// hunt returns the mutants that the input killed, now or when it was first seen.
func (n *native) hunt(vals []any) []uint32 {
	key := string(wire.Encode(vals))
	if kills, seen := n.killed[key]; seen {
		return kills
	}
	if now, _ := n.filter.Trace(0); !now {
		return nil
	}
	ref := n.muts.Reference(vals, exec.HangFuel, false)
	if ref.Ex.Kind != wire.Pass {
		return nil
	}
	// Without coverage of our own the infected mutants stand for the path.
	path := uint64(14695981039346656037)
	for _, id := range ref.Infected {
		path = havoc.Mix(path ^ uint64(id))
	}
	picked := n.filter.Pick(n.muts.Living(ref.Infected), path, ref.Ex.Burned)
	v, spent := n.muts.RunPicked(vals, picked, ref)
	n.filter.Spent(ref.Ex.Burned, spent, len(v.Kills))
	var kills []uint32
	for _, k := range v.Kills {
		kills = append(kills, k.Mutant)
		if line, err := json.Marshal(k); err == nil {
			n.log.Write(append(line, '\n')) //nolint:errcheck // the log is for the reader's eyes
		}
	}
	if len(kills) > 0 {
		n.killed[key] = kills
	}
	return kills
}

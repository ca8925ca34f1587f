package loop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// nativeOf wraps the target of a program for the stock engine.
func nativeOf(t *testing.T, p *looptest.Program, cfg wire.NativeConfig) (n *native, log string) {
	t.Helper()
	fuzzmutrt.Packages = []*fuzzmutrt.Package{{Path: "p", Counters: p.Counters[:], Slow: p.Slow[:]}}
	log = filepath.Join(t.TempDir(), "kills")
	cfg.Log, cfg.Seed = log, 1
	cfg.Init.MutantFunc = make([]int32, looptest.Static)
	cfg.Init.MutantFunc[looptest.Static-1] = -1
	cfg.Init.Counters, cfg.Init.Funcs = len(p.Counters), len(p.Slow)
	for m := looptest.Swallow; m < looptest.Uninfected; m++ {
		cfg.Init.Dead = append(cfg.Init.Dead, uint32(m)) // not to be run
	}
	data, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if n, err = newNative(p.Run, looptest.Hooks(), path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.log.Close() })
	return n, log
}

// Under the stock engine an input counts its kills, each by its own counter and each time that
// the engine runs it. What mutants do to the counters is undone.
func TestKillsRaiseCountersOfTheStockEngine(t *testing.T) {
	defer func() { nativeCoverage, fuzzmutrt.KillHook = nil, nil }()
	p := &looptest.Program{}
	n, log := nativeOf(t, p, wire.NativeConfig{Filter: "all"})
	nativeCoverage = func() []byte { return p.Counters[:] }
	var raised []int
	fuzzmutrt.KillHook = func(m int) { raised = append(raised, m) }
	want := []int{looptest.Value, looptest.Assertion, looptest.Panic, looptest.Endless}
	for round := range 3 {
		raised, p.Counters[0] = nil, 0
		n.run(t, []any{[]byte("abc")})
		if !slices.Equal(raised, want) {
			t.Errorf("round %d: raised %v, want %v", round, raised, want)
		}
		if p.Counters[0] != 1 {
			t.Errorf("round %d: the function counts %d executions", round, p.Counters[0])
		}
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var logged []int
	for line := range strings.Lines(string(data)) {
		var k wire.Kill
		if err := json.Unmarshal([]byte(line), &k); err != nil {
			t.Fatal(err)
		}
		logged = append(logged, int(k.Mutant))
	}
	if !slices.Equal(logged, want) {
		t.Errorf("logged %v, want each once", logged)
	}
	// A mutant is killed once: another input is kept for what else it does.
	raised = nil
	n.run(t, []any{[]byte("x")})
	if len(raised) > 0 {
		t.Errorf("another input: raised %v", raised)
	}
}

// Without mutants the target runs as always.
func TestTheStockEngineWithoutMutants(t *testing.T) {
	defer func() { nativeCoverage, fuzzmutrt.KillHook = nil, nil }()
	p := &looptest.Program{}
	n, log := nativeOf(t, p, wire.NativeConfig{Filter: "none"})
	nativeCoverage = func() []byte { return p.Counters[:] }
	fuzzmutrt.KillHook = func(m int) { t.Errorf("mutant %d is killed", m) }
	n.run(t, []any{[]byte("abc")})
	if data, err := os.ReadFile(log); err != nil || len(data) > 0 {
		t.Errorf("logged: %q, %v", data, err)
	}
}

func TestAConfigurationThatCanNotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	if _, err := newNative(func(*testing.T, []byte) {}, looptest.Hooks(), path); !os.IsNotExist(err) {
		t.Errorf("none: %v", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := newNative(func(*testing.T, []byte) {}, looptest.Hooks(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("damaged: %v", err)
	}
}

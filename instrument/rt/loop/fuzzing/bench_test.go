package fuzzing

import (
	"encoding/binary"
	"fmt"
	"io"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// benchLoop is a worker of a program with four mutants in each function. An input
// reaches a few of the functions.
func benchLoop(tb testing.TB, mutants int) *Fuzzer {
	tb.Helper()
	funcs := mutants / 4
	counters, slow := make([]uint8, funcs*4), make([]bool, funcs)
	init := &wire.Init{}
	for m := range mutants {
		init.MutantFunc = append(init.MutantFunc, int32(m/4))
	}
	w := looptest.New(tb, init, func(_ *testing.T, b []byte) {
		for _, c := range b {
			fuzzmutrt.Fuel--
			f := int(c) % funcs
			counters[f]++
			if slow[f] && fuzzmutrt.Tracing {
				for m := f*4 + 1; m <= f*4+4; m++ {
					fuzzmutrt.Reached[m/64] |= 1 << (m % 64)
					fuzzmutrt.Infected[m/64] |= 1 << (m % 64)
				}
			}
		}
	}, counters, slow)
	w.Conn = conn.New(nil, io.Discard, w.Conn.Shared)
	l, _ := newFuzzer(w, nil)
	return l
}

var sizes = []int{100, 2000, 20_000}

// BenchmarkPlain measures an execution without the target.
func BenchmarkPlain(b *testing.B) {
	for _, mutants := range sizes {
		b.Run(fmt.Sprint(mutants), func(b *testing.B) {
			l := benchLoop(b, mutants)
			vals := []any{[]byte("an input")}
			for b.Loop() {
				l.Cov.Clear()
				l.Exec.Original(vals, exec.SuspectFuel)
				l.Cov.Novel()
			}
		})
	}
}

// BenchmarkTrace is what a traced execution costs.
func BenchmarkTrace(b *testing.B) {
	for _, mutants := range sizes {
		b.Run(fmt.Sprint(mutants), func(b *testing.B) {
			l := benchLoop(b, mutants)
			vals := []any{[]byte("an input")}
			for b.Loop() {
				l.Muts.Reference(vals, exec.SuspectFuel, false)
			}
		})
	}
}

// BenchmarkEmptyRound measures a round without its executions.
func BenchmarkEmptyRound(b *testing.B) {
	for _, mutants := range sizes {
		b.Run(fmt.Sprint(mutants), func(b *testing.B) {
			l := benchLoop(b, mutants)
			req := &wire.Fuzz{Seed: 1, Limit: exec.SuspectFuel, Filter: "adaptive"}
			for id := range 48 {
				req.Add = append(req.Add, wire.Entry{ID: id, Input: wire.Encode([]any{[]byte("an input")})})
				req.Parents = append(req.Parents, wire.Parent{ID: id, Weight: 1})
			}
			for b.Loop() {
				if err := ask(l, wire.Request{Fuzz: req}); err != nil {
					b.Fatal(err)
				}
				req.Add = nil
			}
		})
	}
}

// BenchmarkLearn takes over a corpus of 10,000 entries.
func BenchmarkLearn(b *testing.B) {
	req := &wire.Fuzz{Seed: 1, Limit: exec.SuspectFuel, Filter: "none"}
	for id := range 10_000 {
		input := binary.BigEndian.AppendUint64(make([]byte, 100), havoc.NewRand(uint64(id)).Uint64())
		req.Add = append(req.Add, wire.Entry{ID: id, Input: wire.Encode([]any{input})})
	}
	l := benchLoop(b, 20_000)
	for b.Loop() {
		if err := ask(l, wire.Request{Fuzz: req}); err != nil {
			b.Fatal(err)
		}
	}
}

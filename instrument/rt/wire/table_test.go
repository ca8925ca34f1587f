package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"
)

func TestTablesOfAProgramComeAcross(t *testing.T) {
	for _, sent := range []Init{
		{},
		{MutantFunc: Funcs{0}, CounterFunc: Funcs{0}, Places: Places{{"a.go", 1, 1}}, Loops: Loops{{0, 1, 1, 1}}},
		{
			MutantFunc: Funcs{-1, 0, 0, 7, -1, math.MaxInt32}, CounterFunc: Funcs{3, 1, 2},
			Places: Places{{"/m/a.go", 1, 200}, {"/m/ü.go", 100_000, 100_003}, {"/m/a.go", 201, 201}, {"", 0, 0}, {"/m/ü.go", 5, 1}},
			Loops:  Loops{{3, 10, 11, 20}, {9, 5, 5, 5}, {math.MaxUint32, 8, 7, 0}, {2, 1, 2, 3}},
		},
	} {
		var buf bytes.Buffer
		if err := Send(&buf, sent); err != nil {
			t.Fatal(err)
		}
		var got Init
		if err := Receive(bufio.NewReader(&buf), &got, MaxRequest); err != nil || !reflect.DeepEqual(got, sent) {
			t.Errorf("got %+v (%v), want %+v", got, err, sent)
		}
	}
}

func TestBrokenTablesAreRefused(t *testing.T) {
	whole := Places{{"a.go", 1, 2}}
	text, err := whole.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	buf, err := decodeText(text)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(buf); n++ {
		var p Places
		if err := p.UnmarshalText(encodeText(buf[:n])); err == nil {
			t.Errorf("%d of %d bytes are taken as %v", n, len(buf), p)
		}
	}
	for _, list := range [][]int{{1, 0, 0}, {-1, 0, 0}, {0, -1, 0, 0}, {0, 1 << 40, 0, 0}} {
		var p Places
		if err := p.UnmarshalText(encodeText(appendVarints(nil, list...))); err == nil {
			t.Errorf("%v is taken as %v", list, p)
		}
	}
	for _, text := range []string{`"gA"`, `"!"`, `"Ag"`} {
		var funcs Funcs
		var loops Loops
		funcsErr, loopsErr := json.Unmarshal([]byte(text), &funcs), json.Unmarshal([]byte(text), &loops)
		if loopsErr == nil || funcsErr == nil && text != `"Ag"` {
			t.Errorf("%s is taken as %v (%v), %v (%v)", text, funcs, funcsErr, loops, loopsErr)
		}
	}
}

// The tables of a program are read by each process, and a process may run one mutant.
func TestTablesOfAProgramAreSmall(t *testing.T) {
	const mutants, funcs, blocks, loops = 10_000, 400, 3000, 200
	data, err := json.Marshal(program(mutants, funcs, blocks, loops))
	if err != nil {
		t.Fatal(err)
	}
	if most := 2*mutants + 2*blocks + 10*funcs + 10*loops; len(data) > most {
		t.Errorf("%d bytes, want at most %d", len(data), most)
	}
}

// BenchmarkInit is the first request for a program with 158,000 mutants.
func BenchmarkInit(b *testing.B) { roundTrip(b, *program(158_000, 5200, 40_000, 1300)) }

// program is the first request for one with these numbers of mutants, functions, blocks and loops.
func program(mutants, funcs, blocks, loops int) *Init {
	init := &Init{Counters: blocks, Funcs: funcs}
	for i := range mutants {
		init.MutantFunc = append(init.MutantFunc, int32(i*funcs/mutants))
	}
	for i := range funcs {
		init.Places = append(init.Places, Place{fmt.Sprintf("/home/user/module/file%d.go", i/100), i % 100 * 20, i%100*20 + 18})
	}
	for i := range blocks {
		init.CounterFunc = append(init.CounterFunc, int32(i*funcs/blocks))
	}
	for i := range loops {
		init.Loops = append(init.Loops, Loop{uint32(i * blocks / loops), i % 500, i%500 + 1, i%500 + 9})
	}
	return init
}

package register

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The mean number of tests after which the generator written by hand finds each
// fault, in the port from which the specification was written: ten runs each, of which
// a second ten differed by up to three times.
var means = [...]float64{
	465, 2936, 727, 2815, 124, 117, 571, 584, 513, 649, 76, 2730, 3174, 873, 1880, 807, 1824,
	2880, 521, 353, 469, 740, 1098, 185, 52, 8, 10, 1043, 1642, 997, 1194, 2114, 1097,
}

func TestFaultsAreFoundAsSoonAsTheyShould(t *testing.T) {
	for fault := 1; fault <= Faults; fault++ {
		const reps = 8
		tests := 0
		for rep := range reps {
			r := rand.New(rand.NewPCG(uint64(fault), uint64(rep)))
			table := New(fault)
			for found := false; !found; {
				if tests++; tests > 1_000_000 {
					t.Fatalf("fault %d is not found", fault)
				}
				c := Draw(r)
				found = table.Check(&c) == Failed
			}
		}
		mean, want := float64(tests)/reps, means[fault-1]
		t.Logf("fault %d: %.0f tests, %.0f expected", fault, mean, want)
		if mean < want/5 || mean > want*5 {
			t.Errorf("fault %d: %.0f tests, %.0f expected", fault, mean, want)
		}
	}
}

func TestNothingIsFoundWithoutAFault(t *testing.T) {
	const cases = 30_000
	r := rand.New(rand.NewPCG(1, 1))
	table := New(0)
	kept := 0
	for range cases {
		c := Draw(r)
		switch table.Check(&c) {
		case Failed:
			t.Fatalf("%+v", c)
		case Passed:
			kept++
		}
	}
	t.Logf("%d of %d cases not discarded", kept, cases)
	if share := float64(kept) / cases; share < 0.5 { // 0.69 in the port
		t.Errorf("%.3f of the cases are not discarded", share)
	}
}

func TestFaultsOfTheTable(t *testing.T) {
	right := rules()
	for fault, want := range map[int]string{
		1: "Mov: res []", 3: "Load: res [2 0] next [4 1]", 5: "Store: check [4]", 8: "Write: check [0 2]", 12: "BinOp: res [1]",
		15: "Jump: next [0]", 18: "BNZ: next [0]", 21: "BCall: res [1 4 0] next [4]", 25: "BRet: res [1 2] next []",
		27: "Alloc: res [0]", 33: "MLab: res []",
	} {
		faulty, got := New(fault), ""
		for op, name := range map[Op]string{
			Mov: "Mov", Load: "Load", Store: "Store", Write: "Write", BinOp: "BinOp", Jump: "Jump", BNZ: "BNZ", BCall: "BCall",
			BRet: "BRet", Alloc: "Alloc", MLab: "MLab",
		} {
			a, b := right[op], faulty[op]
			differs := ""
			for _, part := range []struct {
				name string
				a, b []operand
			}{{"check", a.Check, b.Check}, {"res", a.Res, b.Res}, {"next", a.Next, b.Next}} {
				if fmt.Sprint(part.a) != fmt.Sprint(part.b) {
					differs += fmt.Sprintf(" %s %v", part.name, part.b)
				}
			}
			if differs != "" {
				got += name + ":" + differs
			}
		}
		if got != want {
			t.Errorf("fault %d: %s, want %s", fault, got, want)
		}
	}
	if fmt.Sprint(New(Faults+1)) != fmt.Sprint(&right) {
		t.Error("there are more faults")
	}
}

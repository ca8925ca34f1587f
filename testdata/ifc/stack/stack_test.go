package stack

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The mean number of tests after which the generator written by hand finds each
// fault, in the port from which the specification was written.
var means = [...]float64{
	11, 54, 47, 175, 55, 33, 81, 12, 169, 220,
	23, 131, 68, 14, 62, 190, 215, 742, 160, 47,
}

func TestFaultsAreFoundAsSoonAsTheyShould(t *testing.T) {
	for fault := 1; fault <= Faults; fault++ {
		const reps = 100
		tests := 0
		for rep := range reps {
			r := rand.New(rand.NewPCG(uint64(fault), uint64(rep)))
			table := New(fault)
			for {
				tests++
				if p := Draw(r); table.Check(&p) == Failed {
					break
				}
				if tests > 10_000_000 {
					t.Fatalf("fault %d is not found", fault)
				}
			}
		}
		mean, want := float64(tests)/reps, means[fault-1]
		t.Logf("fault %d: %.0f tests, %.0f expected", fault, mean, want)
		if mean < want/2.5 || mean > want*2.5 {
			t.Errorf("fault %d: %.0f tests, %.0f expected", fault, mean, want)
		}
	}
}

// A blind copy finds faults, too: without feedback, in tests by the thousand.
func TestBlindCopiesFindFaults(t *testing.T) {
	for fault, want := range map[int]float64{1: 1763, 6: 1304, 7: 870, 8: 931} {
		const reps = 60
		tests := 0
		for rep := range reps {
			r := rand.New(rand.NewPCG(uint64(fault), uint64(rep)))
			table := New(fault)
			for found := false; !found; {
				tests++
				p := DrawBlind(r)
				found = table.Check(&p) == Failed
			}
		}
		if mean := float64(tests) / reps; mean < want/2 || mean > want*2 {
			t.Errorf("fault %d: %.0f tests, %.0f expected", fault, mean, want)
		}
	}
}

func TestNothingIsFoundWithoutAFault(t *testing.T) {
	const pairs = 300_000
	r := rand.New(rand.NewPCG(1, 1))
	table := New(0)
	kept := 0
	for range pairs {
		p := Draw(r)
		switch table.Check(&p) {
		case Failed:
			t.Fatalf("%+v", p)
		case Passed:
			kept++
		}
	}
	t.Logf("%d of %d pairs not discarded", kept, pairs)
	if share := float64(kept) / pairs; share < 0.7 {
		t.Errorf("%.3f of the pairs are not discarded", share)
	}
}

func TestFaultsOfTheTable(t *testing.T) {
	for fault, want := range map[int]string{
		1: "BCall res", 3: "BCall pc", 4: "BRet res", 15: "Store check", 16: "Store check", 18: "Store res", 20: "Store pc",
	} {
		op, part := differs(New(fault))
		if got := op + " " + part; got != want {
			t.Errorf("fault %d is in %s, want %s", fault, got, want)
		}
	}
	if op, _ := differs(New(21)); op != "" {
		t.Errorf("there is a fault 21 in %s", op)
	}
}

// differs names the part of a rule that has a fault.
func differs(faulty *Table) (op, part string) {
	names := [...]string{"BCall", "BRet", "Nop", "Push", "Add", "Load", "Store", "Halt"}
	right := rules()
	for i := range right {
		for part, lists := range map[string][2][]operand{
			"check": {right[i].Check, faulty[i].Check}, "res": {right[i].Res, faulty[i].Res}, "pc": {right[i].Next, faulty[i].Next},
		} {
			if fmt.Sprint(lists[0]) != fmt.Sprint(lists[1]) {
				return names[i], part
			}
		}
	}
	return "", ""
}

package turns

import (
	"fmt"
	"testing"
)

// play has fuzz tests search until the budget is used up, and returns who had how much. Fuzz
// test i finds rates[i](used) in all.
func play(t *Table, found ...func(used int64) int) (used []int64, turns int) {
	used = make([]int64, len(found))
	for {
		turn, ok := t.Next()
		if !ok {
			return used, turns
		}
		turns++
		i := turn.Test
		used[i] += turn.Part
		t.Had(i, turn.Part, found[i](used[i])-found[i](used[i]/2))
	}
}

func steady(every int64) func(int64) int { return func(used int64) int { return int(used / every) } }
func nothing(int64) int                  { return 0 }

func TestWhoFindsMostHasMost(t *testing.T) {
	for name, c := range map[string]struct {
		n     int
		found []func(int64) int
		check func(used []int64) bool
	}{
		"one finds nothing":      {2, []func(int64) int{nothing, steady(10)}, func(u []int64) bool { return u[0] == 125 && u[1] == 875 }},
		"all find nothing":       {2, []func(int64) int{nothing, nothing}, func(u []int64) bool { return u[0] >= 400 && u[1] >= 400 }},
		"all find the same":      {3, []func(int64) int{steady(5), steady(5), steady(5)}, func(u []int64) bool { return u[0] >= 83 && u[1] >= 83 && u[2] >= 83 }},
		"one alone":              {1, []func(int64) int{nothing}, func(u []int64) bool { return u[0] == 1000 }},
		"one finds 30 and stops": {2, []func(int64) int{func(u int64) int { return int(min(u, 30)) }, steady(100)}, func(u []int64) bool { return u[1] > u[0] }},
	} {
		used, _ := play(New(c.n, 1000, 10), c.found...)
		all := int64(0)
		for _, u := range used {
			all += u
		}
		if all != 1000 || !c.check(used) {
			t.Errorf("%s: %v", name, used)
		}
	}
}

func TestWhoIsDoneHasNoTurn(t *testing.T) {
	x := New(3, 1000, 10)
	x.Bound(0, 100)
	x.Done(1)
	used, _ := play(x, steady(1), steady(1), nothing)
	if fmt.Sprint(used) != "[100 0 900]" {
		t.Errorf("%v", used)
	}
	x = New(2, 1000, 10)
	x.Bound(0, 100)
	x.Bound(1, 100)
	if play(x, steady(1), steady(1)); x.Left() != 800 {
		t.Errorf("%d are left", x.Left())
	}
}

// Turns are few, however large the budget is: each costs new processes.
func TestTurnsAreFew(t *testing.T) {
	for _, all := range []int64{100, 1e6, 1e15} {
		if used, turns := play(New(4, all, 10), steady(7), steady(7), nothing, steady(70)); turns > 4*(1+turnShare) {
			t.Errorf("%d turns for %v of %d", turns, used, all)
		}
	}
}

// Everybody has a turn, even if there is less for each than a turn should have.
func TestASmallBudgetIsForAll(t *testing.T) {
	if used, _ := play(New(3, 25, 10), nothing, nothing, nothing); fmt.Sprint(used) != "[8 8 9]" {
		t.Errorf("%v", used)
	}
}

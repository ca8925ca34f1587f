package budget

import "testing"

func TestBudgetsAreKept(t *testing.T) {
	b := New(1000, 5)
	for name, cost := range map[string]int64{"cheap": 100, "dear": 1000} {
		b := b
		n, spent := int64(0), int64(0)
		for i := range int64(1_000_000) {
			if !b.Left(i, spent) {
				spent += 100
				continue
			}
			n++
			done := b.Book(&spent)
			spent += cost
			done(true)
		}
		if b.execs != n || n*cost > spent/b.share+2*1000*typicalFuel || n > 1_000_000/b.share+2*1000 {
			t.Errorf("%s: %d of a million executions, and %d of %d fuel", name, n, n*cost, spent)
		}
	}
}

package budget

import "testing"

func TestWhatBringsNothingTakesLess(t *testing.T) {
	take := func(gainUntil int64) (last float64) {
		b := New(10, 5)
		var spent, taken int64
		const all = 100_000
		for i := range int64(all) {
			cost := int64(1 << 20)
			if b.Left(i, spent) {
				done := b.Book(&spent)
				spent += cost
				done(i < gainUntil)
				if i >= all/2 {
					taken++
				}
				continue
			}
			spent += cost
		}
		return float64(taken) / (all / 2)
	}
	if got := take(100_000); got < 0.19 || got > 0.21 {
		t.Errorf("what brings something takes %.3f of the work", got)
	}
	if got := take(1_000); got < 0.03 || got > 0.05 {
		t.Errorf("what has stopped to bring anything takes %.3f of the work", got)
	}
}

func TestDroughts(t *testing.T) {
	var d Drought
	d.Note(false, droughtLeast)
	if d.Dry() {
		t.Error("dry at the beginning")
	}
	d.Note(true, 1)
	for work := int64(droughtLeast); work < 1<<40; work *= 2 { // each gain takes as much as all before
		d.Note(false, work-1)
		if d.Dry() {
			t.Fatalf("dry after %d", d.all)
		}
		d.Note(true, 1)
	}
	d.Note(false, d.all+1)
	if !d.Dry() {
		t.Error("not dry")
	}
	d.Note(true, 1)
	if d.Dry() {
		t.Error("dry after a gain")
	}
}

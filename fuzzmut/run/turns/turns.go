// Package turns divides one budget among fuzz tests, in turns: who found most lately, for
// what it took, is next. It decides by the amounts that are reported, whole numbers of
// executions or of nanoseconds: neither a clock nor the order of a map takes part.
package turns

// Table is the fuzz tests that share a budget.
type Table struct {
	tests []test
	left  int64 // of the budget
	first int64 // what each has before any has more
	least int64 // a turn
	part  int64 // a turn of who has used little
}

// test is one of them.
type test struct {
	used   int64
	recent int   // found in the last half of that
	most   int64 // that it may use; 0: any amount
	done   bool
}

const (
	// firstShare is the part of the budget that all have alike, as one in that number: with
	// less they show little of what they can bring, and more is lost where they bring nothing.
	firstShare = 4
	// turnShare is how many turns there are at most for each fuzz test if none has used much.
	turnShare = 8
	// longer is the part of what a fuzz test has used that its turn has at least, as one in
	// that number: how much it finds changes slowly by then, and a turn begins with new
	// processes.
	longer = 4
)

// New divides an amount among n fuzz tests. No turn is shorter than least, but for the last,
// unless there is less for each of them.
func New(n int, all, least int64) *Table {
	t := &Table{tests: make([]test, n), left: all, least: max(min(least, all/int64(max(n, 1))), 1)}
	t.first = max(all/firstShare/int64(max(n, 1)), t.least)
	t.part = max(all/turnShare/int64(max(n, 1)), t.least)
	return t
}

// Bound says that a fuzz test may use that much at most.
func (t *Table) Bound(i int, most int64) { t.tests[i].most = most }

// Done says that a fuzz test can or may find no more.
func (t *Table) Done(i int) { t.tests[i].done = true }

// Had books a turn: what it has used, and what the fuzz test found in the last half of all that
// it has used.
func (t *Table) Had(i int, used int64, recent int) {
	x := &t.tests[i]
	x.used += used
	x.recent = recent
	t.left -= used
	if x.most > 0 && x.used >= x.most {
		x.done = true
	}
}

// Turn is who is next, and why.
type Turn struct {
	Test   int
	Part   int64 // of the budget
	Number int   // of fuzz tests that are not done
	Used   int64 // by this one before
	Recent int   // what it found in the last half of that
}

// Next returns who is next. It returns false when the budget is used up, or all are done.
//
// Who has not had a turn comes first, in order. Then it is the one with the highest
// (recent+1)/used: the rate of its last half, as if it had found one more, so that whoever
// had little is not given up for good because it found nothing.
func (t *Table) Next() (Turn, bool) {
	best, open := -1, 0
	for i := range t.tests {
		if t.tests[i].done {
			continue
		}
		open++
		if best < 0 || t.tests[i].before(&t.tests[best]) {
			best = i
		}
	}
	if best < 0 || t.left <= 0 {
		return Turn{}, false
	}
	x := &t.tests[best]
	return Turn{Test: best, Part: t.size(x, open), Number: open, Used: x.used, Recent: x.recent}, true
}

// before reports whether x has more to find than y, for what it takes.
func (x *test) before(y *test) bool {
	if x.used == 0 || y.used == 0 {
		return x.used == 0 && y.used > 0
	}
	return float64(x.recent+1)/float64(x.used) > float64(y.recent+1)/float64(y.used)
}

// size is how long the turn of a fuzz test is, of some that are not done. What would be left
// for a turn that is too short is part of it.
func (t *Table) size(x *test, open int) int64 {
	n := max(t.part, x.used/longer)
	if x.used == 0 {
		n = t.first
	}
	if open == 1 {
		n = t.left
	}
	if x.most > 0 {
		n = min(n, x.most-x.used)
	}
	if t.left-n < t.least && x.most == 0 {
		n = t.left
	}
	return min(n, t.left)
}

// Left is what is left of the budget.
func (t *Table) Left() int64 { return max(t.left, 0) }

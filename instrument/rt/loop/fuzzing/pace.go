package fuzzing

const (
	// gapFirst, gapLeast and gapMost are turns from one sample to the next: at first, where
	// samples bring more than what is bred, and where they bring less.
	gapFirst = 4
	gapLeast = 2
	gapMost  = 32
	// paceReview is how many samples there are between two comparisons.
	paceReview = 16
)

// A pace says when samples have their turn. What stands in the tests of a package may be what
// a search would not find in an hour, and may be a hundred variants of what a seed does: that
// shows only when it is run. So samples come more often as long as they bring at least as much,
// for what is spent on them, as inputs that are bred, and seldom otherwise, but never not at
// all.
type pace struct {
	gap, wait   int64 // turns between two samples, and until the next one
	given, bred arm
}

// An arm is what inputs of one kind have brought lately.
type arm struct{ inputs, spent, brought int64 }

func newPace() *pace { return &pace{gap: gapFirst} }

// due reports whether the next turn is that of a sample.
func (p *pace) due() bool {
	p.wait--
	return p.wait < 0
}

// bookGiven books the turn of a sample.
func (p *pace) bookGiven(spent, brought int64) {
	p.wait = p.gap - 1
	p.given.add(spent, brought)
	if p.given.inputs >= paceReview {
		p.review()
	}
}

func (a *arm) add(spent, brought int64) {
	a.inputs++
	a.spent += spent
	a.brought += brought
}

// review changes the gap by what both kinds have brought, and has that count half from now on.
func (p *pace) review() {
	if float64(p.given.brought)*float64(p.bred.spent) >= float64(p.bred.brought)*float64(p.given.spent) {
		p.gap = max(p.gap/2, gapLeast)
	} else {
		p.gap = min(p.gap*2, gapMost)
	}
	p.given.fade()
	p.bred.fade()
}

func (a *arm) fade() { a.inputs, a.spent, a.brought = a.inputs/2, a.spent/2, a.brought/2 }

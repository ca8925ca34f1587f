package main

// yield is what slices of a fuzz test have brought.
type yield struct {
	Slices int  `json:"slices"` // that it was given so far
	Given  int  `json:"given"`  // in the last round in which it had any
	Found  int  `json:"found"`  // in that round: mutants killed or reached, and bugs, that were new
	Dry    int  `json:"dry"`    // rounds in a row, with slices, that brought nothing
	Full   bool `json:"full"`   // nothing is left to find: all mutants are killed, or its seeds fail
}

// done reports whether a fuzz test gets no more slices.
func (y *yield) done(dry int) bool { return y.Full || dry > 0 && y.Dry >= dry }

// before reports whether a fuzz test that has a number of slices of a round already comes before
// another: (Found+1)/Given is what a slice of it brings, as if it had found one more, so that none
// is given up for good because it found nothing. It is divided by the slices that it has.
func (y *yield) before(have int, z *yield, other int) bool {
	return int64(y.Found+1)*int64(z.Given)*int64(other+1) > int64(z.Found+1)*int64(y.Given)*int64(have+1)
}

// divide gives the slices of a round to fuzz tests: in the first one all have alike, and then each
// slice is for the one that found most lately for what it took. Neither the clock nor the order in
// which slices were done takes part.
func divide(yields []yield, each, dry int) []int {
	shares := make([]int, len(yields))
	for range each * len(yields) {
		best := -1
		for i := range yields {
			y := &yields[i]
			switch {
			case y.done(dry):
			case y.Slices == 0:
				if shares[i] < each && (best < 0 || yields[best].Slices > 0 || shares[i] < shares[best]) {
					best = i
				}
			case best < 0 || yields[best].Slices > 0 && y.before(shares[i], &yields[best], shares[best]):
				best = i
			}
		}
		if best < 0 {
			break
		}
		shares[best]++
	}
	return shares
}

// book notes what a round has brought.
func (y *yield) book(given, found int, full bool) {
	y.Full = full
	if given == 0 {
		return
	}
	y.Slices, y.Given, y.Found = y.Slices+given, given, found
	if y.Dry++; found > 0 {
		y.Dry = 0
	}
}

package term

// arena has room for terms that are made together: to allocate several at once takes less. They
// are kept as long as one of them is.
type arena struct {
	terms []Term
	kids  []*Term
	next  int // how many terms there is room for next

	again    bool // the room is used again
	allTerms []Term
	allKids  []*Term
}

// Room that an arena makes at once: the more, the more terms it has made.
const (
	leastRoom = 2
	mostRoom  = 16
	mostAgain = 1 << 12 // where the room is used again
)

// reset has the room of all terms be used again.
func (a *arena) reset() { a.terms, a.kids = a.allTerms, a.allKids }

func (a *arena) most() int {
	if a.again {
		return mostAgain
	}
	return mostRoom
}

// term returns a new term of a type.
func (a *arena) term(t *Type) *Term {
	if len(a.terms) == 0 {
		a.next = min(max(2*a.next, leastRoom), a.most())
		a.terms = make([]Term, a.next)
		if a.again {
			a.allTerms = a.terms
		}
	}
	x := &a.terms[0]
	a.terms = a.terms[1:]
	x.Type = t
	if a.again { // one after the other: all at once takes longer while garbage is collected
		x.Bits, x.counts = 0, 0
		x.Text, x.Kids = "", nil
	}
	return x
}

// list returns n missing terms.
func (a *arena) list(n int) []*Term {
	if n > a.most()/2 {
		return make([]*Term, n)
	}
	if len(a.kids) < n {
		a.kids = make([]*Term, max(n, min(2*max(a.next, leastRoom), a.most())))
		if a.again {
			a.allKids = a.kids
		}
	}
	list := a.kids[:n:n]
	a.kids = a.kids[n:]
	if a.again {
		clear(list)
	}
	return list
}

// number is Number.
func (a *arena) number(t *Type, bits uint64) *Term {
	if x := t.known(bits); x != nil {
		return x
	}
	x := a.term(t)
	x.Bits = bits
	return x
}

// choice is Choice of an alternative that holds nothing yet, or never does.
func (a *arena) choice(t *Type, alt int) *Term {
	if t.Alts[alt].Type == nil {
		return Choice(t, alt, nil)
	}
	x := a.term(t)
	x.Bits, x.Kids = uint64(alt), a.list(1)
	return x
}

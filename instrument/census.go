package instrument

// Census counts the places of a program that the operators would change.
type Census struct {
	Sites int // with at least one change that would compile and make a difference
	// Left counts, by reason, those of them that have no mutant because it can't
	// be made, Noise those that have none because nobody would want it.
	Left, Noise map[string]int
}

// Count counts a site: one with mutants, or one left without for a reason. It is
// no site if it has neither.
func (c *Census) Count(mutants bool, left string, noise bool) {
	switch {
	case mutants:
	case left == "":
		return
	case noise:
		add(&c.Noise, left, 1)
	default:
		add(&c.Left, left, 1)
	}
	c.Sites++
}

func add(m *map[string]int, key string, n int) {
	if *m == nil {
		*m = make(map[string]int)
	}
	(*m)[key] += n
}

// Add adds the numbers of another census.
func (c *Census) Add(other Census) {
	c.Sites += other.Sites
	for why, n := range other.Left {
		add(&c.Left, why, n)
	}
	for why, n := range other.Noise {
		add(&c.Noise, why, n)
	}
}

// LeftOut is the number of sites where no mutant can be made, Suppressed that of
// sites where none is wanted.
func (c *Census) LeftOut() int { return sum(c.Left) }

// Suppressed: see LeftOut.
func (c *Census) Suppressed() int { return sum(c.Noise) }

func sum(m map[string]int) int {
	total := 0
	for _, n := range m {
		total += n
	}
	return total
}

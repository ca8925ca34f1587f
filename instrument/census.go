package instrument

// Census counts the places of a program that the operators would change.
type Census struct {
	Sites int // with at least one change that would compile and make a difference
	// Left counts, by reason, those of them that have no mutant.
	Left map[string]int
}

// Count counts a site: one with mutants, or one left without for a reason. It is
// no site if it has neither.
func (c *Census) Count(mutants bool, left string) {
	switch {
	case mutants:
	case left == "":
		return
	default:
		if c.Left == nil {
			c.Left = make(map[string]int)
		}
		c.Left[left]++
	}
	c.Sites++
}

// Add adds the numbers of another census.
func (c *Census) Add(other Census) {
	c.Sites += other.Sites
	for why, n := range other.Left {
		if c.Left == nil {
			c.Left = make(map[string]int)
		}
		c.Left[why] += n
	}
}

// LeftOut is the number of sites without mutants.
func (c *Census) LeftOut() int {
	sum := 0
	for _, n := range c.Left {
		sum += n
	}
	return sum
}

package unittest

import "slices"

// sample are those of the mutants that have a separate process though they have passed together, as many as the budget
// has one run for.
func (c *confirmer) sample(t *test, items []*item) (sample []*item) {
	for i := 0; i < len(items); i += groupSample {
		sample = append(sample, items[i])
	}
	return sample[:c.pays(len(sample), t)]
}

// ahead chooses the sample of mutants that are far from a test, before it is known which of them pass: most do.
// There is one group of them or few, and the sample runs beside these in place of after them.
func (c *confirmer) ahead(t *test, items []*item) []*item {
	if slices.ContainsFunc(items, func(it *item) bool { return !it.far }) {
		return nil
	}
	c.beside = c.sample(t, items)
	return c.beside
}

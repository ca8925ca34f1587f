package schemata

// has says whether an operator is among those to apply.
func (w *walker) has(name string) bool {
	for _, op := range w.Operators {
		if op.Name == name {
			return true
		}
	}
	return false
}

package operator

import "sync"

// Extent is how much an operator's mutants change, for an order in which a reader sees
// mutants. The zero value says nothing.
type Extent uint8

// The extents, those that a test should notice soonest first. Mutants of the last ones are
// equivalent more often, and less is lost if no test tells them from the original.
const (
	Removal   Extent = iota + 1 // a statement, a block or what a function returns is gone
	Decision                    // another path is taken
	Operation                   // a value is computed in another way
	Value                       // a constant, a size or a type is another one
	Text                        // a string constant is another one
	Doubtful                    // whatever the operator: the form of the code says that a test is seldom worth it
)

// ExtentOf returns the extent of the operator of that name, and Text, the last one, for a name
// that no operator has: results of earlier versions may have such.
func ExtentOf(name string) Extent {
	if e, ok := extents()[name]; ok {
		return e
	}
	return Text
}

// IsOutcome says whether the operator of a name makes a result nil, true or false: what callers decide by.
func IsOutcome(name string) bool {
	return name == nullReturns.Name || name == trueReturns.Name || name == falseReturns.Name
}

// TakesAway says whether the operator of a name takes statements away. Their mutants count as infected wherever the
// statements would run: whether these change anything is not compared.
func TakesAway(name string) bool {
	for _, op := range []*Operator{
		statementDeletion, voidCallRemoval, appendRemoval, copyRemoval, deleteRemoval, mapWriteRemoval, deferRemoval, goRemoval, lockRemoval,
		emptyThen, emptyElse, emptyCase, emptyDefault, emptySelectCase, loopSkip,
	} {
		if op.Name == name {
			return true
		}
	}
	return false
}

var extents = sync.OnceValue(func() map[string]Extent {
	m := make(map[string]Extent)
	for _, op := range All() {
		m[op.Name] = op.Extent
	}
	return m
})

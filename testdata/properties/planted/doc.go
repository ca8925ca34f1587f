// Package planted has a B-tree, a double-ended queue, a cache, a matcher of regular
// expressions, and an encoding as JSON, each with three planted bugs, of which a number
// chooses one. They were written for this repository. The bugs show in states that take
// a number of operations to reach, or in values of some shape.
package planted

// Bugs is how many each has.
const Bugs = 3

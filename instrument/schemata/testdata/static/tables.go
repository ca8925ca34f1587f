// Tables that functions build while the package is initialised: a mutant of such
// a function acts only if it is active then.
package tables

import "strconv"

var squares = build(4, func(n int) int { return n * n })

func build(n int, f func(int) int) []int {
	var list []int
	for i := range n {
		if i != 2 {
			list = append(list, f(i))
		}
	}
	return list
}

var words = func() map[string]int {
	m := map[string]int{}
	for i, w := range []string{"zero", "one", "two"} {
		m[w] = i + len(squares)
	}
	return m
}()

// twice is a literal that is only called later.
var twice = func(n int) int { return 2 * n }

var registry []string

func register(name string) bool {
	registry = append(registry, name)
	return len(registry) > 1
}

var again = register("x") || register("y") && register("z")

func init() {
	defer register("deferred")
	for i := range squares {
		squares[i]++
	}
	words["three"] = twice(1)
}

//fuzzmut:ignore shows the state
func Report() string {
	s := strconv.FormatBool(again)
	for _, n := range squares {
		s += " " + strconv.Itoa(n)
	}
	for _, w := range []string{"zero", "one", "two", "three"} {
		s += " " + w + strconv.Itoa(words[w])
	}
	for _, r := range registry {
		s += " " + r
	}
	return s
}

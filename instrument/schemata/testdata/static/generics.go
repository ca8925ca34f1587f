// Generic functions and types instantiated while the package is initialised.
package generics

import "strconv"

type number interface{ ~int | ~float64 }

type celsius float64

type stack[T any] struct{ items []T }

func (s *stack[T]) push(v T) *stack[T] {
	s.items = append(s.items, v)
	return s
}

func largest[T number](list ...T) T {
	var most T
	for _, v := range list {
		if v > most {
			most = v
		}
	}
	return most
}

var hottest = largest(celsius(20), 30.5, 7)

var biggest = largest(1, 8, int(hottest)) + 1

var pile = (&stack[int]{}).push(biggest).push(-biggest)

var pick = largest[int]

var height = pick(len(pile.items), 1)

//fuzzmut:ignore shows the state
func Report() string {
	s := strconv.FormatFloat(float64(hottest), 'g', -1, 64) + " " + strconv.Itoa(biggest) + " " + strconv.Itoa(height)
	for _, n := range pile.items {
		s += " " + strconv.Itoa(n)
	}
	return s
}

package programs

//operators loop-guard

import (
	"errors"
	"fmt"
	"iter"
)

var errTurns = errors.New("loop")

// CaseTurns makes some turns more than a guard allows, in one loop for each number.
func CaseTurns(in int) string {
	const n = 1005
	switch in {
	case 0:
		return fmt.Sprint(turnsOf(n), turnsOf(1000))
	case 1:
		return fmt.Sprint(nestedTurns(4))
	case 2:
		return fmt.Sprint(labeledTurns(n))
	case 3:
		return fmt.Sprint(eachTurn(countedTurns(n)), foreverTurns(n))
	case 4:
		return fmt.Sprint(turnsInCalls(4))
	}
	total, err := refusedTurns(n)
	return fmt.Sprint(total, err)
}

func turnsOf(n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += i
	}
	return sum + 1
}

// Each call counts for itself.
func turnsInCalls(in int) (sum int) {
	for range in {
		sum += turnsOf(300)
	}
	return sum
}

func nestedTurns(in int) (sum int) {
	for i := range in {
		for j := 0; j < i*340; j++ {
			sum++
		}
	}
	return sum
}

func labeledTurns(n int) (sum int) {
outer:
	for i := range n {
		for j := range 3 {
			if (i+j)%5 == 4 {
				continue outer
			}
			if sum > 1800 {
				break outer
			}
			sum++
		}
	}
	return sum
}

func refusedTurns(n int) (int, error) {
	left := n
	for left > 0 {
		left -= turnsOf(0)
		if left == 3 {
			return left, errTurns
		}
	}
	return n, nil
}

func foreverTurns(n int) int {
	i := 0
	for {
		if i++; i > n {
			return i
		}
	}
}

func countedTurns(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func eachTurn(seq iter.Seq[int]) (sum int) {
	for i := range seq {
		sum += i
	}
	return sum
}

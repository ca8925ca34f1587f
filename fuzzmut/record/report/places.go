package report

import "fmt"

// A Located is what people read of a mutant: where it is, and what it changes.
type Located interface {
	At() (file string, line, column int, text string)
}

// Lines are the lines of mutants, in their order, as text: with the column, "12:5", where
// another one of the list has the same text in the same line. Without it both would read the
// same.
func Lines[T Located](list []T) []string { return LinesAmong(list, list) }

// LinesAmong are the lines of some mutants as Lines has them of all: who reads a part of a list
// takes those in other parts for the same, too.
func LinesAmong[T Located](list, all []T) (lines []string) {
	type place struct {
		file string
		line int
		text string
	}
	first := make(map[place]int) // the column of the first
	alike := make(map[place]bool)
	for _, l := range all {
		file, line, column, text := l.At()
		p := place{file, line, text}
		if at, ok := first[p]; !ok {
			first[p] = column
		} else if at != column {
			alike[p] = true
		}
	}
	for _, l := range list {
		file, line, column, text := l.At()
		at := fmt.Sprint(line)
		if alike[place{file, line, text}] && column > 0 {
			at += fmt.Sprintf(":%d", column)
		}
		lines = append(lines, at)
	}
	return lines
}

package report

import "fmt"

// A Located is what people read of a mutant: where it is, and what it changes.
type Located interface {
	At() (file string, line, column int, text string)
}

// Lines are the lines of mutants, in their order, as text: with the column, "12:5", where
// another one of the list has the same text in the same line. Without it both would read the
// same.
func Lines[T Located](list []T) (lines []string) {
	type place struct {
		file string
		line int
		text string
	}
	alike := make(map[place]int)
	for _, l := range list {
		file, line, _, text := l.At()
		alike[place{file, line, text}]++
	}
	for _, l := range list {
		file, line, column, text := l.At()
		at := fmt.Sprint(line)
		if alike[place{file, line, text}] > 1 && column > 0 {
			at += fmt.Sprintf(":%d", column)
		}
		lines = append(lines, at)
	}
	return lines
}

package golden_test

import (
	"errors"
	"fmt"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

type Word struct {
	Text   string
	Next   *Word
	letter map[rune]int
}

func (w *Word) Letters() int { return len(w.letter) }

// What does not fit into a line has a line for each field; what an error or a map
// says does not depend on addresses or order. Unexported fields are not written, and of
// methods the results.
func ExampleRender() {
	fmt.Println(golden.Render(errors.New("no words")))
	fmt.Println(golden.Render(map[string]int{"b": 2, "a": 1}))
	fmt.Println(golden.Render(&Word{
		Text: "a word of some length, as there are", Next: &Word{Text: "and another one after it"},
		letter: map[rune]int{'a': 4, 'e': 5},
	}))
	// Output:
	// error "no words"
	// map[string]int map{"a": 1, "b": 2}
	// *golden_test.Word &{
	// 	Next: &{Next: nil, Text: "and another one after it"}
	// 	Text: "a word of some length, as there are"
	// 	Letters(): 2
	// }
}

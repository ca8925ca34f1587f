package golden_test

import (
	"errors"
	"fmt"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

type word struct {
	text string
	next *word
}

// What does not fit into a line has a line for each field; what an error or a map
// says does not depend on addresses or order.
func ExampleRender() {
	fmt.Println(golden.Render(errors.New("no words")))
	fmt.Println(golden.Render(map[string]int{"b": 2, "a": 1}))
	fmt.Println(golden.Render(&word{"a word of some length, as there are", &word{text: "and another one behind it"}}))
	// Output:
	// *errors.errorString error "no words"
	// map[string]int map{"a": 1, "b": 2}
	// *golden_test.word &{
	// 	text: "a word of some length, as there are"
	// 	next: &{text: "and another one behind it", next: nil}
	// }
}

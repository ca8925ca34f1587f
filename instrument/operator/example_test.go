package operator_test

import (
	"fmt"
	"go/token"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// Groups and names are combined; the order is fixed.
func ExampleByNames() {
	ops, err := operator.ByNames("loop-once,conditional-boundary")
	if err != nil {
		panic(err)
	}
	site := &operator.Site{Kind: operator.Comparison, Op: token.LSS, Ordered: true}
	for _, op := range ops {
		fmt.Println(op.Name, op.Group, len(op.Inspect(site)))
	}
	_, err = operator.ByNames("loop-twice")
	fmt.Println(err != nil)
	// Output:
	// conditional-boundary default 1
	// loop-once all 0
	// true
}

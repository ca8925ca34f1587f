package programs

import (
	"errors"
	"fmt"
	"testing"
)

type allocNode struct{ n int }

// What is kept here is allocated, by plain edits, too.
var (
	allocSink, allocNodes *allocNode
	allocErrs             [2]error
	allocMaps             map[string]int
)

// Whoever counts allocations must not notice that a function has mutants.
func CaseAllocs(in int) string {
	count := testing.AllocsPerRun(10, func() {
		allocNodes, allocErrs[0] = allocFind(in)
		allocErrs[1] = allocCheck(in)
		allocMaps = allocTable(in)
		allocNodes, allocErrs[0] = allocNamed(in)
	})
	_, err := allocFind(in)
	return fmt.Sprint(count, err, allocCheck(in) != nil, len(allocTable(in)))
}

func allocFind(n int) (*allocNode, error) {
	if n > 3 {
		return nil, errAlloc
	}
	return allocSink, nil
}

var errAlloc = errors.New("alloc")

func allocCheck(n int) error {
	if n == 2 {
		return errAlloc
	}
	return nil
}

func allocTable(n int) map[string]int {
	if n == 1 {
		return nil
	}
	return allocMap
}

var allocMap = map[string]int{"a": 1}

func allocNamed(n int) (p *allocNode, err error) {
	if n > 4 {
		err = errAlloc
	}
	return
}

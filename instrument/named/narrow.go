package named

import (
	"go/types"
	"strconv"
)

// Narrow says whether a number of a type fits wherever the code is compiled: an int has 32 bits on some systems, and a
// greater constant does not compile there.
func Narrow(t types.Type, number string) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return true
	}
	var err error
	switch b.Kind() {
	case types.Int:
		_, err = strconv.ParseInt(number, 10, 32)
	case types.Uint, types.Uintptr:
		_, err = strconv.ParseUint(number, 10, 32)
	}
	return err == nil
}

package derive

import (
	"fmt"
	"reflect"
	"strings"
)

// An Error says why values of a type can't be derived, and what can be done.
type Error struct {
	Root   reflect.Type // the type that was asked for
	Path   string       // from it to the part in question, as "T.Field[].Other"
	Reason string
	Ways   string // out; "" for the usual ones

	// unknown says that nothing is known of such values: their zero value is as good as any.
	unknown bool
}

func (e *Error) Error() string {
	ways := e.Ways
	if ways == "" {
		ways = "leave the field at its zero value with the tag `fuzz:\"-\"`; define with fuzzmut.Represent what represents its type; " +
			"or take another type in the test and make this one from it"
	}
	of, path := fmt.Sprintf(" of type %v", e.Root), e.Path
	if field, ok := strings.CutPrefix(path, e.Root.String()+"."); ok && e.Root.Name() == "" {
		of, path = "", field // all fields and tags of a struct without a name say less than the one in question
	}
	return fmt.Sprintf("no inputs%s can be derived: %s %s. To fix this: %s", of, path, e.Reason, ways)
}

// what helps with interfaces.
const interfaceWays = "name the implementations with fuzzmut.Implementations, as fuzzmut -write-types does; leave the field at nil with the tag `fuzz:\"-\"`; " +
	"or define with fuzzmut.Represent what represents its type"

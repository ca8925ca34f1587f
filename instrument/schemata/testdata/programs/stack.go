package programs

//operators math operator-replacement constant-replacement statement-deletion

import (
	"fmt"
	"testing"
)

// Operands and arguments that are kept on the stack stay there.
func CaseStack(in int) string {
	buf := make([]byte, 8, 80)
	count := testing.AllocsPerRun(10, func() {
		var small [4]byte
		small[in%4] = 'x'
		stackLength = len(stackJoin(buf, small[:])) + stackWords(string(small[:]), "and")
	})
	return fmt.Sprint(count, stackLength)
}

var stackLength int

//go:noinline
func stackJoin(to, from []byte) []byte { return stackCopy(to, from) }

//go:noinline
func stackCopy(to, from []byte) []byte { return to[:copy(to, from)] }

//go:noinline
func stackWords(a, b string) int { return stackPrefix(a, b) }

//go:noinline
func stackPrefix(a, b string) int { return len(a)*10 + len(b) }

// The order of initialisation. Variables whose initialisers call functions keep
// their turns among those that don't, variables wait for those they depend on,
// also through functions, and what is data is there from the start.
package order

import "strings"

var log strings.Builder

// first calls a function, second does not.
var first = write("first")

var second, _ = log.WriteString(" second")

var total = first + second + later

func write(s string) int {
	n, _ := log.WriteString(s)
	return n
}

var early = reader.read()

// reader hides that early depends on limit.
var reader interface{ read() int } = limits{}

type limits struct{}

func (limits) read() int { return limit*10 + len(name) }

var limit = 4

var name = "name"

var later = dependent() + 1

func dependent() int { return base * 2 }

var base = write(" base") - 1

func init() { write(" init") }

func init() {
	if total > 3 {
		write(" over")
	}
}

//fuzzmut:ignore shows the state
func Report() string {
	return log.String() + strings.Repeat("|", total) + strings.Repeat("!", early)
}

// Initialisation that panics with some mutants, and init functions that recover.
package panics

import "strconv"

var sizes = [...]int{3, 0, 2}

var checked = must(sizes[0] > 2)

func must(ok bool) string {
	if !ok {
		panic("not ok")
	}
	return "ok"
}

var caught string

func init() {
	defer func() {
		if r := recover(); r != nil {
			caught = "caught"
		}
	}()
	caught = strconv.Itoa(10 / sizes[len(checked)])
}

//fuzzmut:ignore shows the state
func Report() string { return checked + " " + caught }

package programs

import (
	. "fmt"
	str "strings"
	"time"
)

type fuzzmutrt int

const fuzzmutC = 3

func shadowed(int int) string {
	string := int + fuzzmutC
	true, nil := false, "nil"
	len := func(s []uint8) int8 { return 2 }
	type error struct{ bool float64 }
	e := error{1.5}
	if string > 2 || true {
		e.bool = e.bool * 2
	}
	return Sprint(string, nil, len([]uint8{}), e, fuzzmutrt(int)*2)
}

type complex64 struct{ n int }

func hidden(n int) (complex64, bool) {
	str := str.Repeat("x", n+1)
	time := time.Duration(n) * time.Second
	return complex64{len(str)}, time > 2
}

func _() int { return 1 + 2 }

func (fuzzmutrt) method(_ int, _ string) (_ int, _ bool) { return 4, true }

// CaseNames: predeclared names, packages and our own names declared otherwise,
// dot imports, blank functions and parameters.
func CaseNames(in int) string {
	a, b := fuzzmutrt(in).method(in, "")
	v, ok := hidden(in)
	return Sprint(shadowed(in), a, b, v, ok)
}

package programs

//operators conditional-boundary negate-conditionals math increments statement-deletion loop-skip empty-then condition-forced empty-returns

import (
	"fmt"
	"runtime"
)

func where() string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprint(line)
}

func plainLines(n int) string {
	s := where()
	if n > 1 { s += where() }

	s += where(); return s +
		where()
}

//line parser.y:100
func mapped(n int) string {
	s := where()
//line parser.y:200
	for i := 0; i < n; i++ {
		s += where()
	}
	return s + where()
}

// CaseLines: positions in both bodies, with line directives of the file's own.
func CaseLines(in int) string {
	return plainLines(in) + mapped(in) + func() string { return where() }()
}

package programs

//operators conditional-boundary math

import (
	"fmt"
	"runtime"
	"strings"
)

func localLine() string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprint(line)
}

// What the functions below have left behind: another run, in the other body, finds it.
var (
	localKeys  = map[any]int{}
	localKept  any
	localMaker func(int) any
	localKeys2 = map[string]any{}
)

func contextKey(n int) string {
	type key struct{ n int }
	if n > 3 {
		n = 3 + 4
	}
	_, known := localKeys[key{1}]
	localKeys[key{1}] = n
	return fmt.Sprint(n, len(localKeys), known || len(localKeys) == 1)
}

func sizes(n int) string {
	const size = 1 << 2 // of what is declared below
	type (
		inner [size][]struct {
			a int // first

			b string `json:"b"`
		}
		// outer has itself and another.
		outer struct {
			*inner
			next *outer
		}
		name = map[string]inner
	)
	o := &outer{next: &outer{}, inner: &inner{{{a: n}}}}
	if localKept == nil || n < 0 {
		localKept = o
	}
	kept, ok := localKept.(*outer)
	m := name{"x": *o.inner}
	return fmt.Sprintf("%T %v %d %t", kept, ok, len(m["x"]), n+1 > 2) + localLine()
}

func nestedTypes(n int) (out string, err error) {
	if n >= 0 {
		type local struct{ int }
		get := func(v any) string {
			type other struct{ local }
			switch v := v.(type) {
			case local:
				return fmt.Sprintf("%d local", v.int+1)
			case other:
				return "other " + localLine()
			}
			return "neither"
		}
		if localMaker == nil {
			localMaker = func(k int) any { return local{k * 2} }
		}
		out += get(localMaker(n)) + get(n)
		n, err := len(out), error(nil)
		return fmt.Sprint(out, n), err
	}
	return
}

func genericLocal[T any](v T, n int) string {
	type pair struct {
		v T
		n int
	}
	p := any(pair{v, n + 1})
	if k := fmt.Sprintf("generic %T", v); localKeys2[k] == nil || n < 0 {
		localKeys2[k] = p
	}
	_, same := localKeys2[fmt.Sprintf("generic %T", v)].(pair)
	text := fmt.Sprintf("%T", p)
	return fmt.Sprint(same, p.(pair).n, text[strings.LastIndexByte(text, '['):])
}

// Two types of one name: the function has no mutants.
func hiddenLocal(n int) string {
	if n > 1 {
		type key int
		return fmt.Sprintf("%T", key(n))
	}
	type key string
	return fmt.Sprintf("%T", key("x"))
}

// CaseLocalTypes: types of functions are the same in both bodies, wherever they are
// declared.
func CaseLocalTypes(in int) string {
	s, err := nestedTypes(in)
	out := fmt.Sprint(contextKey(in), sizes(in), s, err, genericLocal(in, in), genericLocal("x", in), hiddenLocal(in))
	return strings.ReplaceAll(strings.ReplaceAll(out, "v000", "p"), "schemata", "p")
}

package programs

//operators append-removal copy-removal delete-removal map-write-removal

import (
	"fmt"
	"strings"
)

type words []string

type recorder struct{ log []string }

func (s *recorder) add(text string) string { s.log = append(s.log, text); return text }

func appends(s []byte, text string, in int) string {
	var snk recorder
	s = append(s, 'x')
	s = append(s, text...)
	t := append(s, text[in:]...)
	u := append(t[:1], t[2:]...)
	var list []any
	list = append(list, in, text, nil, snk.add("one"))
	if in > 1 {
		list = append(list, list...)
	}
	names := append([]string(nil), snk.add("two"), snk.add("three"))
	grown := append(names, strings.Split(text, "l")...)
	pair := append([]struct{ a, b int }{}, struct{ a, b int }{in, 2})
	p := &list
	first := append(*p, 7)[0]
	n := copy(u, text)
	copy(s, t[1:])
	copy(s[in:], snk.add("four"))
	return fmt.Sprint(s, t, u, list, names, grown, pair, first, n, copy(s, u), snk.log)
}

func tail[S ~[]E, E any](s S, more ...E) S { return append(s, more...) }

func glue[B []byte | string](s []byte, b B) []byte { return append(s, b...) }

func maps(m map[string]int, nested map[int]map[int]string, in int) string {
	m["a"] = in
	m["b"]++
	m["c"] |= in
	nested[in] = map[int]string{}
	nested[in][1] = "x"
	delete(m, "d")
	old := len(m)
	if in > 2 {
		clear(nested)
	}
	x, y := 1, 2
	m["x"], m["y"] = y, x
	return fmt.Sprint(m, nested, old)
}

// CaseAppends: append, copy, delete, clear and assignments to elements of maps.
func CaseAppends(in int) string {
	out := appends(append(make([]byte, 0, 6), "ab"...), "hello", in)                           //fuzzmut:ignore
	out += fmt.Sprint(tail([]int{1}, in, 2), tail(words{"a"}), string(glue([]byte("p"), "q"))) //fuzzmut:ignore
	return out + maps(map[string]int{"d": 4, "b": 1}, map[int]map[int]string{7: nil}, in)      //fuzzmut:ignore
}

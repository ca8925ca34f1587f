package targetdir

import "testing"

func FuzzDo(f *testing.F) {
	f.Add("find", "hello", "l")
	f.Add("count", "hello", "l")
	f.Add("erase", "hello", "")
	f.Fuzz(func(t *testing.T, op, text, arg string) {
		if NewEngine().Do(op, text, arg) != (op == "find" || op == "count") {
			t.Errorf("operation %q", op)
		}
	})
}

func FuzzUnion(f *testing.F) {
	f.Add("a b c", "c d")
	f.Add("", "x")
	f.Add("p q", "q p")
	f.Fuzz(func(t *testing.T, a, b string) {
		u := Union(Split(a), Split(b))
		v := Union(Split(b), Split(a))
		if !sameSet(u, v) {
			t.Errorf("%v, the other way round %v", u, v)
		}
	})
}

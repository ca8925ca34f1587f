package costly

import "testing"

func fuzz(f *testing.F, use func(s string)) {
	f.Add("a;b, c d")
	f.Fuzz(func(_ *testing.T, s string) { use(s) })
}

func FuzzSquare(f *testing.F)  { fuzz(f, func(s string) { Square(s) }) }
func FuzzConcat(f *testing.F)  { fuzz(f, func(s string) { Concat(s) }) }
func FuzzWords(f *testing.F)   { fuzz(f, func(s string) { Words(s) }) }
func FuzzLine(f *testing.F)    { fuzz(f, func(s string) { Line(s) }) }
func FuzzSorted(f *testing.F)  { fuzz(f, func(s string) { Sorted(s) }) }
func FuzzLimited(f *testing.F) { fuzz(f, func(s string) { Limited(s) }) }
func FuzzCached(f *testing.F)  { fuzz(f, func(s string) { Cached(s) }) }
func FuzzPooled(f *testing.F)  { fuzz(f, func(s string) { Pooled(s) }) }
func FuzzAllowed(f *testing.F) { fuzz(f, func(s string) { Allowed(s) }) }

func FuzzTwo(f *testing.F) {
	f.Add([]byte("a b"), 3, "x y")
	f.Fuzz(func(_ *testing.T, b []byte, _ int, s string) {
		if len(s) > 2 {
			Words(string(b)) // measuring it takes a third of the time that Square takes
		}
	})
}

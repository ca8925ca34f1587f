package outside

import "testing"

func fuzz(f *testing.F, use func(s string)) {
	f.Add("<a b> 1% <c/>\nd e;,x,y")
	f.Fuzz(func(_ *testing.T, s string) { use(s) })
}

func FuzzClosed(f *testing.F)   { fuzz(f, func(s string) { Closed(s) }) }
func FuzzInserted(f *testing.F) { fuzz(f, func(s string) { Inserted(s) }) }
func FuzzDiffer(f *testing.F)   { fuzz(f, func(s string) { Differ(s) }) }
func FuzzPercents(f *testing.F) { fuzz(f, func(s string) { Percents(s) }) }
func FuzzPasses(f *testing.F)   { fuzz(f, func(s string) { Passes(s) }) }
func FuzzSorted(f *testing.F)   { fuzz(f, func(s string) { Sorted(s) }) }
func FuzzSum(f *testing.F)      { fuzz(f, func(s string) { Sum([]byte(s)) }) }
func FuzzAllowed(f *testing.F)  { fuzz(f, func(s string) { Allowed(s) }) }

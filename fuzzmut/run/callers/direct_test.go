package callers

import (
	"maps"
	"slices"
	"testing"
)

func TestDirect(t *testing.T) {
	r := loadModule(t, `-- m.go --
package m

func A(s string) (int, error)       { return 0, nil }
func B(b []byte, n int) int         { return 0 }
func C(s string) string             { return s }
func D(s, u string)                 {}
func E(s string) bool               { return true }
func G(s string)                    {}
func H(s string)                    {}
func I(s string, n int)             {}

type T struct{}

func (T) M(s string) {}
-- m_test.go --
package m

import "testing"

func FuzzA(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := A(s); err != nil {
			t.Skip()
		}
	})
}

func FuzzB(f *testing.F) { f.Fuzz(func(t *testing.T, s string, n int) { x := B([]byte(s), (n)); _ = x }) }

func FuzzC(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { (C(s)) }) }

// The order is another, something comes before, the input is changed or only a part of what is called.
func FuzzD(f *testing.F) { f.Fuzz(func(t *testing.T, s, u string) { D(u, s) }) }

func FuzzE(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			t.Skip()
		}
		E(s)
	})
}

func FuzzG(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { G(s + "x") }) }

func FuzzH(f *testing.F) { f.Fuzz(h) }

func h(t *testing.T, s string) { H(s) }

func FuzzI(f *testing.F) { f.Fuzz(func(t *testing.T, s string, n int) { I(s, 3) }) }

func FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { T{}.M(s) }) }

func FuzzNothing(f *testing.F) { f.Fuzz(func(*testing.T, string) {}) }
`)
	want := []string{"example.com/m.A", "example.com/m.B", "example.com/m.C"}
	if got := slices.Sorted(maps.Keys(Direct(r))); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

package overflow_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/overflow"
)

const declarations = `package p

import ("bytes"; "encoding/binary"; "io"; "strings")

type T struct { n uint16; list []byte; next *T }
type Small uint8

var (
	_ bytes.Buffer
	_ = binary.MaxVarintLen64
	_ io.Reader
	_ strings.Builder
	wide [1 << 16]byte
)

func give(x uint64) (int, bool) { return int(x), true }
func take(n int) []byte { return make([]byte, n) }
func use(...any)
func (t *T) len() int { return 4 + len(t.list) }
func (t *T) size() int { return int(t.n) * 8 }
`

// edited returns the body of a function named f as it is watched, on one line.
func edited(t *testing.T, text string) string {
	t.Helper()
	s := checked.File(t, text)
	body := s.Func("f").Body
	var list edit.List
	overflow.Find(s.Info, []*ast.File{s.Src.Syntax}).Edit(&list, s.Src, "rt", body)
	return strings.TrimSpace(string(list.Render([]byte(text), s.Src.Off(body.Lbrace)+1, s.Src.Off(body.Rbrace))))
}

// What leads to a size, an index or a bound is watched, and nothing else.
func TestWhatIsWatched(t *testing.T) {
	for _, c := range []struct{ about, body, want string }{
		{"a size", `_ = make([]byte, n+8)`, `_ = make([]byte, rt.Used(rt.UseMake, rt.WideAdd(2, n,8)))`},
		{"a constant size", `_ = make([]byte, 8)`, `_ = make([]byte, 8)`},
		{"an index", `_ = b[int32(u)]`, `_ = b[rt.Used(rt.UseIndex, rt.WideTo[int32](u))]`},
		{"a constant index", `_ = b[8]`, `_ = b[8]`},
		{"a key of a map", `var m map[int32]bool; _ = m[int32(u)]`, `var m map[int32]bool; _ = m[int32(u)]`},
		{"bounds of a slice", `_ = b[n : n-n]`, `_ = b[rt.Used(rt.UseSlice, n) : rt.Used(rt.UseSlice, rt.WideSub(0, n,n))]`},
		{"turns", `for range u * 2 {}`, `for range rt.Used(rt.UseCount, rt.WideMul(2, u, 2)) {}`},
		{"how much", `_ = strings.Repeat("a", -n)`, `_ = strings.Repeat("a", rt.Used(rt.UseLength, rt.WideNeg( n)))`},
		{"nothing", `_ = n + 8`, `_ = n + 8`},
		{"by a variable", `k := n << 2; _ = b[k]`, `k := rt.WideShl(n, 2); _ = b[rt.Used(rt.UseIndex, k)]`},
		{"by a field", `t.n = uint16(u); _ = b[t.size()]`, `t.n = rt.WideTo[uint16](u); _ = b[rt.Used(rt.UseIndex, t.size())]`},
		{"by a field of a literal", `_ = &T{n: uint16(u)}; _ = b[t.size()]`, `_ = &T{n: rt.WideTo[uint16](u)}; _ = b[rt.Used(rt.UseIndex, t.size())]`},
		{"by a parameter", `take(int(u))`, `take(rt.WideTo[int](u))`},
		{"by two results", `k, ok := give(u + 1); _, _ = b[k], ok`, `k, ok := give(rt.WideAdd(2, u, 1)); _, _ = b[rt.Used(rt.UseIndex, k)], ok`},
		{"by what is added", `k := 0; k += n; k -= 2; _ = b[k]`, `k := 0; k = rt.WideAdd(0, k,n); k = rt.WideSub(2, k,2); _ = b[rt.Used(rt.UseIndex, k)]`},
		{"by what is counted", `for s--; n > 2; t.n++ {}; _ = b[int(s)+t.size()]`, `for s = rt.WideSub(2, s, 1); rt.Bounds(2, rt.IsMore, n, 2); t.n = rt.WideAdd(2, t.n, 1) {}; _ = b[rt.Used(rt.UseIndex, rt.WideAdd(0, rt.WideTo[int](s),t.size()))]`},
		{"what counts to no end", `for i := 0; i < n; i++ { _ = b[i] }`, `for i := 0; rt.Bounds(0, rt.IsLess, i, n); i++ { _ = b[rt.Used(rt.UseIndex, i)] }`},
		{"a float", `_ = make([]byte, int(x))`, `_ = make([]byte, rt.Used(rt.UseMake, rt.WideFloat[int](x)))`},
		{"a part of a number: mask, remainder, high bits", `_, _, _ = b[(n+1)&7], b[u*3%8], b[u*3>>58]`, `_, _, _ = b[rt.Used(rt.UseIndex, (n+1)&7)], b[rt.Used(rt.UseIndex, u*3%8)], b[rt.Used(rt.UseIndex, u*3>>58)]`},
		{"a division by a shift", `_ = b[(n+7)>>3]`, `_ = b[rt.Used(rt.UseIndex, rt.WideShr((rt.WideAdd(2, n,7)),3))]`},
		{"a type as a mask", `_, _ = wide[uint16(u)], wide[int(uint16(u))]`, `_, _ = wide[uint16(u)], wide[int(uint16(u))]`},
		{"a digit", `_ = b[s-'0']`, `_ = b[rt.Used(rt.UseIndex, rt.Digit(s,'0'))]`},
		{"a comparison with a length", `_ = n+8 > len(b)`, `_ = rt.Bounds(0, rt.IsMore, rt.WideAdd(2, n,8), len(b))`},
		{"a comparison of what is a size", `if k := n * 2; k <= 10 { take(k) }`, `if k := rt.WideMul(2, n, 2); rt.Bounds(2, rt.IsAtMost, k, 10) { take(k) }`},
		{"any other comparison", `_ = u*2 > 10`, `_ = u*2 > 10`},
		{"a range of letters", `_ = s-'a' < 26 && len(b) > int(s)`, `_ = s-'a' < 26 && rt.Bounds(0, rt.IsMore, len(b), rt.WideTo[int](s))`},
		{"one comparison for two", `_ = uint(n) < uint(len(b))`, `_ = uint(n) < uint(len(b))`},
		{"a look for an overflow", `k := u + 4; if k < u { return }; _ = b[k]`, `k := rt.WideAdd(2, u, 4); if rt.Bounds(0, rt.IsLess|rt.Settles, k, u) { return }; _ = b[rt.Used(rt.UseIndex, k)]`},
		{"one at what is converted", `k := uint64(u - 4); if k >= u { return }; _ = b[k]`, `k := rt.WideTo[uint64](rt.WideSub(2, u, 4)); if rt.Bounds(0, rt.IsAtLeast|rt.Settles, k, u) { return }; _ = b[rt.Used(rt.UseIndex, k)]`},
		{"a look at the sign", `k := int(u); if k < 0 { return }; _ = b[k]`, `k := rt.WideTo[int](u); if rt.Signs(rt.IsLess, k, 0) { return }; _ = b[rt.Used(rt.UseIndex, k)]`},
		{"the low byte of what is packed", `_, _ = b[uint8(u)], b[byte(n)]`, `_, _ = b[rt.Used(rt.UseIndex, uint8(u))], b[rt.Used(rt.UseIndex, rt.WideTo[byte](n))]`},
		{"bits put to their place", `_ = b[u<<n]`, `_ = b[rt.Used(rt.UseIndex, u<<n)]`},
		{"the shift of a constant", `_ = b[1<<n]`, `_ = b[rt.Used(rt.UseIndex, 1<<n)]`},
		{"with a type of its own", `_ = b[Small(n)]`, `_ = b[rt.Used(rt.UseIndex, rt.WideTo[Small](n))]`},
		{"a length in fewer bits", `h := uint16(len(b)); k := 4 + len(b); g := uint16(k); use(h, g)`, `h := rt.Used(rt.UseLength, rt.WideTo[uint16](len(b))); k := rt.WideAdd(1, 4, len(b)); g := rt.Used(rt.UseLength, rt.WideTo[uint16](k)); use(h, g)`},
		{"bytes of a length", `k := len(b); use(byte(k>>8), byte(k)); use(uint32(n), uint64(k))`, `k := len(b); use(byte(k>>8), byte(k)); use(uint32(n), uint64(k))`},
		{"a length of a method", `use(uint16(t.len()))`, `use(rt.Used(rt.UseLength, rt.WideTo[uint16](t.len())))`},
		{"type parameters", `_ = generic(u, b)`, `_ = generic(u, b)`},
	} {
		text := declarations + "func generic[N ~int|~uint64](n N, b []byte) byte { return b[n+1] }\n" +
			"func f(n int, u uint64, s byte, x float64, b []byte, t *T) {\n" + c.body + "\n}\n"
		got := edited(t, text)
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(c.want, " ", "") {
			t.Errorf("%s: %s\n%s, not\n%s", c.about, c.body, got, c.want)
		}
	}
}

package schemata

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// prelude is what the constructs use.
const prelude = `package p

func use(...any)           {}
func yes() bool            { return true }
func num() int             { return 1 }
func text() string         { return "t" }
func pair() (int, error)   { return 0, nil }
func numbers() []int       { return nil }
func table() map[string]int { return nil }

`

// constructs are what a rewriter has to know of the language, each a file that begins with
// the prelude.
var constructs = []struct{ name, src string }{
	{"type parameters that are numbers", `
type number interface{ ~int | ~uint8 | ~float64 }

func sum[N number](list ...N) (total N) {
	for i, x := range list {
		if x > 0 && i < len(list)-1 {
			total += x * 2
		}
	}
	return min(total, 100)
}

func half[N number](x N) N { return x / 2 }
`},
	{"type parameters that are lists", `
func last[S ~[]E, E comparable](list S, not E) (e E, ok bool) {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] != not {
			return list[i], true
		}
	}
	return
}

func cut[S ~[]E, E any](list S, n int) S { return append(list[:n:n], list[n+1:]...) }
`},
	{"type parameters that are texts", `
func count[T ~string | ~[]byte](s T, c byte) (n int) {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			n++
		}
	}
	return n
}

func join[T ~string](a, b T) T { return a + "-" + b }
`},
	{"type parameters that are maps and functions", `
func get[M ~map[K]V, K comparable, V any](m M, k K, other func() V) V {
	if v, ok := m[k]; ok {
		return v
	}
	v := other()
	m[k] = v
	return v
}

func drop[M ~map[K]V, K comparable, V any](m M, k K) {
	delete(m, k)
	clear(m)
}
`},
	{"generic types", `
type list[T any] struct {
	head *node[T]
	n    int
}

type node[T any] struct {
	value T
	next  *node[T]
}

func (l *list[T]) push(v T) *list[T] {
	l.head = &node[T]{value: v, next: l.head}
	l.n++
	return l
}

func (l list[T]) each(f func(T) bool) {
	for n := l.head; n != nil; n = n.next {
		if !f(n.value) {
			break
		}
	}
}

func total(l *list[int]) (sum int) {
	l.push(1).push(num() - 1).each(func(v int) bool { sum += v; return sum < 9 })
	return
}
`},
	{"constraints with methods", `
type named interface {
	comparable
	name() string
}

type own int

func (o own) name() string { return "own" }

func same[T named](a, b T) bool { return a == b || a.name() == b.name() }

func any2[T interface{ ~[]int; size() int }](x T) int { return x.size() + len(x) }

var _ = same[own](1, 2)
`},
	{"generic aliases", `
type rows[T any] = [][]T

type pairOf[A, B any] struct {
	a A
	b B
}

type ints = pairOf[int, int]

func width[T any](r rows[T]) int {
	if len(r) == 0 {
		return 0
	}
	return len(r[0])
}

func flip(p ints) ints { return ints{a: p.b, b: p.a} }
`},
	{"switches over types of type parameters", `
func kind[T any](x T) string {
	switch v := any(x).(type) {
	case int, int8:
		return "int"
	case string:
		return v + "!"
	case []T:
		return kind(v[0])
	case nil:
	default:
		use(v)
	}
	if s, ok := any(x).(interface{ String() string }); ok {
		return s.String()
	}
	return ""
}
`},
	{"builtins with other meanings", `
func f(list []int) int {
	len := func(l []int) int { return cap(l) * 2 }
	append := num()
	nil, true := 0, false
	if true || len(list) > append {
		return nil + 1
	}
	min, iota := 3, 4
	return min - iota
}
`},
	{"types with other names", `
type own struct{ uint8 int }

func f(uint8 int, any []int) (error int) {
	type string []int
	int := uint8 + 1
	list := string(any)
	if len(list) > int && list[0] != int {
		error = list[int-1]
	}
	v := own{uint8: error}
	return v.uint8 + int
}

func g(x int8) int8 {
	type bool int8
	b := bool(x)
	return int8(-b + 1)
}
`},
	{"labels of loops", `
func f(grid [][]int) (n int) {
outer:
	for i, row := range grid {
	inner:
		for j := range row {
			switch {
			case row[j] == 0:
				continue outer
			case row[j] < 0:
				break outer
			case j > i:
				break inner
			case i == 3:
				continue
			default:
				break
			}
			n += row[j]
		}
	}
	return n
}
`},
	{"labels of switches and selects", `
func f(c chan int, n int) int {
loop:
	for {
	pick:
		select {
		case v, ok := <-c:
			if !ok {
				break loop
			}
			if v > 1 {
				break pick
			}
			n += v
		default:
			n--
			if n < 0 {
				break loop
			}
		}
	}
tag:
	switch n {
	case 1:
		if yes() {
			break tag
		}
		n = 2
	}
	return n
}
`},
	{"goto", `
func f(n int) int {
	var i int
	if n < 0 {
		goto end
	}
again:
	i++
	if i < n {
		goto again
	}
	{
		j := i * 2
		use(j)
	}
end:
	return i - 1
}
`},
	{"goto out of blocks", `
func f(list []int) (found bool) {
	for _, x := range list {
		for x > 0 {
			x -= 3
			if x == 0 {
				found = true
				goto done
			}
		}
	}
done:
	if !found {
		use(list)
	}
	return
}
`},
	{"constants with iota", `
type color uint8

const (
	red color = iota + 1
	green
	_
	blue = red<<iota | 1
)

const (
	kb = 1 << (10 * (iota + 1))
	mb
)

func f(c color, n int) (color, int) {
	const (
		low = iota - 1
		high
		mid = (low + high) / 2
	)
	switch c {
	case red, blue:
		return green, n*kb + low
	}
	return c + 1, mb - high - mid
}
`},
	{"constants at the edges of types", `
func f(a int8, b uint8, c int64, d uint64) bool {
	a = -128
	if b == 255 || b+255 < 1 || a > 127 {
		b = 0
	}
	if c <= -1<<63 || d >= 1<<64-1 {
		return c == 1<<63-1
	}
	const huge = 1 << 100
	return float64(d) < huge && c%7 == huge>>98
}
`},
	{"operands without types", `
func f(n uint, x float64, r rune, b byte) (out int64, ok bool) {
	out = 1 << n
	var y float64 = 2 * 3.5
	x = 1 / y
	ok = 'a' <= r && r <= 'z' == yes()
	r += 'A' - 'a'
	b |= 1<<3 | 0x0f
	s := 1.0 << 3
	return out | 1<<n, x+1 > float64(s) || b == '\n'
}
`},
	{"shifts", `
func f(x int32, n int, u uint8) int32 {
	x <<= n & 31
	x = x>>u | x<<(32-u)
	y := uint64(1)<<n - 1
	return x ^ int32(y>>2.0)
}
`},
	{"own booleans", `
type flag bool

func both(a, b flag) flag { return a && !b }

func f(a flag, n int) flag {
	if a || n > 0 && bool(!a) == yes() {
		a = n == 1
	}
	for a {
		a = both(a, n < 2) != true
	}
	return flag(n != 3) || a
}
`},
	{"own texts and numbers", `
type (
	word string
	size int
	rate float64
)

const empty word = ""

func (w word) len() size { return size(len(w)) }

func f(w word, r rate) (word, rate) {
	if w == "x" || w+"y" < empty || w.len() >= 2 {
		w += "z"
	}
	return w[1:], -r*1.5 + rate(w.len())
}
`},
	{"complex numbers", `
func f(c complex128, d complex64) (complex128, float64) {
	if c == 1i || d != 0 {
		c = -c * (2 + 3i)
	}
	c -= complex(real(c), 1)
	return c / 2, imag(c) + 1
}
`},
	{"methods as values", `
type t struct{ n int }

func (x t) get(d int) int { return x.n + d }
func (x *t) set(n int)    { x.n = n }

type getter interface{ get(int) int }

func f(x *t, g getter) int {
	get, set := x.get, x.set
	defer x.set(0)
	set(3)
	by := t.get
	with := (*t).set
	with(x, get(1)-1)
	iface := getter.get
	return by(*x, 2) + iface(g, 1)*g.get(2)
}
`},
	{"methods of functions", `
type handler func(int) (int, error)

func (h handler) do(n int) (int, error) {
	if h == nil {
		return n, nil
	}
	return h(n + 1)
}

func f() (int, error) {
	h := handler(func(n int) (int, error) { return n - 1, nil })
	if n, err := h.do(2); err != nil || n == 0 {
		return 0, err
	}
	return handler(nil).do(num())
}
`},
	{"embedded fields", `
type (
	base  struct{ id, n int }
	mid   struct{ *base; n string }
	outer struct {
		mid
		ok bool
	}
)

func (b *base) next() int { b.id++; return b.id }

func f(o outer, p *outer) int {
	o.id = p.id + len(p.n)
	p.base.n--
	if o.ok && p.mid.base != nil {
		return o.next() - p.mid.id
	}
	return outer{mid: mid{base: &base{1, 2}, n: "x"}, ok: !p.ok}.next()
}
`},
	{"embedded type parameters of types", `
type box[T any] struct{ value T }

func (b *box[T]) put(v T) T { b.value, v = v, b.value; return v }

type crate struct {
	box[int]
	*label
}

type label struct{ text string }

func f(c *crate) (int, string) {
	if c.label != nil && c.text != "" {
		return c.put(c.value + 1), c.text[1:]
	}
	return c.box.put(-1), ""
}
`},
	{"loops over functions", `
func pairs(list []int) func(yield func(int, int) bool) {
	return func(yield func(int, int) bool) {
		for i, x := range list {
			if !yield(i, x) {
				return
			}
		}
	}
}

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				break
			}
		}
	}
}

func f(list []int) (sum int, err error) {
outer:
	for i, x := range pairs(list) {
		defer use(i)
		for y := range count(x) {
			if y > i {
				continue outer
			}
			if y == 7 {
				return sum, nil
			}
			sum += y
		}
		if sum > 99 {
			break
		}
	}
	for range count(2) {
		sum++
	}
	return sum - 1, err
}
`},
	{"loops over functions without values", `
func f(n int) (k int) {
	twice := func(yield func() bool) {
		_ = yield() && yield()
	}
	for range twice {
		k += n
		if k > 5 {
			goto out
		}
	}
out:
	return k
}
`},
	{"loops over numbers", `
type small uint8

func f(n int, s small) (sum int) {
	for i := range n - 1 {
		sum += i
	}
	for i := range s {
		sum -= int(i)
	}
	for range 3 {
		sum++
	}
	var k int64
	for k = range 5 {
		use(k)
	}
	for i := range small(2) {
		sum *= int(i + 1)
	}
	return sum + int(k)
}

func g[N ~int](n N) (m N) {
	for i := range n {
		m = i
	}
	return m
}
`},
	{"loops that assign to what is there", `
func f(m map[string]int, a [3]int, s string) (k string, r rune) {
	var box struct{ i, v int }
	for k, box.v = range m {
		use(k)
	}
	for box.i, a[1] = range a[:] {
		use(box.i)
	}
	for _, r = range s {
		if r == 'x' {
			break
		}
	}
	for range m {
		delete(m, k)
	}
	for _ = range a {
		use()
	}
	return
}
`},
	{"loops of three parts", `
func f(n int) (out []func() int) {
	for i, j := 0, n; i < j; i, j = i+1, j-1 {
		out = append(out, func() int { return i + j })
	}
	i := 0
	for ; i < n; {
		i += 2
	}
	for i > 0 {
		i--
	}
	for {
		if i++; i > 3 {
			break
		}
	}
	for i := n; ; i-- {
		if i <= 0 {
			return
		}
	}
}
`},
	{"min, max and clear", `
func f(a, b int, s []int, m map[int]bool, x float64) (int, float64, string) {
	a = min(a, b, 10)
	b = max(a+1, 0)
	clear(s[:a])
	clear(m)
	return min(a, b) - max(b, 2), max(x, 0, 1.5), min("a", text())
}
`},
	{"lengths and capacities", `
func f(a *[4]int, s []int, c chan int, m map[int]int, t string) int {
	s = make([]int, len(s), cap(s)*2+len(t))
	m = make(map[int]int, len(m))
	c = make(chan int, cap(c))
	if len(a) == 4 && len(m) > cap(c) {
		return len(t[1:]) - cap(s[1:2:3])
	}
	return copy(s, a[:]) + copy(s[1:], numbers()) + len([3]int{})
}
`},
	{"bytes of texts", `
func f(b []byte, s string) []byte {
	b = append(b, s...)
	b = append(b, s[1:]...)
	n := copy(b[2:], s)
	b = append(append([]byte(nil), b[:n]...), 'x', b[0]+1)
	for i, r := range s {
		if r > 127 || s[i] != byte(r) {
			return []byte(string(r) + s[:i])
		}
	}
	return append([]byte("go"), b...)
}
`},
	{"slices of arrays", `
func f(a [5]int, p *[5]int, i, j int) ([]int, bool) {
	s := a[i:j:5]
	if p != nil && a != *p {
		s = p[1:]
	}
	p[i], p[j] = p[j], p[i]
	for k := range p {
		s[k%len(s)] += p[k]
	}
	return s[:len(s)-1], a == [...]int{4: 1, 0: 2}
}
`},
	{"maps", `
type key struct{ a, b int }

func f(m map[key][]int, n map[string]map[string]int, k key) int {
	m[k] = append(m[k], 1)
	m[key{1, k.b}][0]++
	n["a"]["b"] += 2
	if v, ok := n["x"]; !ok || v["y"] > 1 {
		n["x"] = map[string]int{"y": 1, text(): num()}
	}
	delete(m, key{k.b, k.a})
	_, has := m[k]
	use(has)
	return len(m) + n[text()]["z"]
}
`},
	{"calls in operands", `
func f(p *int, a []int) int {
	a[num()] += num() - 1
	*p++
	a[num()], *p = *p+1, a[0]
	if x := num(); x > num() && a[x] != num()*2 {
		return num() - x
	}
	use(num()+1, text()+"x", numbers()[0] < 3)
	return a[num()-1] / num()
}
`},
	{"results with names", `
func f(n int) (sum int, err error) {
	defer func() {
		if r := recover(); r != nil {
			sum, err = -1, nil
		}
	}()
	if n > 3 {
		return
	}
	if sum, err := pair(); err != nil {
		return sum, err
	}
	sum += n
	return sum, nil
}

func g() (_ int, _ error) { return pair() }

func h() (a, b int) {
	a = 1
	{
		a := 2
		use(a)
	}
	return
}
`},
	{"names that are not used", `
func f(_ int, _ ...string) (int, error) {
	_, err := pair()
	if err != nil {
		return 0, err
	}
	x, _ := pair()
	var y, _ = pair()
	_ = x + 1
	_, _ = x, y
	return pair()
}
`},
	{"variables that are used once", `
func f(n int) int {
	a := n + 1
	b := a * 2
	if c := b - 1; c > 0 {
		return 1
	}
	d, e := n, n
	d = 3
	use(d)
	var g = e
	switch h := g + 1; {
	case h > 2:
	}
	return 0
}
`},
	{"functions that end without return", `
func f(n int) int {
	if n > 0 {
		return n
	} else if n < -3 {
		panic("less")
	} else {
		for {
			n++
			if n > 9 {
				return n
			}
		}
	}
}

func g(n int) string {
	switch {
	case n > 0:
		return "a"
	case n < 0:
		fallthrough
	default:
		panic(n)
	}
}

func h(c chan int) int {
	select {
	case v := <-c:
		return v
	}
}

func k(n int) int {
again:
	if n > 0 {
		n--
		goto again
	}
	return n
}
`},
	{"switches", `
func f(n int, s string, v any) int {
	switch n := n + 1; n {
	default:
		n = 0
		fallthrough
	case 1, 2:
		return n - 1
	case num(), num() + 1:
	}
	switch s {
	case "a", "b" + "c":
		n++
	case text():
		n--
	}
	switch x := v.(type) {
	case nil:
		return 0
	case int:
		return x + n
	case error, interface{ f() }:
		use(x)
	}
	switch y, ok := v.(string); {
	case ok && y > "m", n == 3:
		return len(y)
	}
	switch {
	}
	return n
}
`},
	{"selects", `
func f(in <-chan int, out chan<- int, done chan struct{}) (n int, err error) {
	for n < 10 {
		select {
		case v := <-in:
			n += v
		case n, ok := <-in:
			use(n, ok)
		case out <- n * 2:
		case <-done:
			return n, nil
		}
	}
	select {
	case n = <-in:
	default:
	}
	close(done)
	out <- <-in + 1
	return
}
`},
	{"function literals", `
var double = func(n int) int { return n * 2 }

var table2 = map[string]func(int) bool{
	"odd": func(n int) bool { return n%2 == 1 },
}

func f(list []int) func() func(int) int {
	n := len(list)
	fib := func(int) int { return 0 }
	fib = func(k int) int {
		if k < 2 {
			return k
		}
		return fib(k-1) + fib(k-2)
	}
	if func() bool { return n > 3 }() {
		n = func(a, b int) int { return a - b }(n, 1)
	}
	go func() { use(n) }()
	return func() func(int) int { n++; return func(d int) int { return n + d + fib(d) } }
}
`},
	{"variables of the package", `
var (
	a       = b + 1
	b, c    = num() * 2, "c" + text()
	d, e    = pair()
	_       = num() > 1
	f       [4]int
	g       = []int{1, num(), 2: 3}
	h       = struct{ x, y int }{x: 1, y: num()}.x
)

func init() { f[0] = a - b }

func init() {
	if len(c) > d && e == nil {
		g = g[1:]
	}
}
`},
	{"structs without names", `
type point struct{ x, y int }

func f(p point, q struct{ x, y int }) (r struct{ point; z int }) {
	if p == q || p.x > q.y {
		p = point(q)
	}
	for _, c := range []struct {
		n  int
		ok bool
	}{{1, true}, {n: 2}} {
		if c.ok != (c.n > 1) {
			r.z += c.n
		}
	}
	r.point = point{y: p.x + 1}
	return
}
`},
	{"nil", `
func f(m map[int]int, s []int, p *int, i any, fn func(), c chan int, e error) bool {
	if m == nil && s != nil || p == nil {
		return i == nil
	}
	if e != nil {
		return fn != nil
	}
	var none error = nil
	return c == nil || none == e
}
`},
	{"conversions", `
type mask uint16

func f(n int, u uint32, b byte, x float64, s string) (mask, int64) {
	m := mask(n) &^ mask(b)
	k := int8(u>>8) + int8(b&0x0f)
	if uint(k) > uint(n) || int(x) == int(s[0]-'0') {
		return m, int64(k)
	}
	p := (*[2]int)(numbers())
	return mask(len(p)), int64(uint8(n))
}
`},
	{"parentheses, comments and lines", `
func f(a, b int, /* c */ c bool) int {
	if (a > b) /* and */ && // the second
		!(c ||
			(a) == (b-1)) {
		return (a + // sum
			b) * 2
	}
	return use2(
		a, // one
		(b),
	).n /* end */
}

type two struct{ n int }

func use2(a, b int) *two { return &two{a - b} }
`},
	{"statements on one line", `
func f(n int) int { if n > 1 { n--; return n }; for n < 3 { n++ }; switch { case n == 2: n = 1; default: }; return n }

func g() { ; ; use(); { } }
`},
	{"locks and defers", `
type lock struct{ held bool }

func (l *lock) Lock()   { l.held = true }
func (l *lock) Unlock() { l.held = false }

type guarded struct {
	lock
	n int
}

func (g *guarded) add(d int) int {
	g.Lock()
	defer g.Unlock()
	for i := range 2 {
		defer func(k int) { g.n -= k }(i + 1)
	}
	g.n += d
	return g.n
}
`},
	{"instances and inference", `
func apply[T, U any](list []T, f func(T) U) (out []U) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return
}

func zero[T any]() (z T) { return }

func ptr[T any](x T) *T { return &x }

func f(list []int) (string, int) {
	texts := apply(list, func(n int) string { return text()[n-1:] })
	plus := apply[int, int]
	sums := plus(list, func(n int) int { return n + 1 })
	if len(texts) > 0 && *ptr(len(sums)) != zero[int]() {
		return texts[0], sums[len(sums)-1]
	}
	return zero[string](), *ptr(1)
}
`},
	{"recursive constraints", `
type ordered[T any] interface{ less(T) bool }

type age int

func (a age) less(b age) bool { return a < b }

func least[T ordered[T]](first T, rest ...T) T {
	for _, x := range rest {
		if x.less(first) {
			first = x
		}
	}
	return first
}

type tree[T ordered[T]] struct {
	left, right *tree[T]
	value       T
}

func (t *tree[T]) insert(v T) *tree[T] {
	if t == nil {
		return &tree[T]{value: v}
	}
	if v.less(t.value) {
		t.left = t.left.insert(v)
	} else {
		t.right = t.right.insert(v)
	}
	return t
}

var _ = new(tree[age]).insert(least[age](1, 2))
`},
}

// Each construct is rewritten to a file that compiles, and so is each plain edit; what the
// sites are, and what becomes of them, is beside the test:
//
//	go test ./instrument/schemata -run TestConstructs -update
func TestConstructs(t *testing.T) {
	const golden = "testdata/constructs.golden"
	var b strings.Builder
	c := checker{imports: mapImporter{}}
	for _, construct := range constructs {
		t.Run(construct.name, func(t *testing.T) {
			src := []byte(prelude + strings.TrimPrefix(construct.src, "\n"))
			in, errs := c.check("p", map[string][]byte{"/p/x.go": src})
			if len(errs) > 0 {
				t.Fatalf("the construct does not compile:\n%s", errorLines(errs, 5))
			}
			out := mustRewrite(t, in)
			if errs := c.recheck(in, out); len(errs) > 0 {
				t.Errorf("rewritten:\n%s\n%s", errorLines(errs, 5), out.Files["/p/x.go"])
			}
			race := in
			race.Race = true
			if errs := c.recheck(race, mustRewrite(t, race)); len(errs) > 0 {
				t.Errorf("rewritten for -race:\n%s", errorLines(errs, 5))
			}
			watched := in
			watched.Overflow = true
			if errs := c.recheck(watched, mustRewrite(t, watched)); len(errs) > 0 {
				t.Errorf("with integers watched:\n%s", errorLines(errs, 5))
			}
			checkLines(t, in, out)
			for _, round := range rounds(out.Mutants) {
				for _, m := range culprits(c, in, round) {
					errs := c.errors("p", applyAll(in.Files, []instrument.Mutant{m}))
					t.Errorf("%d:%d: %s: %q → %q does not compile: %v", m.Line, m.Column, m.Operator, m.Original, m.Replacement, errs[0])
				}
			}
			fmt.Fprintf(&b, "== %s\n%s-- skips\n%s\n", construct.name, ofConstruct(out), skipList(out.Skips))
		})
	}
	if t.Failed() {
		return
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("sites (-want +got; -update accepts):\n%s", diff)
	}
}

// ofConstruct lists the mutants without those of the prelude.
func ofConstruct(out *Output) string {
	var own []instrument.Mutant
	for _, m := range out.Mutants {
		if m.Line > strings.Count(prelude, "\n") {
			own = append(own, m)
		}
	}
	return mutantList(own)
}

// No two mutants are the same change, and what has none has a reason.
func TestNoSiteIsSkippedTwice(t *testing.T) {
	c := checker{imports: mapImporter{}}
	for _, construct := range constructs {
		in, errs := c.check("p", map[string][]byte{"/p/x.go": []byte(prelude + construct.src)})
		if len(errs) > 0 {
			t.Fatalf("%s:\n%s", construct.name, errorLines(errs, 5))
		}
		out := mustRewrite(t, in)
		seen := map[string]bool{}
		for _, m := range out.Mutants {
			what := fmt.Sprintf("%d-%d %s", m.Offset, m.End, m.Replacement)
			if seen[what] {
				t.Errorf("%s: %d:%d: %q → %q is two mutants", construct.name, m.Line, m.Column, m.Original, m.Replacement)
			}
			seen[what] = true
			if m.Original == m.Replacement {
				t.Errorf("%s: %d:%d: %s changes nothing", construct.name, m.Line, m.Column, m.Operator)
			}
			if got := string(in.Files[0].Src[m.Offset:m.End]); got != m.Original {
				t.Errorf("%s: %d:%d: %s is of %q, where %q stands", construct.name, m.Line, m.Column, m.Operator, m.Original, got)
			}
		}
		for _, s := range out.Skips {
			if s.Reason == "" || s.Line <= 0 {
				t.Errorf("%s: %+v", construct.name, s)
			}
		}
	}
}

package pump

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

func TestGrown(t *testing.T) {
	b := func(s string) []byte { return []byte(s) }
	for _, c := range []struct {
		p    Pump
		n    int
		want string
	}{
		{Pump{}, 3, ""},
		{Pump{Prefix: b("<"), First: b("ab"), Suffix: b(">")}, 3, "<ababab>"},
		{Pump{First: b("("), Middle: b("x"), Second: b(")")}, 4, "((((x))))"},
		{Pump{First: b("a,"), Suffix: b("!"), Count: true, FirstAt: 1}, 3, "a0,a1,a2,!"},
		{Pump{First: b("<>"), Middle: b("|"), Second: b("</>"), Count: true, FirstAt: 1, SecondAt: 2, Letters: true}, 2, "<a><b>|</a></b>"},
		{Pump{Prefix: b("p"), First: b("x"), Suffix: b("s")}, 0, "ps"},
	} {
		if got := string(c.p.Grown(nil, c.n)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}

// The repetitions of a numbered pump differ, as long as there are few enough.
func TestNumbersDiffer(t *testing.T) {
	for _, letters := range []bool{false, true} {
		p := Pump{First: []byte(","), Count: true, Letters: letters}
		seen := make(map[string]bool)
		for _, part := range strings.Split(string(p.Grown(nil, 5000)), ",") {
			if part != "" && seen[part] {
				t.Fatalf("letters %v: %q stands there twice", letters, part)
			}
			seen[part] = true
		}
	}
}

func TestTimesMakeTheLength(t *testing.T) {
	p := Pump{Prefix: []byte("1234"), First: []byte("ab"), Second: []byte("c"), Suffix: []byte("x")}
	for _, n := range []int{0, 10, 100, 5000} {
		got := len(p.Grown(nil, p.Times(n)))
		if want := max(n, 8); got > want || got <= want-3 && n > 10 {
			t.Errorf("%d bytes for %d", got, n)
		}
	}
}

// What is drawn from a text is a cut of it, or of one with a token more, and can be grown.
func TestDrawn(t *testing.T) {
	d := Drawer{Rand: havoc.NewRand(1), Dict: [][]byte{[]byte("token")}}
	texts := []string{"", "a", ";;", "f(x, [1, 2])", "<p class=a>text</p>\n<b>", strings.Repeat("ab,", 40)}
	nests, numbers := 0, 0
	for i := range 20_000 {
		text := texts[i%len(texts)]
		p, ok := d.Draw([]byte(text))
		if !ok || !p.Valid() {
			t.Fatalf("%q gives %+v", text, p)
		}
		if len(p.Second) > 0 {
			nests++
		}
		if p.Count {
			numbers++
			continue
		}
		once := string(p.Grown(nil, 1))
		if len(once) < len(text) || len(once) == len(text) && once != text {
			t.Fatalf("%q gives %q", text, once)
		}
	}
	if nests == 0 || numbers == 0 {
		t.Errorf("%d with two parts, %d with numbers", nests, numbers)
	}
}

// The bracket that closes a part is repeated with it.
func TestNestsAreDrawn(t *testing.T) {
	d := Drawer{Rand: havoc.NewRand(1)}
	for range 5000 {
		if p, _ := d.Draw([]byte("f(x)")); string(p.First) == "(" && string(p.Middle) == "x" && string(p.Second) == ")" {
			return
		}
	}
	t.Error("none")
}

func TestSmaller(t *testing.T) {
	p := Pump{
		Prefix: []byte("prefix!"), First: []byte("xx;xx"), Middle: []byte("middle"), Second: []byte("second"), Suffix: []byte("suffix"),
		Count: true, FirstAt: 4, SecondAt: 2,
	}
	calls := 0
	got := p.Smaller(100, func(q *Pump) bool {
		calls++
		b := q.Grown(nil, 3)
		return bytes.Count(b, []byte(";")) == 3 && bytes.Contains(b, []byte("!"))
	})
	if string(got.Grown(nil, 2)) != "!;;" || calls > 100 {
		t.Errorf("%q after %d calls", got.Grown(nil, 2), calls)
	}
	if string(p.First) != "xx;xx" {
		t.Error("the pump itself was changed")
	}
}

// With the number goes what only it was there for; where it stays, its place stays right.
func TestSmallerKeepsNumbers(t *testing.T) {
	p := Pump{First: []byte("aaaa-bbbb;"), Count: true, FirstAt: 5}
	got := p.Smaller(100, func(q *Pump) bool { return bytes.Contains(q.Grown(nil, 3), []byte("-2")) })
	if s := string(got.Grown(nil, 2)); !strings.Contains(s, "-1") || len(got.First) != 1 {
		t.Errorf("%q", s)
	}
}

// noisy makes points of a cost, with lengths that double from 512.
func noisy(sizes int, noise float64, cost func(n float64) float64) (points []Point) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range sizes {
		n := 512 << i
		points = append(points, Point{n, cost(float64(n)) * (1 + noise*(2*rng.Float64()-1))})
	}
	return points
}

func TestExponents(t *testing.T) {
	square := func(n float64) float64 { return n * n }
	for _, c := range []struct {
		name   string
		points []Point
		e, tol float64
		above  bool
	}{
		{"none", nil, 0, 0, false},
		{"one", noisy(1, 0, square), 0, 0, false},
		{"constant", noisy(6, 0, func(float64) float64 { return 700 }), 0, 0.01, false},
		{"in proportion", noisy(6, 0, func(n float64) float64 { return 3 * n }), 1, 0.01, false},
		{"in proportion, noise of a fifth", noisy(6, 0.2, func(n float64) float64 { return 3 * n }), 1, 0.15, false},
		{"with a logarithm", noisy(6, 0, func(n float64) float64 { return n * math.Log2(n) }), 1.12, 0.05, false},
		{"with a large fixed part", noisy(6, 0, func(n float64) float64 { return 1e6 + 3*n }), 0.02, 0.05, false},
		{"square", noisy(4, 0, square), 2, 0.01, true},
		{"square, noise of a fifth", noisy(6, 0.2, square), 2, 0.2, true},
		{"square after a proportion", noisy(6, 0, func(n float64) float64 { return 1000*n + n*n }), 1.73, 0.1, true},
		{"to the power 1.5 and a little", noisy(6, 0, func(n float64) float64 { return math.Pow(n, 1.6) }), 1.6, 0.01, true},
		{"cube", noisy(4, 0.1, func(n float64) float64 { return n * n * n }), 3, 0.2, true},
		{"square up to a limit", noisy(6, 0, func(n float64) float64 { return square(min(n, 4096)) }), 1.5, 0.35, false},
		{"doubled once, as memory is", noisy(6, 0, func(n float64) float64 {
			if n > 4096 {
				return 8 * n
			}
			return 2 * n
		}), 1.5, 0.3, false},
	} {
		e, above := Above(c.points, 1.5)
		if math.Abs(e-c.e) > c.tol || above != c.above {
			t.Errorf("%s: exponent %.2f, want %.2f; above: %v", c.name, e, c.e, above)
		}
	}
}

func TestAt(t *testing.T) {
	if got := At([]Point{{100, 1}, {1000, 2}}, 2, 10_000); math.Abs(got-200) > 1e-9 {
		t.Errorf("%g", got)
	}
	if got := At(nil, 2, 10); got != 0 {
		t.Errorf("%g of nothing", got)
	}
}

func FuzzDraw(f *testing.F) {
	f.Add([]byte("f(x, [1, 2]); <p>"), uint64(1))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		d := Drawer{Rand: havoc.NewRand(seed)}
		p, ok := d.Draw(text)
		if !ok {
			return
		}
		small := p.Smaller(20, func(q *Pump) bool { return q.Valid() && seed%3 != 0 })
		for n := range 4 {
			if small.Valid() && len(small.Grown(nil, n)) > len(p.Grown(nil, n)) {
				t.Errorf("%+v is not smaller than %+v", small, p)
			}
		}
	})
}

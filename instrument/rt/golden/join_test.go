package golden

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestJoin(t *testing.T) {
	type meta struct {
		ID   string
		Size int
	}
	type doc struct {
		Meta  meta
		At    time.Time
		Keys  []string
		By    map[string]int
		Parts []meta
		Any   any
		Err   error
	}
	text := func(d *doc) string { return Render(d) }
	base := doc{Meta: meta{"a", 1}, Keys: []string{"x", "y"}, By: map[string]int{"k": 1, "l": 2}, Parts: []meta{{"p", 1}, {"q", 2}}, Any: 5}
	for name, c := range map[string]struct {
		change func(d *doc)
		want   string // in one line; "": nothing is left
	}{
		"nothing": {func(*doc) {}, Flat(text(&base))},
		"a field in a field": {
			func(d *doc) { d.Meta.ID = "b, {c}" },
			`Meta: {ID: differs from run to run, Size: 1}`,
		},
		"a time":              {func(d *doc) { d.At = time.Unix(5, 0) }, `At: differs from run to run`},
		"the order of a list": {func(d *doc) { d.Keys = []string{"y", "x"} }, `Keys: [differs from run to run, differs from run to run]`},
		"the length of one":   {func(d *doc) { d.Keys = nil; d.Keys = []string{} }, `Keys: differs from run to run`},
		"an element":          {func(d *doc) { d.Parts = []meta{{"p", 1}, {"r", 2}} }, `Parts: [{ID: "p", Size: 1}, {ID: differs from run to run, Size: 2}]`},
		"a key":               {func(d *doc) { d.By = map[string]int{"k": 1, "m": 2} }, `By: map{"k": 1, differs from run to run}`},
		"the value of one":    {func(d *doc) { d.By = map[string]int{"k": 1, "l": 3} }, `By: map{"k": 1, "l": differs from run to run}`},
		"a dynamic type":      {func(d *doc) { d.Any = "5" }, `Any: differs from run to run`},
		"nil or not":          {func(d *doc) { d.Any = nil }, `Any: differs from run to run`},
	} {
		other := base
		c.change(&other)
		a, b := text(&base), text(&other)
		joined := Join(a, b)
		if !strings.Contains(Flat(joined), c.want) {
			t.Errorf("%s: %s\nis without %s", name, joined, c.want)
		}
		if !Matches(joined, a) || !Matches(joined, b) || !Alike(b, joined) {
			t.Errorf("%s: %s\nmatches neither\n%s\nnor\n%s", name, joined, a, b)
		}
		if again := Join(joined, b); again != joined {
			t.Errorf("%s: joined again:\n%s", name, again)
		}
		if name != "nothing" && Masked(b, joined) != Masked(a, joined) {
			t.Errorf("%s: masked\n%s\nand\n%s", name, Masked(a, joined), Masked(b, joined))
		}
		base := base
		base.Meta.Size = 7
		if Matches(joined, text(&base)) {
			t.Errorf("%s: another size matches\n%s", name, joined)
		}
	}
}

func TestNothingIsLeftOfTextsWithoutStructure(t *testing.T) {
	for _, c := range [][2]string{
		{"int 5", "int 6"},
		{`string "a"`, `string "b"`},
		{"nil", `*p.T &{ID: 5}`},
		{"[1, 2]", "[1, 2, 3]"},
		{"{A: 1}\n... cut: 90 lines, 5000 bytes, hash 12", "{A: 1}\n... cut: 90 lines, 5000 bytes, hash 13"},
		{"{A: 1", "{A: 2"},
	} {
		if got := Join(c[0], c[1]); got != Unstable {
			t.Errorf("%q and %q: %q", c[0], c[1], got)
		}
	}
}

func TestWhatIsWantedMatches(t *testing.T) {
	const u = Unstable
	for _, c := range []struct {
		want, got string
		matches   bool
	}{
		{u, "anything, at all" + u, false}, // a text is one value
		{u, "{A: 1, B: [2, 3]}", true},
		{"{A: " + u + ", B: 2}", `{A: "x, }\"", B: 2}`, true},
		{"{A: " + u + ", B: 2}", `{A: {A: 5, B: 2}, B: 2}`, true},
		{"{A: " + u + ", B: 2}", `{A: 1, B: 3}`, false},
		{"[{A: " + u + "}, {A: 2}]", `[{A: 1}, {A: 3}, {A: 2}]`, false},
		{"{\n\tA: " + u + "\n\tB: 2\n}", `{A: 1, B: 2}`, true},
		{`string "` + u + `"`, `string "x"`, false}, // a text that has these words
		{`string "` + u + `"`, `string "` + u + `"`, true},
		{"int 1; string " + u, `int 1; string "x"`, true},
		{"int " + u + "; int 1", `int 5; int 2`, false},
		{u, "", true},
		{"x", u, false},
		{`"\`, `"\`, true},
		{u + `"\`, `"\`, false},
	} {
		if got := Matches(c.want, c.got); got != c.matches {
			t.Errorf("%q, %q: %v", c.want, c.got, got)
		}
	}
	if !Alike("x", u) || !Alike("{A: "+u+", B: 1}", "{A: 5, B: "+u+"}") || Alike("{A: "+u+", B: 1}", "{A: "+u+", B: 2}") {
		t.Error("alike")
	}
}

// FuzzJoin joins texts of any values, and of any bytes.
func FuzzJoin(f *testing.F) {
	f.Add("{A: 1, B: [2, 3]}", "{A: 1, B: [2, 4]}", uint64(1))
	f.Add("*p.T &{\n\tA: \"x\"\n}", "*p.T &{\n\tA: nil\n}", uint64(2))
	f.Add(`error "a: b" {Unwrap(): nil}`, `error "a: c" {Unwrap(): nil}`, uint64(3))
	f.Fuzz(func(t *testing.T, a, b string, seed uint64) {
		for _, pair := range [][2]string{{a, b}, {Render(drawn(seed)), Render(drawn(seed / 2))}} {
			joined := Join(pair[0], pair[1])
			if joined != Unstable && (!Matches(joined, pair[0]) || !Matches(joined, pair[1])) {
				t.Errorf("%q\nmatches neither %q\nnor %q", joined, pair[0], pair[1])
			}
			Masked(pair[0], joined)
		}
	})
}

// drawn returns a value with lists, maps and structs in each other.
func drawn(seed uint64) any {
	type part struct {
		Name string
		Kids []any
		By   map[string]any
	}
	r := rand.New(rand.NewPCG(seed, 1))
	var draw func(size int) any
	draw = func(size int) any {
		switch n := r.IntN(6); {
		case size == 0 || n == 0:
			return r.IntN(3)
		case n == 1:
			return []string{"a", `", "`, "{x: [", "b\\"}[r.IntN(4)]
		default:
			p := &part{Name: string(rune('a' + r.IntN(3)))}
			for range r.IntN(3) {
				p.Kids = append(p.Kids, draw(size-1))
			}
			if r.IntN(2) == 0 {
				p.By = map[string]any{string(rune('k' + r.IntN(3))): draw(size - 1)}
			}
			return p
		}
	}
	return draw(4)
}

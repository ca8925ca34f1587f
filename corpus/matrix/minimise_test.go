package matrix

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/google/go-cmp/cmp"
)

// entryCase is an entry in short: kills of mutant numbers by kind, and blocks.
type entryCase struct {
	Entry
	asserted, panicked, hanging, differing, blocks []int
}

func build(cases ...entryCase) *Matrix {
	m := New(20, 20)
	for _, c := range cases {
		var kills []Kill
		var hits []Hit
		for kind, mutants := range map[oracle.Kind][]int{oracle.Assertion: c.asserted, oracle.Panic: c.panicked, oracle.Fuel: c.hanging, oracle.Difference: c.differing} {
			for _, mutant := range mutants {
				kills = append(kills, Kill{mutant, kind})
			}
		}
		for _, b := range c.blocks {
			hits = append(hits, Hit{b, 1})
		}
		m.Add(c.Entry, kills, hits)
	}
	return m
}

func names(m *Matrix, entries []int) []string {
	got := []string{}
	for _, i := range entries {
		got = append(got, m.Entry(i).Name)
	}
	return got
}

func TestMinimisePreferences(t *testing.T) {
	type E = Entry
	tests := []struct {
		what  string
		prefs Prefs
		cases []entryCase
		want  []string
	}{
		{"nothing", Prefs{}, nil, []string{}},
		{"useless entries go", Prefs{}, []entryCase{{Entry: E{Name: "a"}}, {Entry: E{Name: "b"}, blocks: []int{1}}}, []string{"b"}},
		{"fixed entries stay, useless or not", Prefs{}, []entryCase{{Entry: E{Name: "a", Fixed: true}}}, []string{"a"}},
		{
			"what fixed entries have is free",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a"}, differing: []int{1, 2, 3}, blocks: []int{1, 2}},
				{Entry: E{Name: "b", Fixed: true}, differing: []int{1, 2, 3}, blocks: []int{1, 2}},
				{Entry: E{Name: "c"}, blocks: []int{3}},
			},
			[]string{"b", "c"},
		},
		{
			"more features first",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a", Size: 1}, blocks: []int{1}},
				{Entry: E{Name: "b", Size: 9}, blocks: []int{1, 2}},
			},
			[]string{"b"},
		},
		{
			"assertion kills before difference kills, though longer",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a", Size: 1}, differing: []int{1}},
				{Entry: E{Name: "b", Size: 9}, asserted: []int{1}},
			},
			[]string{"b"},
		},
		{
			"assertion kills before panics",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a", Size: 1}, panicked: []int{1}},
				{Entry: E{Name: "b", Size: 9}, asserted: []int{1}},
			},
			[]string{"b"},
		},
		{
			"what go test sees before difference kills",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a", Size: 1}, differing: []int{1}},
				{Entry: E{Name: "b", Size: 9}, panicked: []int{1}},
			},
			[]string{"b"},
		},
		{
			"fuel kills are not seen at once",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a", Size: 1}, differing: []int{1}},
				{Entry: E{Name: "b", Size: 9}, hanging: []int{1}},
			},
			[]string{"a"},
		},
		{
			"shorter before faster",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a", Size: 2, Fuel: 1}, blocks: []int{1}},
				{Entry: E{Name: "b", Size: 1, Fuel: 9}, blocks: []int{1}},
			},
			[]string{"b"},
		},
		{
			"faster before name",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a", Size: 2, Fuel: 9}, blocks: []int{1}},
				{Entry: E{Name: "b", Size: 2, Fuel: 1}, blocks: []int{1}},
			},
			[]string{"b"},
		},
		{
			"name last",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "b"}, blocks: []int{1}},
				{Entry: E{Name: "a"}, blocks: []int{1}},
			},
			[]string{"a"},
		},
		{
			"what later choices make redundant goes",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a"}, blocks: []int{2, 3, 4, 5}},
				{Entry: E{Name: "b"}, blocks: []int{1, 2, 3}},
				{Entry: E{Name: "c"}, blocks: []int{4, 5, 6}},
			},
			[]string{"b", "c"},
		},
		{
			"by coverage",
			Prefs{By: Coverage},
			[]entryCase{
				{Entry: E{Name: "a"}, asserted: []int{1, 2, 3}},
				{Entry: E{Name: "b", Size: 2}, asserted: []int{1}, blocks: []int{1}},
				{Entry: E{Name: "c", Size: 1}, blocks: []int{1}},
			},
			[]string{"c"},
		},
		{
			"by kills",
			Prefs{By: Kills},
			[]entryCase{
				{Entry: E{Name: "a"}, blocks: []int{1, 2, 3}},
				{Entry: E{Name: "b"}, differing: []int{1}},
			},
			[]string{"b"},
		},
		{
			"a difference kill does for an assertion kill",
			Prefs{},
			[]entryCase{
				{Entry: E{Name: "a"}, differing: []int{1}, blocks: []int{1}},
				{Entry: E{Name: "b"}, asserted: []int{1}},
			},
			[]string{"a"},
		},
		{
			"unless assertion kills must be kept",
			Prefs{Assertions: true},
			[]entryCase{
				{Entry: E{Name: "a"}, differing: []int{1}, blocks: []int{1}},
				{Entry: E{Name: "b"}, asserted: []int{1}},
			},
			[]string{"a", "b"},
		},
	}
	for _, test := range tests {
		m := build(test.cases...)
		if diff := cmp.Diff(test.want, names(m, Minimise(m, test.prefs))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}
}

// TestWorstEntriesAreDroppedFirst: of several redundant entries only some may be
// droppable, so the order decides which.
func TestWorstEntriesAreDroppedFirst(t *testing.T) {
	m := build(
		entryCase{Entry: Entry{Name: "asserts", Size: 90}, asserted: []int{1, 2}},
		entryCase{Entry: Entry{Name: "short", Size: 1}, differing: []int{1, 2, 3}},
		entryCase{Entry: Entry{Name: "fixed", Size: 99, Fixed: true}},
		entryCase{Entry: Entry{Name: "long", Size: 50}, differing: []int{4}},
		entryCase{Entry: Entry{Name: "slow", Size: 50, Fuel: 9}, differing: []int{5}},
		entryCase{Entry: Entry{Name: "asserts less", Size: 2}, asserted: []int{1}},
	)
	got := names(m, newCover(m, Prefs{}).worstFirst([]int{0, 1, 2, 3, 4, 5}))
	want := []string{"slow", "long", "short", "asserts less", "asserts"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// randomRow makes an entry whose features are dense in the share p.
func randomRow(rng *rand.Rand, name string, mutants, blocks int, p float64) (Entry, []Kill, []Hit) {
	var kills []Kill
	var hits []Hit
	for i := range mutants {
		if rng.Float64() < p {
			kills = append(kills, Kill{i, oracle.Kind(1 + rng.IntN(int(kinds)-1))})
		}
	}
	for i := range blocks {
		if rng.Float64() < p {
			hits = append(hits, Hit{i, uint8(1 << rng.IntN(3))})
		}
	}
	e := Entry{Name: name, Size: rng.IntN(4), Fuel: int64(rng.IntN(3)), Fixed: rng.IntN(12) == 0}
	return e, kills, hits
}

// required lists the features that prefs ask for. It is written separately from
// the code under test.
func required(m *Matrix, i int, prefs Prefs) map[[2]int]bool {
	features := make(map[[2]int]bool)
	for mutant, kind := range m.Kills(i) {
		if prefs.By != Coverage {
			features[[2]int{0, mutant}] = true
		}
		if prefs.By != Coverage && prefs.Assertions && kind == oracle.Assertion {
			features[[2]int{1, mutant}] = true
		}
	}
	for block, bucket := range m.Hits(i) {
		for b := range 8 {
			if prefs.By != Kills && bucket>>b&1 != 0 {
				features[[2]int{2, block*8 + b}] = true
			}
		}
	}
	return features
}

func union(m *Matrix, entries []int, prefs Prefs, without int) map[[2]int]bool {
	all := make(map[[2]int]bool)
	for _, i := range entries {
		if i == without {
			continue
		}
		for f := range required(m, i, prefs) {
			all[f] = true
		}
	}
	return all
}

// checkMinimal fails the test unless kept has all features of m, all fixed
// entries, and no other entry that could be left out.
func checkMinimal(t *testing.T, m *Matrix, prefs Prefs, kept []int) {
	t.Helper()
	var all []int
	for i := range m.Len() {
		all = append(all, i)
		if m.Entry(i).Fixed && !slices.Contains(kept, i) {
			t.Fatalf("fixed entry %d is dropped", i)
		}
	}
	if !slices.IsSorted(kept) || len(slices.Compact(slices.Clone(kept))) != len(kept) {
		t.Fatalf("indices %v are not ascending", kept)
	}
	want := len(union(m, all, prefs, -1))
	if got := len(union(m, kept, prefs, -1)); got != want {
		t.Fatalf("%d features of %d are kept", got, want)
	}
	for _, i := range kept {
		if !m.Entry(i).Fixed && len(union(m, kept, prefs, i)) == want {
			t.Fatalf("entry %d of %v can be left out", i, kept)
		}
	}
}

var allPrefs = []Prefs{{}, {By: Kills}, {By: Coverage}, {Assertions: true}, {By: Kills, Assertions: true}, {By: Coverage, Assertions: true}}

func TestMinimiseLosesNothingAndKeepsNothingIdle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 150 {
		mutants, blocks, p := rng.IntN(80), rng.IntN(40), 0.3*rng.Float64()
		m := New(mutants, blocks)
		for i := range rng.IntN(40) {
			m.Add(randomRow(rng, fmt.Sprint(i), mutants, blocks, p))
		}
		prefs := allPrefs[round%len(allPrefs)]
		checkMinimal(t, m, prefs, Minimise(m, prefs))
	}
}

func TestMinimiseDoesNotDependOnOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	type rowArgs struct {
		e     Entry
		kills []Kill
		hits  []Hit
	}
	for round := range 100 {
		const mutants, blocks = 30, 10
		rows := make([]rowArgs, 25)
		for i := range rows {
			r := &rows[i]
			// Names are drawn from a few: the order must not lean on them alone.
			r.e, r.kills, r.hits = randomRow(rng, fmt.Sprint(rng.IntN(6)), mutants, blocks, 0.15)
		}
		var first []string
		for range 5 {
			m := New(mutants, blocks)
			for _, r := range rows {
				m.Add(r.e, r.kills, r.hits)
			}
			got := describeRows(m, Minimise(m, allPrefs[round%len(allPrefs)]))
			if first == nil {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Fatalf("another order gives another result:\n%s", diff)
			}
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
	}
}

// describeRows gives the kept rows with all their features, sorted.
func describeRows(m *Matrix, kept []int) []string {
	var rows []string
	for _, i := range kept {
		s := fmt.Sprintf("%+v", m.Entry(i))
		for mutant, kind := range m.Kills(i) {
			s += fmt.Sprint(" ", mutant, kind)
		}
		for block, bucket := range m.Hits(i) {
			s += fmt.Sprint(" ", block, "/", bucket)
		}
		rows = append(rows, s)
	}
	slices.Sort(rows)
	return rows
}

// plainGreedy is the definition of what Minimise chooses before it drops
// redundant entries: no heap, no memory of old gains.
func plainGreedy(m *Matrix, prefs Prefs) (chosen []int) {
	c := newCover(m, prefs)
	for i := range m.rows {
		if m.rows[i].Fixed {
			c.take(i)
		}
	}
	for {
		best, bestGain := -1, gain{}
		for i := range m.rows {
			g := c.gain(i)
			if g.features == 0 {
				continue
			}
			if d := g.compare(bestGain); best < 0 || d > 0 || d == 0 && c.rank[i] < c.rank[best] {
				best, bestGain = i, g
			}
		}
		if best < 0 {
			return chosen
		}
		c.take(best)
		chosen = append(chosen, best)
	}
}

// everyRow lists the indices of m.
func everyRow(m *Matrix) (list []int) {
	for i := range m.rows {
		list = append(list, i)
	}
	return list
}

func TestLazyGreedyChoosesAsPlainGreedy(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		mutants, blocks := 1+rng.IntN(200), 1+rng.IntN(50)
		m := New(mutants, blocks)
		for i := range 60 {
			m.Add(randomRow(rng, fmt.Sprint(i), mutants, blocks, 0.1))
		}
		prefs := Prefs{By: Kills | Coverage, Assertions: rng.IntN(2) == 0}
		c := newCover(m, prefs)
		for i := range m.rows {
			if m.rows[i].Fixed {
				c.take(i)
			}
		}
		if diff := cmp.Diff(plainGreedy(m, prefs), c.greedy(everyRow(m))); diff != "" {
			t.Fatalf("(-plain +lazy):\n%s", diff)
		}
	}
}

// FuzzMinimise compares with the true minimum on matrices of up to 10 entries:
// the greedy result must be valid, and within Chvátal's bound of the minimum.
// Each entry takes three bytes of data: properties, kills and hits.
func FuzzMinimise(f *testing.F) {
	f.Add([]byte("abcdefghijkl"), byte(0))
	f.Add([]byte{0, 0xf0, 0x0f, 1, 0x3c, 0, 2, 0xff, 1, 8, 7, 7, 3, 0, 0xff}, byte(3))
	f.Fuzz(func(t *testing.T, data []byte, p byte) {
		prefs := allPrefs[int(p)%len(allPrefs)]
		m := New(8, 2)
		for ; len(data) >= 3 && m.Len() < 10; data = data[3:] {
			var kills []Kill
			for b := data[1]; b != 0; b &= b - 1 {
				kills = append(kills, Kill{bits.TrailingZeros8(b), oracle.Kind(1 + (int(data[0]>>4)+bits.TrailingZeros8(b))%int(kinds-1))})
			}
			e := Entry{Name: fmt.Sprint(m.Len()), Size: int(data[0] & 3), Fixed: data[0]&12 == 12}
			m.Add(e, kills, []Hit{{0, data[2] & 15}, {1, data[2] >> 4}})
		}
		kept := Minimise(m, prefs)
		checkMinimal(t, m, prefs, kept)
		checkBound(t, m, prefs, kept)
	})
}

// checkBound compares the number of entries that are kept beyond the fixed ones
// with the smallest possible, found by trying all subsets, and returns both.
func checkBound(t *testing.T, m *Matrix, prefs Prefs, kept []int) (got, best int) {
	t.Helper()
	var fixed, free []int
	largest, all := 1, []int(nil)
	for i := range m.Len() {
		all = append(all, i)
		if m.Entry(i).Fixed {
			fixed = append(fixed, i)
		} else {
			free = append(free, i)
			largest = max(largest, len(required(m, i, prefs)))
		}
	}
	want := len(union(m, all, prefs, -1))
	best = len(free)
	for subset := range 1 << len(free) {
		if bits.OnesCount(uint(subset)) >= best {
			continue
		}
		entries := slices.Clone(fixed)
		for k, i := range free {
			if subset>>k&1 != 0 {
				entries = append(entries, i)
			}
		}
		if len(union(m, entries, prefs, -1)) == want {
			best = bits.OnesCount(uint(subset))
		}
	}
	got = len(kept) - len(fixed)
	if got < best || float64(got) > float64(best)*(1+math.Log(float64(largest))) {
		t.Fatalf("%d entries are kept where %d do", got, best)
	}
	return got, best
}

// TestMinimiseIsNearTheMinimum runs FuzzMinimise's checks on random matrices,
// where greedy does far better than its bound.
func TestMinimiseIsNearTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	greedy, minimum := 0, 0
	for round := range 150 {
		m := New(12, 4)
		for i := range 7 {
			m.Add(randomRow(rng, fmt.Sprint(i), 12, 4, 0.25))
		}
		prefs := allPrefs[round%len(allPrefs)]
		kept := Minimise(m, prefs)
		checkMinimal(t, m, prefs, kept)
		got, best := checkBound(t, m, prefs, kept)
		greedy, minimum = greedy+got, minimum+best
	}
	if t.Logf("%d entries kept, the minimum is %d", greedy, minimum); float64(greedy) > 1.05*float64(minimum) {
		t.Errorf("%d entries kept, the minimum is %d", greedy, minimum)
	}
}

// benchMatrix makes a matrix as a long run would: most entries have the common
// features and a few of the rare ones.
func benchMatrix(entries, mutants, blocks int, p float64) *Matrix {
	rng := rand.New(rand.NewPCG(13, 14))
	m := New(mutants, blocks)
	for i := range entries {
		var kills []Kill
		var hits []Hit
		for range int(p * float64(mutants)) {
			// The product of two uniform numbers is small more often than not.
			kills = append(kills, Kill{int(rng.Float64() * rng.Float64() * float64(mutants)), oracle.Kind(1 + rng.IntN(int(kinds)-1))})
		}
		for range int(p * float64(blocks)) {
			hits = append(hits, Hit{int(rng.Float64() * rng.Float64() * float64(blocks)), 1 << rng.IntN(8)})
		}
		m.Add(Entry{Name: fmt.Sprint(i), Size: rng.IntN(1000)}, kills, hits)
	}
	return m
}

func BenchmarkMinimise(b *testing.B) {
	for _, p := range []float64{0.01, 0.3} {
		b.Run(fmt.Sprintf("entries=10000/features=10000/density=%v", p), func(b *testing.B) {
			m := benchMatrix(10_000, 9_000, 125, p)
			kept := 0
			for b.Loop() {
				kept = len(Minimise(m, Prefs{}))
			}
			b.ReportMetric(float64(kept), "kept")
		})
	}
}

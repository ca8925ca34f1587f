package values

import (
	"errors"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/study"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// noted is a breeder that notes what it gets. A method that it does not have is not called.
type noted struct {
	Breeder
	err     error
	started []string
	types   []string
	numbers []uint64
	texts   []string
	place   string
}

func (n *noted) Enumerate(name string, _ []uint64, _ []string) { n.types = append(n.types, name) }
func (n *noted) Discarded() string                             { return n.place }

func (n *noted) Start(strategy string, _ uint64) error {
	n.started = append(n.started, strategy)
	return n.err
}

func (n *noted) Constants(numbers []uint64, texts []string) {
	n.numbers, n.texts = append(n.numbers, numbers...), append(n.texts, texts...)
}

// Canonical takes zeros from the end, and doubles what begins with a 2.
func (n *noted) Canonical(data []byte) (canonical []byte, rest int) {
	canonical = data
	for len(canonical) > 0 && canonical[len(canonical)-1] == 0 {
		canonical = canonical[:len(canonical)-1]
	}
	if len(canonical) > 0 && canonical[0] == 2 {
		canonical = slices.Concat(canonical, canonical)
	}
	return canonical, len(data) - len(canonical)
}

func TestWhatStrategiesDo(t *testing.T) {
	for strategy, want := range map[string][4]bool{ // breeds, learns, is mixed, goes by paths
		"":          {},
		"bytes":     {},
		"default":   {true, true, true, false},
		"derived":   {true, false, false, false},
		"blind":     {true, false, false, false},
		"fuzzchick": {true, true, false, false},
		"mutagen":   {true, true, false, true},
	} {
		v := New(&noted{}, strategy)
		if got := [4]bool{v.Breeds(), v.Learns(), v.Mixed(), v.ByPath()}; got != want {
			t.Errorf("%q: %v, want %v", strategy, got, want)
		}
	}
	var none *Values
	if none.Breeds() || none.Learns() || none.Begin(1, nil, nil) != nil {
		t.Error("what is not there breeds")
	}
}

// A strategy starts once, after it has got the constants of types.
func TestBegin(t *testing.T) {
	n := &noted{}
	v := New(n, "derived")
	for range 2 {
		if err := v.Begin(1, [][]byte{[]byte("token")}, []wire.Constants{{Type: "p.T"}}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(n.started, []string{"derived"}) || !slices.Equal(n.types, []string{"p.T"}) || !slices.Equal(n.texts, []string{"token"}) {
		t.Errorf("%+v", n)
	}
	n = &noted{err: errors.New("no such strategy")}
	if err := New(n, "else").Begin(1, nil, nil); !errors.Is(err, n.err) {
		t.Errorf("%v", err)
	}
	n = &noted{}
	if err := New(n, "bytes").Begin(1, nil, nil); err != nil || n.started != nil {
		t.Errorf("%v, started %v", err, n.started)
	}
}

func TestCanon(t *testing.T) {
	v := New(&noted{}, "derived")
	for _, c := range []struct {
		data []byte
		most int
		want []byte
	}{
		{[]byte{1, 3, 0, 0}, 10, []byte{1, 3}},
		{[]byte{1, 0, 3, 4}, 2, []byte{1}}, // cut, and canonical again
		{[]byte{2, 3, 4}, 4, []byte{2, 3, 4, 2}},
		{nil, 4, nil},
	} {
		if got := v.Canon(c.data, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%v with %d at most: %v, want %v", c.data, c.most, got, c.want)
		}
	}
}

// What was counted is reported once, by place.
func TestReport(t *testing.T) {
	n := &noted{}
	v := New(n, "derived")
	for _, place := range []string{"b.go:2", "", "a.go:1", "b.go:2"} {
		n.place = place
		v.Count(exec.Execution{Kind: wire.Skip})
	}
	v.Count(exec.Execution{Kind: wire.Pass})
	var stats wire.Stats
	v.Report(&stats)
	want := []wire.Discarding{{Place: "", Inputs: 1}, {Place: "a.go:1", Inputs: 1}, {Place: "b.go:2", Inputs: 2}}
	if stats.Bred != 5 || !slices.Equal(stats.Discards, want) {
		t.Errorf("%+v", stats)
	}
	stats = wire.Stats{}
	if v.Report(&stats); stats.Bred != 0 || stats.Discards != nil {
		t.Errorf("reported twice: %+v", stats)
	}
}

// Only constants that are known in whole become parts of values, and only where the
// strategy is one of several.
func TestCompared(t *testing.T) {
	number, text, cut := study.Comparison{}, study.Comparison{}, study.Comparison{}
	number.Kind, number.X, number.XConst = codes.Unsigned, 7, true
	text.Kind, text.YText, text.YLen, text.YConst = codes.Text, "key", 3, true
	cut.Kind, cut.XText, cut.XLen, cut.XConst = codes.Text, "long", 400, true
	list := []study.Comparison{number, text, cut}
	for strategy, want := range map[string]int{"default": 1, "derived": 0} {
		n := &noted{}
		New(n, strategy).Compared(list)
		if len(n.numbers) != want || len(n.texts) != want || want > 0 && (n.numbers[0] != 7 || n.texts[0] != "key") {
			t.Errorf("%s: numbers %v, texts %q", strategy, n.numbers, n.texts)
		}
	}
}

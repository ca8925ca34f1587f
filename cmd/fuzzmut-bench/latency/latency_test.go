package latency

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestRowsAreMediansOfRuns(t *testing.T) {
	got := row([]after{
		{wall: 5, cpu: 4, killed: 100, scored: 100, found: 120},
		{wall: 1, cpu: 9, killed: 80, scored: 100, found: 100, late: report.Late{Mutants: 7, Static: 2}},
		{wall: 3, cpu: 2, killed: 99, scored: 100, found: 101, late: report.Late{Mutants: 3, Golden: 1}},
	})
	if want := "3.0 4.0 99 100 1.0 % 101 0 3 0 0"; strings.ReplaceAll(got, "\t", " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if lost := (after{}).lost(); lost != 0 {
		t.Errorf("%v lost of nothing", lost)
	}
}

func TestListsOfValues(t *testing.T) {
	if got, err := list("0,200", strconv.Atoi); err != nil || !slices.Equal(got, []int{0, 200}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := list("0,", strconv.Atoi); err == nil {
		t.Error("an empty word is taken")
	}
}

// A cache of any size is made of what was found, the same each time.
func TestInputsGrow(t *testing.T) {
	found := inputs{corpus.Of([]byte("abcdef"), uint8(1), "xyz"), corpus.Of([]byte("123456"), uint8(2), "uvw")}
	for _, n := range []int{0, 1, 2, 50} {
		got, again := found.grown(n, 1), found.grown(n, 1)
		if len(got) != n || len(again) != n {
			t.Fatalf("%d and %d inputs, want %d", len(got), len(again), n)
		}
		keys := make(map[string]bool)
		for i, in := range got {
			keys[in.Key()] = true
			if !in.Equal(again[i]) || i < 2 && !in.Equal(found[i]) || !in.Is([]string{"[]byte", "uint8", "string"}) {
				t.Errorf("input %d of %d: %v, again %v", i, n, in.Values(), again[i].Values())
			}
		}
		if len(keys) != n {
			t.Errorf("%d of %d inputs differ", len(keys), n)
		}
	}
	if !slices.Equal(found[0].Values()[0].([]byte), []byte("abcdef")) {
		t.Error("what was found has changed")
	}
	if few := (inputs{corpus.Of(uint8(1))}).grown(50, 1); len(few) != 1 {
		t.Errorf("%d inputs where no other can be made", len(few))
	}
	if none := inputs(nil).grown(50, 1); len(none) != 0 {
		t.Errorf("%d inputs of none", len(none))
	}
	dir := t.TempDir()
	if err := found.write(dir); err != nil {
		t.Fatal(err)
	}
	if read, err := readInputs(dir); err != nil || len(read) != 2 {
		t.Errorf("%d inputs read, %v", len(read), err)
	}
}

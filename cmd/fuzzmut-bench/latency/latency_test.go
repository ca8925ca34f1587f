package latency

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestRowsAreMediansOfRuns(t *testing.T) {
	got := endRow([]after{
		{wall: 5, cpu: 4, outside: 50, killed: 100, unbounded: 100, scored: 100},
		{wall: 1, cpu: 9, outside: 50, killed: 80, unbounded: 100, scored: 100, late: report.Late{Mutants: 7, Static: 2}},
		{wall: 3, cpu: 2, outside: 50, killed: 99, scored: 100, late: report.Late{Mutants: 3, Golden: 1}},
	})
	want := "3.0 (1.0-5.0)|4.0 (2.0-9.0)|50 %|99 (80-100)|100|10.0 % (0.0 %-20.0 %)|100|0|3 (0-7)|0 (0-2)|0 (0-1)"
	if got = strings.ReplaceAll(got, "\t", "|"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := endRow([]after{{killed: 3, scored: 3}}); !strings.Contains(got, "\t3\t-\t-\t3\t") {
		t.Errorf("%q: there is no run without a bound", got)
	}
	if got := startRow([]before{{1, 0}, {2.04, 10}, {2, 20}}); got != "2.0 (1.0-2.0)\t10 (0-20)" {
		t.Errorf("%q", got)
	}
	for _, columns := range []struct{ head, row string }{{endColumns, endRow([]after{{}})}, {startColumns, startRow([]before{{}})}} {
		if head, row := strings.Count(columns.head, "\t"), strings.Count(columns.row, "\t"); head != row+2 {
			t.Errorf("%d columns for the head, %d for the row, and the first two", head+1, row+1)
		}
	}
}

// Each target is measured at each value with each seed. What fails is left out, and reported.
func TestRunsThatFailAreLeftOut(t *testing.T) {
	b := &bench{Bench: arena.Bench{Reps: 3, Targets: []arena.Target{{Name: "a", Fuzz: "F"}, {Name: "b", Fuzz: "F"}}}}
	failed := errors.New("out of order")
	rows, err := measure(t.Context(), b, []int{10, 20}, func(_ context.Context, _ int, place arena.Target, n, seed int) (string, error) {
		if place.Name == "b" && n == 20 && seed == 2 {
			return "", failed
		}
		return fmt.Sprint(place.Name, n, seed), nil
	})
	if !errors.Is(err, failed) || !strings.Contains(err.Error(), "b.F, 20, seed 2") {
		t.Errorf("the error is %v", err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprint(r.target.Name, r.column, r.runs))
	}
	if want := []string{"a10 [a10 1 a10 2 a10 3]", "a20 [a20 1 a20 2 a20 3]", "b10 [b10 1 b10 2 b10 3]", "b20 [b20 1 b20 3]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
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

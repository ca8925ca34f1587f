package ranking

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func mutant(id, status string, rank int) report.Mutant {
	return report.Mutant{ID: id, Status: status, Rank: rank}
}

func TestDrawDependsOnSurvivorsAndSeedOnly(t *testing.T) {
	var list []report.Mutant
	for _, id := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		list = append(list, mutant(id, report.Survived, 1), mutant("killed-"+id, report.Killed, 0))
	}
	ids := func(list []report.Mutant) (s string) {
		for _, m := range list {
			s += m.ID
		}
		return s
	}
	want := ids(Draw(list, 1, 10))
	slices.Reverse(list)
	if got := ids(Draw(list, 1, 10)); got != want || len(got) != 10 {
		t.Errorf("%q, %q in another order", want, got)
	}
	if got := ids(Draw(list, 2, 10)); got == want {
		t.Errorf("two seeds draw %q", got)
	}
	if got := Draw(list, 1, 100); len(got) != 26 {
		t.Errorf("%d of 26 drawn", len(got))
	}
}

func TestAUC(t *testing.T) {
	worth := func(at float64) Placed { return Placed{Worth: true, Place: at} }
	not := func(at float64) Placed { return Placed{Place: at} }
	for _, c := range []struct {
		list []Placed
		want float64
		ok   bool
	}{
		{[]Placed{not(0.9), worth(0.1), worth(0.2)}, 1, true},
		{[]Placed{worth(0.9), not(0.1)}, 0, true},
		{[]Placed{worth(2), not(2)}, 0.5, true},
		{[]Placed{worth(0.1), worth(0.4), not(0.2), not(0.5)}, 0.75, true},
		{[]Placed{worth(0.1)}, 0, false},
		{[]Placed{not(0.1)}, 0, false},
		{nil, 0, false},
	} {
		if got, ok := AUC(c.list); got != c.want || ok != c.ok {
			t.Errorf("%v: %v %v, want %v %v", c.list, got, ok, c.want, c.ok)
		}
	}
}

func TestPooled(t *testing.T) {
	list := []Placed{{true, 0.5, "c"}, {false, 0.1, "a"}, {true, 0.1, "b"}, {true, last, "d"}}
	for n, want := range []int{0, 0, 1, 2, 3, 3} {
		if got := Pooled(list, n); got != want {
			t.Errorf("first %d: %d, want %d", n, got, want)
		}
	}
}

func TestJudge(t *testing.T) {
	labels := []Label{
		{Module: "m", ID: "a", Worth: true, Drawn: true},
		{Module: "m", ID: "b", Drawn: true},
		{Module: "m", ID: "killed", Drawn: true},
		{Module: "m", ID: "hidden", Worth: true, Drawn: true},
		{Module: "m", ID: "shown", Worth: true, Shown: "1234"},
		{Module: "other", ID: "a", Drawn: true},
	}
	m := Judge("m", labels, []report.Mutant{
		mutant("a", report.Survived, 2), mutant("b", report.Survived, 4), mutant("new", report.Survived, 1),
		mutant("shown", report.Survived, 3), mutant("killed", report.Killed, 0), mutant("hidden", report.Survived, 0),
	})
	want := []Placed{{true, 0.5, "a"}, {false, 1, "b"}, {false, last, "killed"}, {true, last, "hidden"}}
	if !slices.Equal(m.Drawn, want) {
		t.Errorf("drawn %v, want %v", m.Drawn, want)
	}
	if !slices.Equal(m.Absent, []string{"killed"}) {
		t.Errorf("absent %v", m.Absent)
	}
	if m.Survivors != 4 || m.Top != 4 || m.Labelled != 3 || m.Worth != 2 {
		t.Errorf("%+v", m)
	}
}

func TestJudgeCountsTheFirstTenOnly(t *testing.T) {
	labels := []Label{{Module: "m", ID: "late", Worth: true, Shown: "1234"}}
	if m := Judge("m", labels, []report.Mutant{mutant("late", report.Survived, First+1)}); m.Top != 0 || m.Worth != 0 {
		t.Errorf("%+v", m)
	}
}

func TestTables(t *testing.T) {
	var b bytes.Buffer
	write(&b, "a", []Module{
		{Name: "m", Survivors: 20, Drawn: []Placed{{true, 0.1, "a"}, {false, 0.2, "b"}}, Top: 10, Labelled: 8, Worth: 5, Absent: []string{"b"}},
		{Name: "n", Survivors: 5, Drawn: []Placed{{true, 0.1, "a"}}, Top: 5, Labelled: 5, Worth: 5},
	})
	for _, want := range []string{
		"m 20 1 of 2 1.00 5 of 8, 2 unlabelled", "n 5 1 of 1 - 5 of 5", "in all; mean 2 of 3 1.00 10 of 13, 2 unlabelled",
		"of the 3 drawn, the first 3 by rank divided by survivors of the module: 2 worth a test", "m: no survivors now, placed last: b",
	} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestBadLabelsAreRefused(t *testing.T) {
	good := `{"module":"m@v1","id":"a","reason":"r","drawn":true}`
	for text, want := range map[string]string{
		"[" + good + "," + good + "]":               "two labels of m@v1 a",
		`[{"module":"m@v1","id":"a","drawn":true}]`: "has no reason",
		`[{"module":"m@v1","id":"a","reason":"r"}]`: "neither drawn nor shown",
		`[{"id":"a","reason":"r","drawn":true}]`:    "without module or id",
		`{`:                                         "unexpected end",
	} {
		file := filepath.Join(t.TempDir(), "labels.json")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadLabels(file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestLabelsOfTheRepositoryAreComplete(t *testing.T) {
	for _, set := range []string{"a", "b", "c"} {
		labels, err := ReadLabels(filepath.Join("..", "..", "..", "testdata", "ranking", "labels-"+set+".json"))
		if err != nil {
			t.Fatal(err)
		}
		drawn := make(map[string]int)
		for _, l := range labels {
			if l.Drawn {
				drawn[l.Module]++
			}
		}
		for module, n := range drawn {
			if n != 10 {
				t.Errorf("%d labels of %s, want 10", n, module)
			}
		}
		if len(drawn) != 6 && set != "c" { // in which none is
			t.Errorf("%d modules in set %s, want 6", len(drawn), set)
		}
	}
}

func TestOrderIsThatOfThisProgram(t *testing.T) {
	list := []report.Mutant{
		{ID: "text", Operator: "string-constants", Function: "F", Line: 1, Status: report.Survived, Rank: 1},
		{ID: "killed", Operator: "math", Function: "F", Line: 2, Status: report.Killed, Rank: 9},
		{ID: "removal", Operator: "statement-deletion", Function: "F", Line: 3, Status: report.Survived, Rank: 2},
	}
	order(list)
	for i, want := range []int{2, 0, 1} {
		if list[i].Rank != want {
			t.Errorf("%s has rank %d, want %d", list[i].ID, list[i].Rank, want)
		}
	}
}

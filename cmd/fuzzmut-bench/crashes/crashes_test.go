package crashes

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

func TestFirstPoint(t *testing.T) {
	points := []runlog.Point{{Executions: 1}, {Executions: 5, Buckets: 2}, {Executions: 9, Buckets: 3}}
	for n, want := range map[int]int64{1: 5, 2: 5, 3: 9} {
		if p, ok := firstPoint(points, n); !ok || p.Executions != want {
			t.Errorf("bucket %d: %+v, want %d executions", n, p, want)
		}
	}
	if _, ok := firstPoint(points, 4); ok {
		t.Error("there is no fourth bucket")
	}
}

func TestTally(t *testing.T) {
	var sum tally
	var out bytes.Buffer
	others := sum.print(&out, "m",
		hunt{"A": {{10, 4}, {30, 8}}, "B": {{5, 1}}, unknown + "odd": {{1, 1}}},
		hunt{"A": {{2, 2}}, "C": {{1, 1}}})
	want := tally{both: 1, stock: 1, ours: 1, sooner: 1, ratios: []float64{3}}
	if diff := cmp.Diff(want, sum, cmp.AllowUnexported(tally{})); diff != "" {
		t.Error(diff)
	}
	const lines = "m\tA\t2\t20\t6.0\t1\t2\t2.0\t3.0\t\nm\tB\t1\t5\t1.0\t0\t-\t-\t-\t\nm\tC\t0\t-\t-\t1\t1\t1.0\t-\t\n"
	if diff := cmp.Diff(lines, out.String()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"m: odd (stock 1, fuzzmut 0 runs)"}, others); diff != "" {
		t.Error(diff)
	}
}

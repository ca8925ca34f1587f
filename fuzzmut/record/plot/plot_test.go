package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
	"github.com/fuzzmut/fuzzmut/instrument/goldenfile"
)

// sample is two fuzz tests, one of them run three times, and one run without
// points.
func sample() []runlog.Series {
	var list []runlog.Series
	for i := range 3 {
		s := runlog.Series{Run: runlog.Run{Package: "example.com/calc", Fuzz: "FuzzEval", Filter: "adaptive"}}
		for j := range 30 {
			s.Points = append(s.Points, runlog.Point{
				Seconds: float64(j) / 3, Executions: int64(j*(1000+i*10) + i), Covered: 137 - 64/(j+1) - i, Killed: 420 - 300/(j+1) - 20*i,
			})
		}
		list = append(list, s)
	}
	return append(list,
		runlog.Series{Run: runlog.Run{Package: "example.com/calc", Fuzz: "FuzzPrint", Filter: "a<b"}, Points: []runlog.Point{
			{Covered: 20}, {Seconds: 4, Executions: 15000, Covered: 78, Killed: 200}, {Seconds: 8, Executions: 29000, Covered: 80, Killed: 230},
		}},
		runlog.Series{Run: runlog.Run{Fuzz: "FuzzNone"}},
	)
}

func TestDraw(t *testing.T) {
	for _, over := range []X{Time, Executions} {
		var got bytes.Buffer
		if err := Draw(&got, sample(), over); err != nil {
			t.Fatal(err)
		}
		goldenfile.Compare(t, string(over)+".svg", got.Bytes())
		wellFormed(t, got.Bytes())
	}
}

func wellFormed(t *testing.T, doc []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(doc))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestDrawTakesWhatRunsAreLike: a run that found nothing, or took no time, and
// more curves than colors.
func TestDrawTakesWhatRunsAreLike(t *testing.T) {
	list := []runlog.Series{{Points: []runlog.Point{{}}}}
	for i := range 30 {
		list = append(list, runlog.Series{
			Run:    runlog.Run{Fuzz: fmt.Sprintf("Fuzz%d", i)},
			Points: []runlog.Point{{Covered: 7}, {Seconds: 1, Covered: 7}},
		})
		var out bytes.Buffer
		if err := Draw(&out, list, Time); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, out.Bytes())
		for _, bad := range []string{"NaN", "Inf"} {
			if bytes.Contains(out.Bytes(), []byte(bad)) {
				t.Errorf("%d runs: %s in the picture", len(list), bad)
			}
		}
	}
}

func TestCurveIsTheMeanWithItsBand(t *testing.T) {
	run := func(points ...runlog.Point) runlog.Series { return runlog.Series{Points: points} }
	got := curveOf("c", []runlog.Series{
		run(runlog.Point{Seconds: 0, Killed: 10}, runlog.Point{Seconds: 2, Killed: 20}),
		run(runlog.Point{Seconds: 1, Killed: 30}, runlog.Point{Seconds: 3, Killed: 40}),
	}, func(p runlog.Point) float64 { return p.Seconds }, func(p runlog.Point) float64 { return float64(p.Killed) })
	want := []step{{0, 20, 10, 30}, {1, 20, 10, 30}, {2, 25, 20, 30}, {3, 30, 20, 40}}
	if diff := cmp.Diff(want, got.steps, cmp.AllowUnexported(step{})); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		min, max float64
		want     []string
	}{
		{0, 60, []string{"0", "10", "20", "30", "40", "50", "60"}},
		{0, 1, []string{"0", "0.2", "0.4", "0.6", "0.8", "1"}},
		{863, 1209, []string{"900", "1000", "1100", "1200"}},
		{0, 1624078, []string{"0", "500k", "1M", "1.5M"}},
		{0, 0, []string{"0"}},
	} {
		var got []string
		for _, v := range (scale{min: c.min, max: c.max}).ticks(6) {
			got = append(got, tickLabel(v))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v to %v (-want +got):\n%s", c.min, c.max, diff)
		}
	}
}

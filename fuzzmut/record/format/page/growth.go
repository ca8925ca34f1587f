package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

// A chart is a curve over time.
type chart struct {
	Class       string
	Title, Text string
	Last        string // the value at the end
	Seconds     string // the time at the end
	Line        string // points of the curve, as SVG has them
	Area        string // what is below it
}

// Sizes of a chart, in the units of its picture.
const (
	chartWidth  = 600
	chartHeight = 120
)

// grown enters how the search of a fuzz test went.
func (v *view) grown(f *report.FuzzTest) {
	if len(f.Growth) < 2 {
		return
	}
	of := func(class, what string, value func(*runlog.Point) int) {
		v.Charts = append(v.Charts, chartOf(f, class, what, value))
	}
	of("n", "blocks covered while fuzzing", func(p *runlog.Point) int { return p.Covered })
	of("k", "mutants killed while fuzzing", func(p *runlog.Point) int { return p.Killed })
	if last := f.Growth[len(f.Growth)-1]; last.Buckets > 0 {
		of("s", "stacks of failing inputs", func(p *runlog.Point) int { return p.Buckets })
	}
}

// chartOf draws a quantity over time. It stays as it was until something is found.
func chartOf(f *report.FuzzTest, class, what string, value func(*runlog.Point) int) chart {
	most, end := 1, 0.001
	for i := range f.Growth {
		most, end = max(most, value(&f.Growth[i])), max(end, f.Growth[i].Seconds)
	}
	var line strings.Builder
	var before string // the height of the last point
	for i := range f.Growth {
		p := &f.Growth[i]
		x := coordinate(p.Seconds / end * chartWidth)
		y := coordinate(chartHeight - float64(value(p))/float64(most)*chartHeight)
		if i > 0 {
			fmt.Fprintf(&line, " %s,%s ", x, before)
		}
		line.WriteString(x + "," + y)
		before = y
	}
	last := number(value(&f.Growth[len(f.Growth)-1]))
	c := chart{
		Class: class, Title: f.Name + ": " + what, Last: last, Seconds: seconds(end) + " s", Line: line.String(),
		Text: fmt.Sprintf("%s: %s %s after %s s", f.Name, last, what, seconds(end)),
	}
	c.Area = fmt.Sprintf("0,%d %s %d,%d", chartHeight, c.Line, chartWidth, chartHeight)
	return c
}

func coordinate(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

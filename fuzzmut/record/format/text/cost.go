package text

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// costs shows the inputs that cost too much.
func (t *text) costs(f *report.FuzzTest) {
	if len(f.Costs) == 0 {
		return
	}
	t.linef("\n  costly inputs: %s", report.Plural(len(f.Costs), "place"))
	for i := range f.Costs {
		c := &f.Costs[i]
		t.linef("    %s", c.Growth())
		t.frames(c.Frames)
		t.linef("      %s", c.Pump)
		for k, other := range c.Others {
			if k != c.Argument {
				t.linef("      argument %d is %s", k, other)
			}
		}
		t.linef("      %s", curve(c.Curve))
		t.linef("      %s", c.Megabyte())
	}
}

// curve shows the last lengths of a curve.
func curve(points []report.CostPoint) string {
	const most = 4
	var list []string
	for _, p := range points[max(len(points)-most, 0):] {
		list = append(list, fmt.Sprintf("%s bytes %.3g ms", report.Group(int64(p.Length)), p.Seconds*1000))
	}
	return strings.Join(list, ", ")
}

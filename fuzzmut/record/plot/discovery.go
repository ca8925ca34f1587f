package plot

import (
	"bufio"
	"errors"
	"io"
)

// Discovery is how many bugs have been seen after the first of some inputs, after
// the second, and so on.
type Discovery struct {
	Label string
	Seen  []int
}

// DrawDiscovery draws curves of discovery, each with the best there could be: one
// more bug with each input.
func DrawDiscovery(w io.Writer, list []Discovery) error {
	d := &drawing{w: bufio.NewWriter(w)}
	var curves []curve
	var legends []group
	add := func(label string, seen func(rank int) int, ranks int) {
		c := curve{label: label, runs: 1, steps: []step{{}}}
		for i := range ranks {
			n := float64(seen(i))
			c.steps = append(c.steps, step{x: float64(i + 1), mean: n, least: n, most: n})
		}
		curves, legends = append(curves, c), append(legends, group{label: label})
	}
	for _, l := range list {
		if n := len(l.Seen); n > 0 {
			add(l.Label, func(i int) int { return l.Seen[i] }, n)
			add(l.Label+", the best possible", func(i int) int { return min(i+1, l.Seen[n-1]) }, n)
		}
	}
	if len(curves) == 0 {
		return errors.New("nothing to draw: no sorted input has a label")
	}
	legend := top + panelHeight + panelGap
	d.begin(legend + len(curves)*legendLine + legendLine/2)
	d.panel(top, "bugs seen", "inputs looked at", curves)
	for i, g := range legends {
		d.legend(i, legend+i*legendLine, g)
	}
	d.linef(`</svg>`)
	return d.w.Flush()
}

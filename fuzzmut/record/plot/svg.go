// Package plot draws the curves of run logs as SVG: how coverage and kills grew
// with time or executions. The same logs give the same bytes.
package plot

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

// X is the quantity of the horizontal axis.
type X string

// What curves are drawn over.
const (
	Time       X = "time"
	Executions X = "executions"
)

// Measures in user units, which are pixels at the usual scale.
const (
	width       = 760
	left        = 76 // of the panels
	right       = 740
	panelHeight = 240
	panelGap    = 64
	top         = 36
	legendLine  = 18
)

// colours are those of Okabe and Ito, which most people can tell apart.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// dashes tell curves apart when there are more of them than colours.
var dashes = []string{"", "6 3", "2 2"}

// Draw draws the curves of some runs: coverage above, kills below, and a legend.
// Runs of the same fuzz test with the same filter make one curve, their mean,
// with a band from the least to the most.
func Draw(w io.Writer, list []runlog.Series, over X) error {
	d := &drawing{w: bufio.NewWriter(w)}
	groups := groupRuns(list)
	if len(groups) == 0 {
		return errors.New("nothing to draw: no run has any points")
	}
	x, label := axis(func(p runlog.Point) float64 { return p.Seconds }), "seconds"
	if over == Executions {
		x, label = func(p runlog.Point) float64 { return float64(p.Executions) }, "executions"
	}
	legend := top + 2*panelHeight + 2*panelGap
	height := legend + len(groups)*legendLine + legendLine/2
	d.begin(height)
	d.panel(top, "blocks covered", label, curvesOf(groups, x, func(p runlog.Point) float64 { return float64(p.Covered) }))
	d.panel(top+panelHeight+panelGap, "mutants killed", label, curvesOf(groups, x, func(p runlog.Point) float64 { return float64(p.Killed) }))
	for i, g := range groups {
		d.legend(i, legend+i*legendLine, g)
	}
	d.linef(`</svg>`)
	return d.w.Flush()
}

func curvesOf(groups []group, x, y axis) []curve {
	var curves []curve
	for _, g := range groups {
		curves = append(curves, curveOf(g.label, g.runs, x, y))
	}
	return curves
}

// drawing writes SVG. Errors stay with the writer until it is flushed.
type drawing struct {
	w *bufio.Writer
}

func (d *drawing) linef(format string, args ...any) { fmt.Fprintf(d.w, format+"\n", args...) }

// begin begins a picture of a height.
func (d *drawing) begin(height int) {
	d.linef(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`,
		width, height, width, height)
	d.linef(`<rect width="%d" height="%d" fill="#fff"/>`, width, height)
}

// panel draws one diagram with its axes, its upper edge at y.
func (d *drawing) panel(y int, title, xTitle string, curves []curve) {
	h, v := scale{from: left, to: right}, scale{from: float64(y + panelHeight), to: float64(y)}
	h.min, v.min = 0, curves[0].steps[0].least
	for _, c := range curves {
		for _, s := range c.steps {
			h.max, v.max = max(h.max, s.x), max(v.max, s.most)
			v.min = min(v.min, s.least)
		}
	}
	if v.min < v.max/2 {
		v.min = 0
	}
	v.widen()
	h.max = max(h.max, h.min+1e-9)
	d.linef(`<text x="%d" y="%d" font-weight="bold">%s</text>`, left, y-10, title)
	for _, t := range v.ticks(6) {
		at := coordinate(v.at(t))
		d.linef(`<path d="M%d %sH%d" stroke="#ddd"/><text x="%d" y="%s" dy="4" text-anchor="end">%s</text>`, left, at, right, left-8, at, tickLabel(t))
	}
	for _, t := range h.ticks(8) {
		at := coordinate(h.at(t))
		d.linef(`<path d="M%s %dv5" stroke="#000"/><text x="%s" y="%d" text-anchor="middle">%s</text>`, at, y+panelHeight, at, y+panelHeight+18, tickLabel(t))
	}
	d.linef(`<text x="%d" y="%d" text-anchor="middle">%s</text>`, (left+right)/2, y+panelHeight+36, xTitle)
	for i, c := range curves {
		d.curve(i, c, h, v)
	}
	d.linef(`<path d="M%d %dV%dH%d" fill="none" stroke="#000"/>`, left, y, y+panelHeight, right)
}

// curve draws the band, if there are several runs, and the mean.
func (d *drawing) curve(i int, c curve, h, v scale) {
	end := h.at(c.steps[len(c.steps)-1].x)
	if c.runs > 1 {
		up := outline(c.steps, h, v, func(s step) float64 { return s.most }, end)
		down := outline(c.steps, h, v, func(s step) float64 { return s.least }, end)
		d.linef(`<path d="M%sL%sZ" fill="%s" fill-opacity="0.2"/>`, strings.Join(up, "L"), strings.Join(reversed(down), "L"), colour(i))
	}
	mean := outline(c.steps, h, v, func(s step) float64 { return s.mean }, end)
	d.linef(`<path d="M%s" fill="none" %s/>`, strings.Join(mean, "L"), stroke(i))
}

// outline lists the corners of steps, as far as they can be distinguished in the
// picture, up to the abscissa end.
func outline(steps []step, h, v scale, of func(step) float64, end float64) []string {
	var points []string
	height := ""
	for _, s := range steps {
		x, y := coordinate(h.at(s.x)), coordinate(v.at(of(s)))
		if y == height {
			continue
		}
		if height != "" {
			points = append(points, x+" "+height)
		}
		points = append(points, x+" "+y)
		height = y
	}
	return append(points, coordinate(end)+" "+height)
}

func reversed(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[len(list)-1-i] = s
	}
	return out
}

func (d *drawing) legend(i, y int, g group) {
	label := g.label
	if n := len(g.runs); n > 1 {
		label += fmt.Sprintf(" (mean of %d runs; the band shows minimum to maximum)", n)
	}
	d.linef(`<path d="M%d %dh28" %s/><text x="%d" y="%d" dy="4">%s</text>`, left, y, stroke(i), left+36, y, html.EscapeString(label))
}

func colour(i int) string { return colours[i%len(colours)] }

func stroke(i int) string {
	s := fmt.Sprintf(`stroke="%s" stroke-width="1.5"`, colour(i))
	if dash := dashes[i/len(colours)%len(dashes)]; dash != "" {
		s += fmt.Sprintf(` stroke-dasharray="%s"`, dash)
	}
	return s
}

// coordinate formats a length to a tenth of a pixel.
func coordinate(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

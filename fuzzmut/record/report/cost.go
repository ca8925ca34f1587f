package report

import (
	"fmt"
	"strings"
)

// A Cost is an input that costs too much: its work, or the bytes that it allocates, grow
// faster than its length, and so does its time; or the time alone does.
type Cost struct {
	Grows        string   `json:"grows"`         // "work", "allocated bytes" or "processor time"
	Exponent     float64  `json:"exponent"`      // of the length, fitted
	TimeExponent float64  `json:"time_exponent"` // of the processor time
	Function     string   `json:"function"`      // that does most of the work, or allocates most bytes
	Frames       []string `json:"frames"`        // from the line of most of the work outwards
	// Outside is the function of a package that is not mutated in which most of the time at the first frame is spent; "" if
	// that is not known, or if not the time alone grows.
	Outside  string   `json:"outside,omitempty"`
	Argument int      `json:"argument"` // that grows, from 0
	Pump     string   `json:"pump"`     // the argument as a Go function of the number of repetitions
	Others   []string `json:"others"`   // the arguments as Go source, if there are several
	// Curve has what was measured, with one length after another.
	Curve []CostPoint `json:"curve"`
	// MegabyteSeconds is the processor time for a megabyte, which Extrapolated says was not run.
	MegabyteSeconds float64 `json:"megabyte_seconds"`
	Extrapolated    bool    `json:"extrapolated"`
	FoundSeconds    float64 `json:"found_seconds"` // from the beginning of the fuzz test until the first was seen
	Count           int64   `json:"count"`         // inputs seen that do their work there
	// Repairs are mutants that stop the growth, and that no entry of the corpus kills.
	Repairs []Repair `json:"repairs,omitempty"`
	// Entry is where the input is kept at a length that runs in a moment, for triage; "" if it is
	// not kept.
	Entry string `json:"entry,omitempty"`
	// Benchmark is the command that runs the benchmark that was written; "" if none was.
	Benchmark string `json:"benchmark,omitempty"`
}

// A CostPoint is what one length costs.
type CostPoint struct {
	Times     int     `json:"times"`     // repetitions
	Length    int     `json:"length"`    // of the argument, in bytes
	Work      int64   `json:"work"`      // in loop turns and calls
	Allocated int64   `json:"allocated"` // bytes
	Seconds   float64 `json:"seconds"`   // of processor time, the median of several runs
}

// Growth says what grows how fast.
func (c *Cost) Growth() string {
	if c.Grows == byTime {
		return c.timeGrows()
	}
	grow := "grows"
	if c.Grows != "work" {
		grow = "grow"
	}
	return fmt.Sprintf("%s %s as length^%.1f, processor time as length^%.1f", c.Grows, grow, c.Exponent, c.TimeExponent)
}

// byTime is what grows where neither work nor allocated bytes do.
const byTime = "processor time"

// timeGrows says where the time goes: that is not in the mutated packages.
func (c *Cost) timeGrows() string {
	s := fmt.Sprintf("processor time grows as length^%.1f", c.Exponent)
	switch {
	case len(c.Frames) == 0:
		return s + ", at no line that is known"
	case c.Outside != "":
		return s + ", most of it in " + c.Outside
	}
	return s
}

// Megabyte says what a megabyte takes.
func (c *Cost) Megabyte() string {
	s := fmt.Sprintf("1 MiB takes %s", duration(c.MegabyteSeconds))
	if c.Extrapolated {
		return s + " (extrapolated)"
	}
	return s + " (measured)"
}

// Lines say what the input is and what it costs, line by line.
func (c *Cost) Lines() []string {
	list := []string{c.Pump}
	for k, other := range c.Others {
		if k != c.Argument {
			list = append(list, fmt.Sprintf("argument %d is %s", k, other))
		}
	}
	list = append(list, c.lastOfCurve(), c.Megabyte())
	if c.Benchmark != "" {
		list = append(list, "benchmark: "+c.Benchmark)
	}
	return list
}

// pointsShown is how many lengths of a curve are shown: the last ones say most.
const pointsShown = 4

func (c *Cost) lastOfCurve() string {
	var list []string
	for _, p := range c.Curve[max(len(c.Curve)-pointsShown, 0):] {
		list = append(list, fmt.Sprintf("%s bytes %.3g ms", Group(int64(p.Length)), p.Seconds*1000))
	}
	return strings.Join(list, ", ")
}

func duration(seconds float64) string {
	switch {
	case seconds < 1:
		return fmt.Sprintf("%.0f ms", seconds*1000)
	case seconds < 600:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 3*3600:
		return fmt.Sprintf("%.0f min", seconds/60)
	case seconds > 365*24*3600:
		return "more than a year"
	}
	return fmt.Sprintf("%.0f h", seconds/3600)
}

// Costs counts the costly inputs of fuzz tests.
func Costs(tests []FuzzTest) (n int) {
	for i := range tests {
		n += len(tests[i].Costs)
	}
	return n
}

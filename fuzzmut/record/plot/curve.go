package plot

import (
	"maps"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

// A curve is what several runs of the same fuzz test with the same filter came
// to: steps, each from its x to the next.
type curve struct {
	label string
	runs  int
	steps []step
}

// step is the mean over the runs from x on, between the least and the most.
type step struct {
	x, mean, least, most float64
}

// An axis reads a quantity off a point.
type axis func(runlog.Point) float64

// curveOf joins runs. Between two of its points, and after its last, a run is
// where it was.
func curveOf(label string, runs []runlog.Series, x, y axis) curve {
	c := curve{label: label, runs: len(runs)}
	at := make(map[float64]bool)
	for _, r := range runs {
		for _, p := range r.Points {
			at[x(p)] = true
		}
	}
	next := make([]int, len(runs)) // by run, the first point that is not yet reached
	now := make([]float64, len(runs))
	for i, r := range runs {
		now[i] = y(r.Points[0])
	}
	for _, pos := range slices.Sorted(maps.Keys(at)) {
		sum := 0.0
		for i, r := range runs {
			for next[i] < len(r.Points) && x(r.Points[next[i]]) <= pos {
				now[i] = y(r.Points[next[i]])
				next[i]++
			}
			sum += now[i]
		}
		c.steps = append(c.steps, step{pos, sum / float64(len(runs)), slices.Min(now), slices.Max(now)})
	}
	return c
}

// group is the runs that make one curve.
type group struct {
	label string
	runs  []runlog.Series
}

// groupRuns sorts runs by package, fuzz test and filter, in order of appearance.
// Labels say as much as it takes to tell them apart.
func groupRuns(list []runlog.Series) []group {
	type key struct{ pkg, fuzz, filter string }
	var keys []key
	runs := make(map[key][]runlog.Series)
	for _, s := range list {
		if len(s.Points) == 0 {
			continue
		}
		k := key{s.Package, s.Fuzz, s.Filter}
		if runs[k] == nil {
			keys = append(keys, k)
		}
		runs[k] = append(runs[k], s)
	}
	packages, filters := make(map[string]bool), make(map[string]bool)
	for _, k := range keys {
		packages[k.pkg], filters[k.filter] = true, true
	}
	var groups []group
	for _, k := range keys {
		label := k.fuzz
		if len(packages) > 1 {
			label = k.pkg + "." + label
		}
		if len(filters) > 1 {
			label += ", " + k.filter
		}
		groups = append(groups, group{label, runs[k]})
	}
	return groups
}

package costs

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Default is the exponent above which growth is too fast where no directive says another.
const Default = 1.5

// Bounds are the directives that say how a cost may grow.
type Bounds struct {
	list []load.CostBound
	test string // the fuzz test
}

// BoundsOf returns the directives that hold for a fuzz test.
func BoundsOf(t *trial.Trial) *Bounds {
	return &Bounds{list: t.Package.CostBounds(), test: t.Test.Name}
}

// Of returns the exponent above which the growth of work with these frames is too fast: the
// highest that one of the functions has, or the fuzz test.
func (b *Bounds) Of(frames []string) float64 {
	most := Default
	for _, d := range b.list {
		if d.Name == b.test || slices.ContainsFunc(frames, func(frame string) bool { return within(frame, &d) }) {
			most = max(most, d.Exponent)
		}
	}
	return most
}

// Allow reports whether the growth of all candidates is what directives say.
func (b *Bounds) Allow(list []growth.Candidate) bool {
	for i := range list {
		if list[i].ByTime {
			return false // where its time goes is known once it is measured
		}
		bound := b.Of(list[i].Frames)
		if bound >= load.Any {
			continue
		}
		if bound == Default || len(list[i].Sizes) < growth.LeastSizes || growth.Judge(list[i].Sizes, bound).Grows != "" {
			return false
		}
	}
	return true
}

// within reports whether a frame is in a function.
func within(frame string, d *load.CostBound) bool {
	_, pos, _ := strings.Cut(frame, " ")
	i := strings.LastIndexByte(pos, ':')
	if i < 0 || pos[:i] != d.File {
		return false
	}
	line, err := strconv.Atoi(pos[i+1:])
	return err == nil && d.Line <= line && line <= d.End
}

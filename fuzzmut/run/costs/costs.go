// Package costs weighs inputs that may cost too much for their length: against the bounds that
// directives set, and by the clock in a fresh process. What is found is described for reports.
package costs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Finding is an input that costs too much.
type Finding struct {
	*growth.Candidate
	Frames  []string // of the line of most of the work, or of most allocated bytes, innermost first
	Outside string   // of what grows by time alone, the function of another package that takes it, as far as that is known
	Verdict growth.Verdict
	Bound   float64 // the exponent above which its growth is too fast
	Sizes   []wire.Size
}

// Weigh measures candidates of one place, one after another, until one costs too much. It returns
// nil if none does. The candidates of a place are alike: one that can't be measured ends it.
func Weigh(ctx context.Context, t *trial.Trial, list []growth.Candidate, bounds *Bounds) (*Finding, error) {
	for i := range list {
		f, err := Measure(ctx, t, &list[i], bounds)
		if err != nil || f == nil {
			return nil, err
		}
		if f.Verdict.Why == "" {
			return f, nil
		}
	}
	return nil, nil
}

// Measure measures one candidate. The verdict says why it does not cost too much, if so. It returns nil if the
// candidate can't be measured.
func Measure(ctx context.Context, t *trial.Trial, n *growth.Candidate, bounds *Bounds) (*Finding, error) {
	f, err := weigh(ctx, t, n, bounds)
	if err == nil && f != nil && f.Verdict.Why != "" {
		logf(t, "not a costly input, %s: %s", f.Verdict.Why, Source(&f.Pump))
	}
	return f, err
}

// weigh measures a candidate. A smaller pump, which the search has had no time to look for, comes first: if
// it costs too much, and in the same function, it stands for the candidate. Where the time goes is known only
// then. weigh returns nil if the candidate can't be measured.
func weigh(ctx context.Context, t *trial.Trial, n *growth.Candidate, bounds *Bounds) (*Finding, error) {
	if n.Rough {
		small, err := t.Engine.Growth.Refined(ctx, n)
		if err != nil {
			return nil, err
		}
		if small != n {
			f, err := measure(ctx, t, small, bounds)
			if err == nil {
				f, err = again(ctx, t, f)
			}
			if err != nil || f != nil && f.Verdict.Why == "" && (n.ByTime || f.Function() == n.Place) {
				return f, err
			}
		}
	}
	f, err := measure(ctx, t, n, bounds)
	if err != nil {
		return nil, err
	}
	return again(ctx, t, f)
}

// looksMost is how often the time of a candidate is measured at most where its time alone speaks against it, and may do so by
// chance: the least time of each length counts.
const looksMost = 4

// measure measures a candidate. It returns nil if that is not possible.
func measure(ctx context.Context, t *trial.Trial, n *growth.Candidate, bounds *Bounds) (*Finding, error) {
	grown, err := t.Engine.Growth.Measure(ctx, n)
	if err != nil || grown == nil {
		return nil, err
	}
	bound := max(bounds.Of(grown.Frames), bounds.Of(grown.Allocates))
	more := func() ([]wire.Size, error) {
		again, err := t.Engine.Growth.Measure(ctx, n)
		if err != nil || again == nil {
			return nil, err
		}
		return again.Sizes, nil
	}
	if n.ByTime {
		v, err := judge(growth.JudgeTime, grown.Sizes, bound, more)
		if err != nil {
			return nil, err
		}
		v.Stops(grown.Stops)
		f := &Finding{Candidate: n, Frames: grown.Frames, Verdict: v, Bound: bound, Sizes: grown.Sizes}
		if v.Grows == growth.Time {
			f.Outside = grown.Outside
		}
		return f, nil
	}
	bound = max(bound, bounds.Of(n.Frames))
	v, err := judge(growth.Judge, grown.Sizes, bound, more)
	if err != nil {
		return nil, err
	}
	v.Stops(grown.Stops)
	frames := grown.Frames
	if v.Grows == growth.Bytes {
		frames = grown.Allocates
	}
	if len(frames) == 0 {
		frames = n.Frames
	}
	return &Finding{Candidate: n, Frames: frames, Verdict: v, Bound: bound, Sizes: grown.Sizes}, nil
}

// judge judges sizes, and while that is in doubt those with the least times of more measurements. Memory that is new to the
// process, the collector, and what runs beside add to the time of some lengths. No more sizes end it.
func judge(by func([]wire.Size, float64) growth.Verdict, sizes []wire.Size, bound float64, more func() ([]wire.Size, error)) (growth.Verdict, error) {
	v := by(sizes, bound)
	for looks := 1; v.InDoubt(bound) && looks < looksMost; looks++ {
		again, err := more()
		if err != nil || len(again) == 0 {
			return v, err
		}
		v = by(growth.Least(sizes, again), bound)
	}
	return v, nil
}

// again measures a candidate that grows by time alone once more, at the same lengths: what is left of chance has to be the
// same twice. The slower growth counts.
func again(ctx context.Context, t *trial.Trial, f *Finding) (*Finding, error) {
	if f == nil || f.Verdict.Why != "" || f.Verdict.Grows != growth.Time {
		return f, nil
	}
	once := func() ([]wire.Size, error) { return t.Engine.Growth.Again(ctx, f.Candidate, f.Sizes) }
	sizes, err := once()
	if err != nil {
		return nil, err
	}
	v, err := judge(growth.JudgeTime, sizes, f.Bound, once)
	if err != nil {
		return nil, err
	}
	f.slower(v)
	return f, nil
}

// slower takes in a second verdict, if that says less.
func (f *Finding) slower(v growth.Verdict) {
	if v.Why != "" || v.Exponent < f.Verdict.Exponent {
		f.Verdict = v
	}
}

// Function is the function that does most of the work, or allocates most bytes; "" if that is not
// known.
func (f *Finding) Function() string {
	if len(f.Frames) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(f.Frames[0], " ")
	return name
}

// Report describes the finding, without how often and when it was found.
func (f *Finding) Report(t *trial.Trial) report.Cost {
	cost := report.Cost{
		Grows: f.Verdict.Grows, Exponent: round(f.Verdict.Exponent), TimeExponent: round(f.Verdict.Time), Function: f.Function(),
		Frames: trial.Frames(t.Package.Program.Test.ModuleDir, f.Frames), Argument: f.Arg, Pump: Source(&f.Pump), Others: others(f.Candidate),
		MegabyteSeconds: f.Verdict.AtMegabyte.Seconds(), Extrapolated: f.Verdict.Extrapolated, Outside: f.Outside,
	}
	for _, s := range f.Sizes {
		cost.Curve = append(cost.Curve, report.CostPoint{Times: s.Times, Length: s.Len, Work: s.Fuel, Allocated: s.Bytes, Seconds: s.CPU.Seconds()})
	}
	return cost
}

// Bounds on the input that stands for a costly one: plain go test runs it in a moment, and it
// is long enough to see what it costs.
const (
	shownSeconds = 0.02
	shownLength  = 16 << 10
)

// Shown is the input at a length at which it can be kept and run.
func (f *Finding) Shown() *corpus.Input {
	times := f.Sizes[0].Times
	for _, s := range f.Sizes {
		if s.CPU.Seconds() <= shownSeconds && s.Len <= shownLength {
			times = s.Times
		}
	}
	return f.grown(times)
}

// grown returns the input with a number of repetitions.
func (f *Finding) grown(times int) *corpus.Input {
	vals := f.Input.Values()
	p := pump.Pump(f.Pump)
	text := p.Grown(nil, times)
	if _, ok := vals[f.Arg].(string); ok {
		vals[f.Arg] = string(text)
	} else {
		vals[f.Arg] = text
	}
	return corpus.Of(vals...)
}

func round(x float64) float64 { return math.Round(x*100) / 100 }

// others lists the arguments as Go source, if there are several.
func others(n *growth.Candidate) []string {
	if len(n.Input.Values()) < 2 {
		return []string{}
	}
	return strings.Split(strings.TrimSpace(string(n.Input.Encode())), "\n")[1:]
}

// Source writes a pump as a Go expression of n, the number of repetitions.
func Source(p *wire.Pump) string {
	var terms []string
	text := func(b []byte) {
		if len(b) > 0 {
			terms = append(terms, strconv.Quote(string(b)))
		}
	}
	repeated := func(b []byte, at int) {
		switch {
		case len(b) == 0:
		case p.Count:
			terms = append(terms, "numbered("+strconv.Quote(string(b[:at]))+", "+strconv.Quote(string(b[at:]))+", n)")
		default:
			terms = append(terms, "strings.Repeat("+strconv.Quote(string(b))+", n)")
		}
	}
	text(p.Prefix)
	repeated(p.First, p.FirstAt)
	text(p.Middle)
	repeated(p.Second, p.SecondAt)
	text(p.Suffix)
	return cmp.Or(strings.Join(terms, " + "), `""`)
}

// logf writes a line to the log of details.
func logf(t *trial.Trial, format string, args ...any) {
	if log := t.Project.Options.Log; log != nil {
		fmt.Fprintf(log, t.Name()+": "+format+"\n", args...) //nolint:errcheck // details
	}
}

// near is a mutant in the function of a frame.
type near struct {
	mutant       uint32
	frame, lines int
}

// Bounds on the mutants that are tried on a costly input: each takes up to a tenth of a second.
const (
	nearFrames = 3 // in the functions of these frames
	nearMost   = 32
)

// NearLoop lists mutants for which ok holds, in the functions of the first frames: those of the
// innermost function first, and in it those nearest to its line. They are not many.
func (f *Finding) NearLoop(t *trial.Trial, ok func(m uint32) bool) []uint32 {
	return f.near(t, nearFrames, nearMost, func(m uint32, _ int) bool { return ok(m) })
}

// near lists mutants in the functions of some frames, most of them at most: those for which ok
// holds, given the line of the frame.
func (f *Finding) near(t *trial.Trial, frames, most int, ok func(m uint32, line int) bool) (list []uint32) {
	program := t.Package.Program
	var all []near
	for i := range program.Mutants {
		m := &program.Mutants[i]
		if m.FuncIndex < 0 {
			continue
		}
		fn := &program.Funcs[m.FuncIndex]
		for at, frame := range f.Frames[:min(len(f.Frames), frames)] {
			if file, line := trial.PositionOf(frame); file == fn.File && fn.Line <= line && line <= fn.EndLine && ok(uint32(i+1), line) {
				all = append(all, near{uint32(i + 1), at, max(line-m.Line, m.Line-line)})
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.lines, b.lines))
	})
	for _, m := range all[:min(len(all), most)] {
		list = append(list, m.mutant)
	}
	return list
}

// Bounds on the guards of loops that are tried on a costly input.
const (
	aroundFrames = 8 // in the functions of these frames
	aroundMost   = 24
)

// Around lists mutants for which ok holds, at loops that may be around the lines of the first
// frames, or where a function begins: in their functions, at these lines or before. The nearest
// come first, those in the innermost function before the others. They are not many.
func (f *Finding) Around(t *trial.Trial, ok func(m uint32) bool) []uint32 {
	return f.near(t, aroundFrames, aroundMost, func(m uint32, line int) bool {
		return ok(m) && t.Package.Program.Mutants[m-1].Line <= line
	})
}

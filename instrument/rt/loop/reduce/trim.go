package reduce

import (
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/values"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Trimmer serves Trim: it makes a failing input smaller as long as it fails in the same
// bucket, so that no step turns it into another bug (golang/go#48326).
type Trimmer struct {
	Conn   *conn.Conn
	Target *exec.Target
	Exec   *exec.Executor
	Muts   *mutants.Mutants
	Values *values.Values // nil if inputs stand for none
}

// Serve serves one request. An execution may burn as much fuel as the last round says, or twice what the input burns
// until it fails.
func (t *Trimmer) Serve(req *wire.Trim, limit int64) error {
	vals, err := t.Target.Given(req.Input)
	if err != nil {
		return err
	}
	one := &trim{Trimmer: t, limit: t.Exec.HangFuel, execs: req.Execs, fuel: req.Fuel}
	switch whole := one.run(vals); {
	case whole.hangs:
		vals = one.hanging(vals, whole.key, limit)
	case whole.key != "":
		one.limit = max(limit, 2*whole.burned)
		vals = one.smaller(vals, whole.key)
	}
	return t.Conn.Reply(wire.Reply{Trimmed: &wire.Trimmed{Input: wire.Encode(vals), Stats: t.Muts.Take()}})
}

// trim is one input while it is minimized.
type trim struct {
	*Trimmer
	limit int64   // fuel of an execution
	execs int     // that are left
	fuel  int64   // that is left
	steps [][]any // the input, and what was taken in its place, ever smaller
}

// ran is how an input has ended.
type ran struct {
	key    string // its bucket; "": it does not fail
	hangs  bool   // out of fuel
	burned int64
}

// smaller returns the input as small as it becomes in a bucket.
func (t *trim) smaller(vals []any, key string) []any {
	t.steps = [][]any{vals}
	re := Reducer{
		Best: vals, Spent: t.spent, Values: t.Values, Calls: t.execs,
		Keep: func(vals []any) bool {
			same := key != "" && t.run(vals).key == key
			if same {
				t.steps = append(t.steps, vals)
			}
			return same
		},
	}
	re.Reduce()
	re.Normalise()
	return re.Best
}

// hanging returns a smaller input that hangs. Most loops that burn what an execution of a round may have no end, so
// that it goes by this; but what only takes ever longer ends after that once it is smaller, and does not hang. Then it
// goes on, with the last of the steps that hangs, with all the fuel: each step that is taken burns that, and the request's
// fuel allows for a few.
func (t *trim) hanging(vals []any, key string, limit int64) []any {
	fuel := t.fuel
	t.limit = limit
	t.smaller(vals, t.run(vals).key)
	t.limit = t.Exec.HangFuel
	last := t.lastHang(key)
	if last == len(t.steps)-1 {
		return t.steps[last]
	}
	t.fuel = fuel
	return t.smaller(t.steps[last], key)
}

// lastHang returns the last of the steps that burns all the fuel, in that bucket; the first is known to. What comes
// before such a step does so, too, as far as smaller inputs burn less.
func (t *trim) lastHang(key string) int {
	hangs := func(i int) bool { return t.run(t.steps[i]).key == key }
	low, high := 0, len(t.steps)-1
	if high > 0 && hangs(high) {
		return high
	}
	for low+1 < high {
		if mid := (low + high) / 2; hangs(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// run runs an input.
func (t *trim) run(vals []any) ran {
	t.execs--
	t.Conn.Shared.SetInput(vals)
	ex := t.Exec.Whole(exec.Clone(vals), t.limit)
	t.Muts.CountExec()
	t.fuel -= ex.Burned
	if !ex.Kind.Failed() {
		return ran{}
	}
	return ran{failure.Key(t.Exec.Outcome(ex)), ex.Kind == wire.Fuel, ex.Burned}
}

func (t *trim) spent() bool { return t.execs <= 0 || t.fuel <= 0 || t.Conn.Shared.Stopping() }

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

// Serve serves one request. An execution may burn as much fuel as the last round says.
func (t *Trimmer) Serve(req *wire.Trim, limit int64) error {
	vals, err := t.Target.Given(req.Input)
	if err != nil {
		return err
	}
	one := &trim{Trimmer: t, limit: limit, execs: req.Execs, fuel: req.Fuel}
	if key := one.keyOf(vals); key != "" {
		re := Reducer{
			Best: vals, Spent: one.spent, Values: t.Values, Calls: req.Execs,
			Keep: func(vals []any) bool { return one.keyOf(vals) == key },
		}
		re.Reduce()
		re.Normalise()
		vals = re.Best
	}
	return t.Conn.Reply(wire.Reply{Trimmed: &wire.Trimmed{Input: wire.Encode(vals), Stats: t.Muts.Take()}})
}

// trim is one input while it is minimized.
type trim struct {
	*Trimmer
	limit int64 // fuel of an execution
	execs int   // that are left
	fuel  int64 // that is left
}

// keyOf runs an input and returns its bucket, "" if it does not fail.
func (t *trim) keyOf(vals []any) string {
	t.execs--
	t.Conn.Shared.SetInput(vals)
	ex := t.Exec.Whole(exec.Clone(vals), t.limit)
	t.Muts.CountExec()
	t.fuel -= ex.Burned
	if !ex.Kind.Failed() {
		return ""
	}
	return failure.Key(t.Exec.Outcome(ex))
}

func (t *trim) spent() bool { return t.execs <= 0 || t.fuel <= 0 || t.Conn.Shared.Stopping() }

package loop

import (
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// trim serves a Trim: it makes a failing input smaller as long as it fails in
// the same bucket, so that it can't turn into another bug on the way
// (golang/go#48326).
func (l *Loop) trim(req *wire.Trim) error {
	vals, err := l.decode(req.Input)
	if err != nil {
		return err
	}
	t := &trimmer{Loop: l, execs: req.Execs, fuel: req.Fuel}
	key := t.keyOf(vals)
	if key != "" {
		re := reducer{best: vals, spent: t.spent, values: l.values, calls: req.Execs, keep: func(vals []any) bool { return t.keyOf(vals) == key }}
		re.reduce()
		re.normalise()
		vals = re.best
	}
	return l.reply(wire.Reply{Trimmed: &wire.Trimmed{Input: wire.Encode(vals), Stats: l.muts.take()}})
}

type trimmer struct {
	*Loop
	execs int
	fuel  int64
}

// keyOf runs an input and returns its bucket, "" if it does not fail.
func (t *trimmer) keyOf(vals []any) string {
	t.execs--
	t.shared.SetInput(vals)
	t.x.detail = true
	ex := t.x.original(clone(vals), t.suspect)
	t.x.detail = false
	t.muts.count.execs++
	t.fuel -= ex.burned
	if !ex.kind.Failed() {
		return ""
	}
	return failure.Key(t.outcome(ex))
}

func (t *trimmer) spent() bool { return t.execs <= 0 || t.fuel <= 0 || t.shared.Stopping() }

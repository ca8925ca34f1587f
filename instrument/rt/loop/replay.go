package loop

import (
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// replay serves a Replay: each input once, in order.
func (l *Loop) replay(req *wire.Replay) error {
	done := int64(0)
	for i := range req.Items {
		if l.conn.Shared.Stopping() {
			break
		}
		item := &req.Items[i]
		vals, err := l.target.Given(item.Input)
		if err != nil {
			return err
		}
		l.conn.Shared.SetInput(vals)
		done++
		var reply wire.Reply
		if req.Golden {
			reply.Recording = l.golden(vals, item, req)
			reply.Recording.Item = i
		} else if item.Ref == nil {
			reply.Recording = l.record(vals)
			reply.Recording.Item = i
		} else if reply.Kill = l.compare(vals, item.Ref); reply.Kill != nil {
			reply.Kill.Item = i
		} else {
			continue
		}
		if err := l.conn.Reply(reply); err != nil {
			return err
		}
		if reply.Kill != nil {
			break
		}
	}
	return l.conn.Reply(wire.Reply{Replayed: &wire.Replayed{Execs: done}})
}

// record runs an input and describes what is observed.
func (l *Loop) record(vals []any) *wire.Recording {
	ex := l.x.Observed(vals, l.x.HangFuel)
	return l.recordingOf(ex, l.x.Rec.Log())
}

// golden runs an input, with maps in an order, and writes down the observed values as
// golden texts, or as digests of these. To weigh the input it runs it once more.
func (l *Loop) golden(vals []any, item *wire.ReplayItem, req *wire.Replay) *wire.Recording {
	order, brief, weigh, fuel := item.Order, req.Brief, req.Weigh.Takes(item.Input), req.Fuel
	if fuel == 0 {
		fuel = l.x.HangFuel
	}
	var seen []wire.Seen
	var again []any
	if weigh {
		again = exec.Clone(vals) // the target may change what it gets
	}
	write := func(vals []any, fuel int64) (exec.Execution, []wire.Seen) { return l.x.Written(vals, fuel, nil) }
	if brief {
		write = l.x.Digested
	}
	l.cov.Clear()
	ex := l.x.Ordered(order, func() (ex exec.Execution) {
		ex, seen = write(vals, fuel)
		return ex
	})
	rec := &wire.Recording{Kind: ex.Kind, Message: ex.Message, Cost: ex.Burned, Events: seen}
	if brief {
		rec.Path = l.cov.Traced()
	}
	if weigh && !ex.Kind.Failed() {
		l.x.Ordered(order, func() (ex exec.Execution) {
			ex, rec.Bytes = l.x.Weighed(again, fuel)
			return ex
		})
	}
	return rec
}

// Bounds on the texts of a recording, which are there to explain differences.
const (
	maxSeenText      = 4 << 10
	maxRecordingText = 128 << 10
)

func (l *Loop) recordingOf(ex exec.Execution, log *observe.Log) *wire.Recording {
	rec := &wire.Recording{Kind: ex.Kind, Cost: ex.Burned, More: log.More, Folded: log.Folded}
	room := maxRecordingText
	for _, e := range log.Events {
		seen := wire.Seen{Site: e.Site, Value: e.Value, Hash: e.Hash, Soft: e.Soft, Hidden: len(l.x.Rec.Hidden(e.Site, e.Value))}
		if e.Snap != nil && room > 0 {
			seen.Brief, seen.Text = e.Snap.Brief(), e.Snap.Text()
			seen.Text = seen.Text[:min(len(seen.Text), maxSeenText)]
			room -= len(seen.Text)
		}
		rec.Events = append(rec.Events, seen)
	}
	return rec
}

// compare runs an input with the mutant that is active from the start, and judges
// it. It returns nil when nothing tells it from the original.
func (l *Loop) compare(vals []any, want *wire.Recording) *wire.Kill {
	ref := &mutants.Reference{
		Ex: exec.Execution{Kind: want.Kind, Burned: want.Cost}, Log: l.logOf(want), Fuel: exec.MutantFuel(want.Cost),
	}
	try := func() (kind oracle.Kind, detail string) {
		ex := l.x.Again(exec.Clone(vals), ref.Log, ref.Fuel*10)
		return l.muts.Judge(ex, ref)
	}
	kind, detail := try()
	if kind == 0 {
		return nil
	}
	if kind != oracle.Fuel {
		// What is reported must be the same in every run.
		if _, again := try(); again != detail {
			detail = "differs from run to run"
		}
	}
	return &wire.Kill{Mutant: fuzzmutrt.StaticMutant, Kind: kind, Detail: exec.Cut(detail)}
}

// logOf is the recording as a log to compare with. Values that a hash does not
// decide about are left out from here on, and those that the other process has recorded
// with other fields.
func (l *Loop) logOf(want *wire.Recording) *observe.Log {
	log := &observe.Log{More: want.More, Folded: want.Folded}
	for _, s := range want.Events {
		if s.Soft || s.Hidden != len(l.x.Rec.Hidden(s.Site, s.Value)) {
			l.x.Rec.Exclude(s.Site, s.Value)
		}
		log.Events = append(log.Events, l.x.Rec.Elsewhere(s.Site, s.Value, s.Hash, observe.Shown{Brief: s.Brief, Text: s.Text}))
	}
	return log
}

package loop

import (
	"sync"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// replay serves a Replay: each input once, in order.
func (l *Loop) replay(req *wire.Replay) error {
	done := int64(0)
	for i := range req.Items {
		if l.shared.Stopping() {
			break
		}
		item := &req.Items[i]
		vals, err := l.decode(item.Input)
		if err != nil {
			return err
		}
		l.shared.SetInput(vals)
		done++
		var reply wire.Reply
		if req.Golden {
			l.x.order = item.Order
			reply.Recording = l.golden(vals)
			l.x.order = 0
			reply.Recording.Item = i
		} else if item.Ref == nil {
			reply.Recording = l.record(vals)
			reply.Recording.Item = i
		} else if reply.Kill = l.compare(vals, item.Ref); reply.Kill != nil {
			reply.Kill.Item = i
		} else {
			continue
		}
		if err := l.reply(reply); err != nil {
			return err
		}
		if reply.Kill != nil {
			break
		}
	}
	return l.reply(wire.Reply{Replayed: &wire.Replayed{Execs: done}})
}

// record runs an input and describes what is observed.
func (l *Loop) record(vals []any) *wire.Recording {
	l.x.rec.Reset()
	fuzzmutrt.Observing = true
	ex := l.x.original(vals, hangFuel)
	fuzzmutrt.Observing = false
	return recordingOf(ex, l.x.rec.Log())
}

// golden runs an input and writes down the observed values as golden texts.
func (l *Loop) golden(vals []any) *wire.Recording {
	var mu sync.Mutex // the target may have goroutines
	var gather golden.Gatherer
	rec := new(wire.Recording)
	l.x.show = func(site uint32, vals []any) {
		mu.Lock()
		defer mu.Unlock()
		for i, v := range vals {
			text, folded := gather.Text(v)
			rec.Events = append(rec.Events, wire.Seen{Site: site, Value: i, Text: text, Folded: folded})
		}
	}
	l.x.detail = true
	fuzzmutrt.Observing = true
	ex := l.x.original(vals, hangFuel)
	fuzzmutrt.Observing = false
	l.x.detail = false
	l.x.show = l.x.rec.Record
	mu.Lock()
	defer mu.Unlock()
	return &wire.Recording{Kind: ex.kind, Message: ex.message, Cost: ex.burned, Events: rec.Events}
}

// Bounds on the texts of a recording, which are there to explain differences.
const (
	maxSeenText      = 4 << 10
	maxRecordingText = 128 << 10
)

func recordingOf(ex execution, log *observe.Log) *wire.Recording {
	rec := &wire.Recording{Kind: ex.kind, Cost: ex.burned, More: log.More, Folded: log.Folded}
	room := maxRecordingText
	for _, e := range log.Events {
		seen := wire.Seen{Site: e.Site, Value: e.Value, Hash: e.Hash, Soft: e.Soft}
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
	ref := &reference{ex: execution{kind: want.Kind, burned: want.Cost}, log: l.logOf(want)}
	ref.fuel = want.Cost*mutantFuelFactor + mutantFuelExtra
	try := func() (kind oracle.Kind, detail string) {
		ex := l.x.again(clone(vals), ref.log, ref.fuel*10)
		return l.muts.judge(ex, ref)
	}
	kind, detail := try()
	if kind == 0 {
		return nil
	}
	if kind != oracle.Fuel {
		// What is told must be the same in every run.
		if _, again := try(); again != detail {
			detail = "differs from run to run"
		}
	}
	return &wire.Kill{Mutant: fuzzmutrt.StaticMutant, Kind: kind, Detail: cut(detail)}
}

// logOf is the recording as a log to compare with. Values that a hash does not
// decide about are left out from here on.
func (l *Loop) logOf(want *wire.Recording) *observe.Log {
	log := &observe.Log{More: want.More, Folded: want.Folded}
	for _, s := range want.Events {
		if s.Soft {
			l.x.rec.Exclude(s.Site, s.Value)
		}
		log.Events = append(log.Events, observe.Event{Site: s.Site, Value: s.Value, Hash: s.Hash, Shown: observe.Shown{Brief: s.Brief, Text: s.Text}})
	}
	return log
}

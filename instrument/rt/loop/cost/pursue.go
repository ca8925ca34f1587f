package cost

import (
	"iter"

	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A pursuit makes a pump that costs too much smaller, a step at a time: all steps take up to seconds, which hunts would
// owe the rest of the run, and a run may end before that is paid back.
type pursuit struct {
	*growing // the smallest pump so far, and what the steps burn
	found    growing
	points   []wire.Size // of the pump that was found
	frames   []string
	first    int // length
	tries    func() (*pump.Pump, bool)
	stop     func()
	waits    *pump.Pump // is to be tried; nil: the next one
	keeps    bool       // the last one that was tried costs as much
	burned   int64
	told     bool // the pump that was found was reported, since a round ended
}

// pursueOne is the part of the pumps, as one in that number, that are pursued at a place which has one: to
// make one smaller takes most of the time.
const pursueOne = 4

// pursue has a pump that costs too much minimized and reported, unless its place has some.
func (g *growing) pursue(points []wire.Size, first int) {
	frames := g.hot(points)
	p := g.placeAt(g.grows, frames)
	p.unsent++
	known := p.reported >= perPlace && g.pump.Fixed()+g.pump.Unit() >= 2*p.least
	if known || p.reported > 0 && !g.drawer.Rand.OneIn(pursueOne) {
		return
	}
	g.failed = nil
	small := *g
	u := &pursuit{growing: &small, found: *g, points: points, frames: frames, first: min(first, points[0].Len)}
	u.tries, u.stop = iter.Pull(func(yield func(*pump.Pump) bool) {
		small.pump = g.pump.Smaller(smallerCalls, func(q *pump.Pump) bool { return yield(q) && u.keeps })
	})
	g.pursued = u
}

// step tries one smaller pump, or reports the smallest.
func (u *pursuit) step() error {
	h, before := u.Hunter, u.Exec.Spent
	defer func() {
		u.burned += u.Exec.Spent - before
		if u.grows == work {
			h.spent += u.Exec.Spent - before
		}
	}()
	if u.waits == nil && u.burned <= smallerFuel {
		u.waits, _ = u.tries()
	}
	if u.waits == nil || u.burned > smallerFuel {
		return u.end()
	}
	q := *u.growing
	q.pump = *u.waits
	_, u.keeps = q.grow(nil, u.first, 2)
	if !u.Conn.Shared.Stopping() {
		u.waits = nil // else it may not have been run
	}
	return nil
}

// end reports the smallest pump.
func (u *pursuit) end() error {
	if u.Conn.Shared.Stopping() {
		return nil // what is run now says nothing
	}
	u.stop()
	u.pursued = nil
	again, ok := u.grow(nil, u.first, sizes)
	if !ok {
		return u.report(&u.found, u.points, u.frames)
	}
	frames := u.hot(again)
	if was, is := u.placeAt(u.grows, u.frames), u.placeAt(u.grows, frames); was != is {
		was.unsent, is.unsent = max(was.unsent-1, 0), is.unsent+1
	}
	return u.report(u.growing, again, frames)
}

// Flush is called at the end of a round, which may be the last. It reports a pump that is being minimized, as it was
// found, if its place has none yet.
func (h *Hunter) Flush() error {
	u := h.pursued
	if u == nil || u.told || h.placeAt(u.grows, u.frames).reported > 0 {
		return nil
	}
	u.told = true
	return h.send(&u.found, u.points, u.frames, true)
}

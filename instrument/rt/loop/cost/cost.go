// Package cost looks for inputs that cost too much: whose work, or allocated bytes, grow
// faster than their length.
//
// Entries of the corpus, and the inputs that have burned the most for their length, are cut
// into pumps (see package pump), which are grown to a few lengths. What the lengths burn
// decides whether a pump is given up, grown further, or minimized and reported.
//
// Fuel is the same in each run, and all that the search goes by. Allocated bytes are not, to
// some kilobytes: what they lead to changes nothing but what is reported. The clock has a say
// only in runs that it ends: it bounds the time, and some pumps are looked at for the processor
// time that they take. The coordinator has a fresh process measure what was reported.
package cost

import (
	"math/bits"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/reduce"
	"github.com/fuzzmut/fuzzmut/instrument/rt/pump"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on the search.
const (
	// Bound is the exponent above which growth is reported.
	Bound = 1.5
	// burst is the processor time that there has to be for hunts, once what there was is used up, before they go on: the
	// inputs after a hunt find other memory in the caches than they left there, and a burst has that but once.
	burst = time.Millisecond
	// askMost is how many inputs run at most until the processor time is asked for again: to ask takes about a
	// microsecond, as long as a small input.
	askMost = 4096
	// firstHunts is how many pumps may be tried in addition to one for each inputsPerHunt inputs,
	// where the clock does not end the run: one whose work fuel does not see takes more time than its fuel says.
	firstHunts, inputsPerHunt = 64, 32
	// bytesMost bounds the pumps that are followed for the bytes they allocate, where the clock
	// does not: that takes time which fuel does not see.
	bytesMost = 48
	// bytesRun is enough that a run allocates to say how fast that grows.
	bytesRun = 32 << 20
	// firstFuel may be spent before the share of all fuel is counted.
	firstFuel = 4 << 20
	// firstLen is the length that most pumps are grown to at first, and laterLen that of one in
	// laterOf: what is small at first may grow for long.
	firstLen, laterLen, laterOf = 512, 2048, 4
	// sizes is to how many lengths, each twice the one before, a pump is grown that goes on
	// growing too fast.
	sizes = 4
	// baseMost bounds the length of a text that is cut.
	baseMost = 4096
	// runFuel bounds what one run may burn.
	runFuel = 4 << 20
	// smallerCalls bounds the pumps that are tried to make one smaller, and smallerFuel what these burn.
	smallerCalls, smallerFuel = 96, 32 << 20
	// perPlace bounds what is reported of one place.
	perPlace = 3
	// basesMost bounds the texts that are remembered.
	basesMost = 4096
	// triesFirst is how many pumps a text is cut into before older ones have their turn.
	triesFirst = 24
)

// A Hunter looks for such inputs, for the life of a worker.
type Hunter struct {
	Conn   *conn.Conn
	Target *exec.Target
	Exec   *exec.Executor
	MaxLen int      // of an argument, in bytes
	Dict   [][]byte // tokens that inputs are likely to contain
	Share  int      // one part in this number of all fuel is spent; 0: nothing is

	drawer  pump.Drawer
	timed   bool          // the clock ends the run
	start   time.Duration // processor time when the first round began
	ahead   time.Duration // may be taken before the share of the processor time is more than that
	asked   time.Duration // processor time when a hunt was found to be due: it begins there
	took    time.Duration // processor time of hunts
	rests   bool          // what there was is used up
	inputs  int64         // since the first round
	wait    int64         // inputs, before which there is no time to hunt
	hunts   int64
	byBytes int   // pumps that were followed for their bytes
	begun   int64 // fuel that was spent when the first round began; -1 before
	spent   int64 // by the hunter
	bases   []*base
	dear    [32]*base            // by the logarithm of the length: what burned most for it
	places  [3]map[string]*place // by what grows
	pursued *pursuit             // is minimized before the next pump is tried; nil: none is
	looks   looks
	on      bool // the target has an argument that grows
}

// base is an input that is cut into pumps.
type base struct {
	vals  []any
	tries int
	price int64 // of dear ones: fuel for each 1024 bytes
}

// place is where reported inputs do their work.
type place struct {
	reported int
	least    int   // length of the smallest pump that was reported
	unsent   int64 // inputs not yet reported
}

// What may grow too fast.
const (
	work = iota
	bytes
	clock // the processor time
)

// Begin begins a round. timed says that the clock ends the run. The first round of a worker says how much processor
// time hunts may take ahead of their share: the first inputs, which somebody has written, are the best to cut, and a busy
// machine gives a process little time.
func (h *Hunter) Begin(seed uint64, timed bool, ahead time.Duration) {
	h.timed = timed
	if h.drawer.Rand == nil {
		h.ahead = ahead
		h.places = [...]map[string]*place{work: make(map[string]*place), bytes: make(map[string]*place), clock: make(map[string]*place)}
		h.begun, h.start = h.Exec.Spent, cpu()
		h.on = h.Share > 0 && growsAny(h.Target.Zero())
		h.drawer.Dict = h.Dict
		h.drawer.Rand = havoc.NewRand(0)
	}
	h.drawer.Rand.SetState(havoc.NewRand(seed ^ 0xc057).State())
}

// growsAny reports whether one of the arguments is a text.
func growsAny(vals []any) bool {
	for _, v := range vals {
		if _, ok := reduce.Bytes(v); ok {
			return true
		}
	}
	return false
}

// Add has an entry of the corpus cut into pumps. It is not changed later.
func (h *Hunter) Add(vals []any) {
	if !h.on {
		return
	}
	if len(h.bases) >= basesMost {
		h.bases = append(h.bases[:0], h.bases[basesMost/2:]...)
	}
	h.bases = append(h.bases, &base{vals: vals})
}

// Price takes in what an input of n bytes, as it is encoded, has burned. It reports whether that is much more than any of
// about the same length has: then Dear wants the input as it was.
func (h *Hunter) Price(n int, burned int64) (class int, dear bool) {
	if !h.on || n <= 0 || n > baseMost {
		return 0, false
	}
	class = bits.Len(uint(n))
	b := h.dear[class]
	price := burned << 10 / int64(n)
	if b == nil {
		h.dear[class] = &base{}
		b = h.dear[class]
	}
	if price <= b.price+b.price/4 {
		return class, false
	}
	b.price = price
	return class, true
}

// Dear takes in the input that was dear.
func (h *Hunter) Dear(class int, vals []any) { h.dear[class].vals, h.dear[class].tries = vals, 0 }

// Due is called after each input. It reports whether there is something left to hunt with: of
// the processor time if the clock ends the run, and else of the fuel. Fuel is a poor share of the
// time: where inputs are short, most of it goes to what burns none.
func (h *Hunter) Due() bool {
	h.inputs++
	switch {
	case !h.on || h.inputs < h.wait:
		return false
	case !h.timed:
		return h.spent < firstFuel+(h.Exec.Spent-h.begun)/int64(h.Share) && h.hunts < firstHunts+h.inputs/inputsPerHunt
	}
	h.asked = cpu()
	now := h.asked - h.start
	left := max(h.ahead, now/time.Duration(h.Share)) - h.took
	if h.rests = left <= 0 || h.rests && left < burst; h.rests {
		h.wait = h.inputs + asksAfter((h.took+burst)*time.Duration(h.Share)-now, now, h.inputs)
	}
	return !h.rests
}

// asksAfter is how many inputs take a processor time, where some have taken so much.
func asksAfter(wanted, took time.Duration, inputs int64) int64 {
	each := max(int64(took)/max(inputs, 1), 1)
	return min(max(int64(wanted)/each, 1), askMost)
}

// Took is the processor time that hunts took, since the first round.
func (h *Hunter) Took() time.Duration { return h.took }

// Hunt cuts one input into a pump, and grows that, or makes one that was found smaller, by a step, or looks at one by the
// clock. failed is called for
// an input on which the target fails, the one in progress.
func (h *Hunter) Hunt(failed func(exec.Execution) error) error {
	before, begin := h.Exec.Spent, h.asked
	if !h.timed {
		begin = cpu()
	}
	defer func() {
		h.Exec.Spent = before // it counts here, and nowhere else
		h.took += cpu() - begin
	}()
	if h.pursued != nil {
		return h.pursued.step()
	}
	if h.lookDue() {
		return h.look()
	}
	h.hunts++
	b := h.choose()
	if b == nil || len(b.vals) == 0 {
		return nil
	}
	b.tries++
	g, ok := h.cut(b.vals)
	if !ok {
		return nil
	}
	g.failed = failed
	return h.follow(g)
}

// choose draws an input: mostly one of the latest that was not cut often yet.
func (h *Hunter) choose() *base {
	r := h.drawer.Rand
	if r.OneIn(4) {
		if b := h.dear[r.Intn(len(h.dear))]; b != nil && b.vals != nil {
			return b
		}
	}
	if len(h.bases) == 0 {
		return nil
	}
	if r.OneIn(2) {
		for i := len(h.bases) - 1; i >= max(0, len(h.bases)-64); i-- {
			if b := h.bases[i]; b.tries < triesFirst {
				return b
			}
		}
	}
	return h.bases[r.Intn(len(h.bases))]
}

// cut cuts an argument of an input into a pump.
func (h *Hunter) cut(vals []any) (*growing, bool) {
	var args []int
	for i, v := range vals {
		if b, ok := reduce.Bytes(v); ok && len(b) <= baseMost {
			args = append(args, i)
		}
	}
	if len(args) == 0 {
		return nil, false
	}
	g := &growing{Hunter: h, vals: vals, arg: args[h.drawer.Rand.Intn(len(args))]}
	b, _ := reduce.Bytes(vals[g.arg])
	p, ok := h.drawer.Draw(b)
	g.pump = p
	return g, ok
}

// placeOf names the place of frames: the function that does most of the work.
func placeOf(frames []string) string {
	if len(frames) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(frames[0], " ")
	return name
}

// report reports a growing input, as long as there are few of its place, or none that is
// smaller.
func (h *Hunter) report(g *growing, points []wire.Size, frames []string) error {
	p := h.placeAt(g.grows, frames)
	size := g.pump.Fixed() + g.pump.Unit()
	if p.reported >= perPlace && size >= p.least {
		return nil
	}
	if p.reported == 0 || size < p.least {
		p.least = size
	}
	p.reported++
	return h.send(g, points, frames, g.grows == clock) // a fresh process makes that smaller: the clock takes long
}

func (h *Hunter) send(g *growing, points []wire.Size, frames []string, rough bool) error {
	p := h.placeAt(g.grows, frames)
	c := wire.Costly{Growing: g.wire(), Sizes: points, Frames: frames, Count: p.unsent, Rough: rough}
	p.unsent = 0
	return h.Conn.Reply(wire.Reply{Costly: &c})
}

func (h *Hunter) placeAt(grows int, frames []string) *place {
	key := placeOf(frames)
	if h.places[grows][key] == nil {
		h.places[grows][key] = &place{}
	}
	return h.places[grows][key]
}

package observe

import (
	"strconv"
	"strings"
	"sync"
)

// MaxEvents is the number of observed values that a Log keeps one by one. Later
// ones are folded into one hash.
const MaxEvents = 4096

// WholeSite, as a value's number, stands for the site itself: that it was reached,
// with that many values, at that moment.
const WholeSite = -1

// An Event is one observed value.
type Event struct {
	Site  uint32
	Value int // number of the value among the site's
	Hash  uint64
	Soft  bool      // a function compares such values: different hashes decide nothing
	Snap  *Snapshot // nil if only the hash was recorded
	Shown Shown     // the snapshot's text, where another process has taken it
	hide  *mask     // that the hash was made with
}

// Shown is a value as text.
type Shown struct {
	Brief string // one short line
	Text  string // see [Snapshot.Text]; may be cut anywhere
}

// A Log is what was observed in one execution, in order. It is immutable once the
// Recorder has handed it out.
type Log struct {
	Events []Event
	More   int    // values beyond MaxEvents
	Folded uint64 // hash over them
}

// A Difference is the first place where an execution departs from the reference.
type Difference struct {
	Site  uint32
	Value int    // or WholeSite: the sequence of sites differs
	Text  string // one line
	// Plain says that exported fields alone lead to it, and that it is in a number, a string,
	// a length or the like: a caller sees it.
	Plain bool
	// Weak says why a caller hardly relies on what differs; "" if it may.
	Weak Weakness
	// Field is the innermost field of a struct that holds what differs, as
	// "example.com/p.T.Name"; "" if there is none, or the values are not known. With "[]"
	// after it, a list has the same elements in another order; "[]" alone is the value.
	Field string
	// Late says that it is among the values beyond MaxEvents: which one differs is not known, and Site is that of the
	// last value before.
	Late bool
}

// A Weakness is why a caller hardly relies on what differs.
type Weakness string

// The weaknesses.
const (
	Message     Weakness = "message"      // two errors of one type differ in their texts alone
	BesideError Weakness = "beside-error" // the same call returns an error in both executions; told by CompareLogs alone
	Empty       Weakness = "empty"        // a slice or map is nil in one, and empty in the other
)

// A Recorder takes part in one execution after the other. Between two of them it is
// set, by one of the Reset methods, to one of three modes: to record snapshots, to
// record hashes (and snapshots only where a hash can't decide), or to compare with a
// log recorded before.
//
// Record may be called by several goroutines at once, and from inside itself, by an
// Error method that is itself observed: values are read without a lock held. The
// order of events is then that of completion.
type Recorder struct {
	o *Observer

	mu       sync.Mutex
	mode     recording
	log      *Log
	ref      *Log
	next     int // of ref.Events
	diff     Difference
	differs  bool
	excluded map[place]bool
	hidden   map[place]*mask
}

type recording uint8

const (
	recordTrees recording = iota
	recordHashes
	compareRef
)

type place struct {
	site  uint32
	value int
}

// NewRecorder returns a Recorder that observes with o, in the mode of
// [Recorder.Reset].
func NewRecorder(o *Observer) *Recorder {
	return &Recorder{o: o, log: new(Log), excluded: make(map[place]bool), hidden: make(map[place]*mask)}
}

// Exclude makes all later recordings and comparisons skip value number value of
// site, or, if it is WholeSite, over all that happens at site. It is meant for values
// that differ between two executions of the original. Logs recorded before may still
// hold such values; they are skipped too, except for those beyond MaxEvents:
// record them again.
func (r *Recorder) Exclude(site uint32, value int) {
	r.mu.Lock()
	r.excluded[place{site, value}] = true
	r.mu.Unlock()
}

// Hide makes all later recordings and comparisons leave a field out of value number value
// of site, wherever it is in there: see [Difference.Field]. Values that were recorded
// before, with other fields, can't be compared, and count as equal: record them again.
// It returns what it leaves out: see [Recorder.Unhidden].
func (r *Recorder) Hide(site uint32, value int, field string) string {
	if field = r.Unhidden(site, value, field); field == "" {
		r.Exclude(site, value)
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := place{site, value}
	r.hidden[at] = r.hidden[at].with(field)
	return field
}

// Lasting returns a function that takes back what Hide and Exclude leave out from now on. Values
// that were recorded in between can't be compared after it.
func (r *Recorder) Lasting() (takeBack func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	excluded, hidden := cloned(r.excluded), cloned(r.hidden)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.excluded, r.hidden = excluded, hidden
	}
}

// cloned copies a map: package maps may be under test.
func cloned[V any](m map[place]V) map[place]V {
	c := make(map[place]V, len(m))
	for at, v := range m {
		c[at] = v
	}
	return c
}

// Unhidden returns what is to be left out of a value since a field differs: the field, or, if
// that is left out and there is a difference nevertheless, what it is part of; "" for all of
// the value. So hiding one after the other ends.
func (r *Recorder) Unhidden(site uint32, value int, field string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if value == WholeSite {
		return ""
	}
	m := r.hidden[place{site, value}]
	for field != "" && m != nil && m.fields[field] {
		wider := strings.TrimSuffix(field, AnyOrder)
		if wider == field {
			return ""
		}
		field = wider
	}
	return field
}

// Hidden lists the fields that are left out of a value, sorted.
func (r *Recorder) Hidden(site uint32, value int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hidden[place{site, value}].list()
}

// Elsewhere makes an event of a value that another process has recorded, with the same
// fields left out.
func (r *Recorder) Elsewhere(site uint32, value int, hash uint64, shown Shown) Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Event{Site: site, Value: value, Hash: hash, Shown: shown, hide: r.hidden[place{site, value}]}
}

// Excluded tells whether a value is skipped.
func (r *Recorder) Excluded(site uint32, value int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.skips(site, value)
}

func (r *Recorder) skips(site uint32, value int) bool {
	return len(r.excluded) > 0 && (r.excluded[place{site, value}] || r.excluded[place{site, WholeSite}])
}

// Reset starts a new execution, to be recorded with snapshots of all values.
func (r *Recorder) Reset() { r.reset(recordTrees, nil) }

// ResetHashes starts a new execution, to be recorded by hashes. That is much faster
// than [Recorder.Reset]; a Difference from such a log can't show the reference's
// value.
func (r *Recorder) ResetHashes() { r.reset(recordHashes, nil) }

// ResetAgainst starts a new execution, to be compared with ref while it runs. After
// the first difference nothing more is read.
func (r *Recorder) ResetAgainst(ref *Log) { r.reset(compareRef, ref) }

func (r *Recorder) reset(mode recording, ref *Log) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mode, r.ref, r.next = mode, ref, 0
	r.diff, r.differs = Difference{}, false
	if r.log == nil {
		r.log = new(Log)
	}
	clear(r.log.Events)
	*r.log = Log{Events: r.log.Events[:0]}
}

// Hash returns the hash of a value: that of [Observer.Hash].
func (r *Recorder) Hash(v any) uint64 { return r.o.Hash(v) }

// Record notes the values vals observed at site.
func (r *Recorder) Record(site uint32, vals []any) {
	for i, v := range vals {
		r.mu.Lock()
		mode, pass := r.mode, r.differs || r.skips(site, i)
		var hide *mask
		if len(r.hidden) > 0 {
			hide = r.hidden[place{site, i}]
		}
		r.mu.Unlock()
		if pass {
			continue
		}
		h, soft := r.o.hash(v, hide)
		e := Event{Site: site, Value: i, Hash: h, Soft: soft, hide: hide}
		if mode == compareRef {
			r.compare(e, soft, v)
			continue
		}
		if mode == recordTrees || soft {
			e.Snap = r.o.take(v, hide)
		}
		r.add(e, soft)
	}
}

func (r *Recorder) add(e Event, soft bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.log == nil { // handed out: a goroutine has outlived its execution
		return
	}
	if len(r.log.Events) < MaxEvents {
		r.log.Events = append(r.log.Events, e)
		return
	}
	r.log.fold(e, soft)
}

// fold notes an event beyond MaxEvents. Values whose hash does not decide are only
// counted.
func (l *Log) fold(e Event, soft bool) {
	l.More++
	l.Folded = mix(mix(l.Folded, uint64(e.Site)), uint64(e.Value))
	if !soft {
		l.Folded = mix(l.Folded, e.Hash)
	}
}

// compare holds e against the reference's next event.
func (r *Recorder) compare(e Event, soft bool, v any) {
	want, ok := r.expected(e, soft)
	if !ok || want.Hash == e.Hash || want.hide != e.hide {
		return
	}
	// The lock is not held: Take and Equal may call the program under test.
	e.Snap = r.o.take(v, e.hide)
	if d, equal := compareEvents(want, e); !equal {
		r.differ(d)
	}
}

// expected returns the reference's counterpart of e. It is not ok if e is settled
// without one.
func (r *Recorder) expected(e Event, soft bool) (want Event, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.differs || r.ref == nil || r.log == nil {
		return Event{}, false
	}
	if i, ok := r.ref.from(r.next, r.skips); ok {
		r.next = i + 1
		want := r.ref.Events[i]
		if !samePlace(&want, &e) {
			r.diff, r.differs = sequence(&want, &e), true
			return Event{}, false
		}
		return want, true
	}
	r.next = len(r.ref.Events)
	if r.ref.More == 0 {
		r.diff, r.differs = sequence(nil, &e), true
		return Event{}, false
	}
	r.log.fold(e, soft)
	return Event{}, false
}

func (r *Recorder) differ(d Difference) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.differs {
		r.diff, r.differs = d, true
	}
}

// from returns the number of the first event from i that is not skipped.
func (l *Log) from(i int, skips func(uint32, int) bool) (int, bool) {
	for ; i < len(l.Events); i++ {
		if e := &l.Events[i]; !skips(e.Site, e.Value) {
			return i, true
		}
	}
	return i, false
}

// Differs tells, while an execution is compared, whether it has departed from the
// reference.
func (r *Recorder) Differs() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.differs
}

// Log hands out what has been recorded since the last reset. It is nil if nothing
// has been reset since the last call.
func (r *Recorder) Log() *Log {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.log
	r.log = nil
	return l
}

// Compare compares the execution since the last reset with ref: what was recorded,
// or, after [Recorder.ResetAgainst] with the same ref, what has been found out
// already. It does not say which of two executions that ended differently ended too
// early; a caller that knows one of them was cut short should not compare.
func (r *Recorder) Compare(ref *Log) (diff Difference, equal bool) {
	r.mu.Lock()
	mode, log := r.mode, r.log
	diff, differs := r.diff, r.differs
	next := r.next
	r.mu.Unlock()
	switch {
	case differs:
		return diff, false
	case log == nil:
		log = new(Log)
	}
	if mode != compareRef {
		return r.CompareLogs(ref, log)
	}
	if i, ok := ref.from(next, r.Excluded); ok {
		return sequence(&ref.Events[i], nil), false
	}
	return compareFolded(ref, log)
}

// CompareLogs returns the first difference between two logs that is not excluded. If
// the sequences of sites differ, it names the site that came in between, as far as the
// next events tell.
func (r *Recorder) CompareLogs(ref, got *Log) (diff Difference, equal bool) {
	i, j := 0, 0
	for {
		var a, b *Event
		var more, any bool
		if i, more = ref.from(i, r.Excluded); more {
			a, any = &ref.Events[i], true
		}
		if j, more = got.from(j, r.Excluded); more {
			b, any = &got.Events[j], true
		}
		if !any {
			return compareFolded(ref, got)
		}
		if a == nil || b == nil || !samePlace(a, b) {
			d := sequence(a, b)
			if a != nil && b != nil && got.distance(j, a) < ref.distance(i, b) {
				d.Site = b.Site
			}
			return d, false
		}
		if d, equal := compareEvents(*a, *b); !equal {
			if d.Weak == "" && ref.besideError(i) && got.besideError(j) {
				d.Weak = BesideError
			}
			return d, false
		}
		i, j = i+1, j+1
	}
}

// besideError reports whether the call that has shown event i has shown an error beside it.
func (l *Log) besideError(i int) bool {
	e := &l.Events[i]
	for k := i - e.Value; k >= 0 && k < len(l.Events) && l.Events[k].Site == e.Site && l.Events[k].Value == k-(i-e.Value); k++ {
		if snap := l.Events[k].Snap; k != i && snap != nil && snap.root.isError() {
			return true
		}
	}
	return false
}

func samePlace(a, b *Event) bool { return a.Site == b.Site && a.Value == b.Value }

// distance returns how many events after event i the next one at e's place comes.
func (l *Log) distance(i int, e *Event) int {
	for n := range l.Events[i:] {
		if samePlace(&l.Events[i+n], e) {
			return n
		}
	}
	return MaxEvents + 1
}

// compareEvents compares two values of one place.
func compareEvents(want, got Event) (Difference, bool) {
	if want.Hash == got.Hash || want.hide != got.hide {
		return Difference{}, true
	}
	d := Difference{Site: want.Site, Value: want.Value}
	switch {
	case want.Snap == nil && got.Snap == nil:
		d.Text = "hash " + hex(want.Hash) + " vs hash " + hex(got.Hash)
	case want.Snap == nil && want.Shown.Brief != "":
		d.Text = want.Shown.versus(got.Snap)
	case want.Snap == nil:
		d.Text = "(not recorded) vs " + brief(got.Snap.root)
	case got.Snap == nil:
		d.Text = brief(want.Snap.root) + " vs (not recorded)"
	case Equal(want.Snap, got.Snap):
		return Difference{}, true
	default:
		d.explain(want.Snap, got.Snap)
	}
	return d, false
}

func compareFolded(ref, got *Log) (Difference, bool) {
	if ref.More == got.More && ref.Folded == got.Folded {
		return Difference{}, true
	}
	d := Difference{Value: WholeSite, Late: true, Text: "among the values after the first " + strconv.Itoa(MaxEvents)}
	if n := len(ref.Events); n > 0 {
		d.Site = ref.Events[n-1].Site
	}
	return d, false
}

// sequence describes two events that stand at the same place in their logs and do
// not belong together. One of them may be missing.
func sequence(want, got *Event) Difference {
	if want == nil {
		return Difference{Site: got.Site, Value: WholeSite, Text: "nothing more vs " + got.place()}
	}
	d := Difference{Site: want.Site, Value: WholeSite, Text: want.place() + " vs nothing more"}
	if got != nil {
		d.Text = want.place() + " vs " + got.place()
	}
	return d
}

func (e *Event) place() string {
	return "value " + strconv.Itoa(e.Value) + " of site " + strconv.FormatUint(uint64(e.Site), 10)
}

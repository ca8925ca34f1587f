package wire

import (
	"errors"
	"fmt"
	"slices"
)

// A Request is sent by the coordinator. Exactly one field is set. The next request is
// sent once the reply that closes this one has come.
type Request struct {
	Init    *Init    `json:",omitempty"`
	Run     *Run     `json:",omitempty"`
	Fuzz    *Fuzz    `json:",omitempty"`
	Trim    *Trim    `json:",omitempty"`
	Replay  *Replay  `json:",omitempty"`
	Repair  *Repair  `json:",omitempty"`
	Tests   *Tests   `json:",omitempty"`
	Try     *Try     `json:",omitempty"`
	Observe *Observe `json:",omitempty"`
	Grow    *Grow    `json:",omitempty"`
}

// A Reply is sent by the worker. Exactly one field is set. The table of exchanges says
// which replies belong to which request.
type Reply struct {
	Hello    *Hello    `json:",omitempty"`
	Ran      *Ran      `json:",omitempty"`
	Fuzzed   *Fuzzed   `json:",omitempty"`
	Trimmed  *Trimmed  `json:",omitempty"`
	Replayed *Replayed `json:",omitempty"`

	Result    *Result    `json:",omitempty"`
	Found     *Found     `json:",omitempty"`
	Kill      *Kill      `json:",omitempty"`
	Failure   *Failure   `json:",omitempty"`
	Unstable  *Unstable  `json:",omitempty"`
	Damaged   *Damaged   `json:",omitempty"`
	About     *About     `json:",omitempty"`
	Flaky     *Flaky     `json:",omitempty"`
	Recording *Recording `json:",omitempty"`
	Effect    *Effect    `json:",omitempty"`
	Diagnosis *Diagnosis `json:",omitempty"`
	TestRan   *TestRan   `json:",omitempty"`
	Tried     *Tried     `json:",omitempty"`
	Observed  *Observed  `json:",omitempty"`
	Costly    *Costly    `json:",omitempty"`
	Grown     *Grown     `json:",omitempty"`
}

// RequestKind says which field of a Request is set.
type RequestKind uint8

// The kinds of requests, in the order of the fields.
const (
	NoRequest RequestKind = iota // none is set, or several are
	InitRequest
	RunRequest
	FuzzRequest
	TrimRequest
	ReplayRequest
	RepairRequest
	TestsRequest
	TryRequest
	ObserveRequest
	GrowRequest
	requestKinds
)

// ReplyKind says which field of a Reply is set.
type ReplyKind uint8

// The kinds of replies, in the order of the fields.
const (
	NoReply ReplyKind = iota // none is set, or several are
	HelloReply
	RanReply
	FuzzedReply
	TrimmedReply
	ReplayedReply
	ResultReply
	FoundReply
	KillReply
	FailureReply
	UnstableReply
	DamagedReply
	AboutReply
	FlakyReply
	RecordingReply
	EffectReply
	DiagnosisReply
	TestRanReply
	TriedReply
	ObservedReply
	CostlyReply
	GrownReply
	replyKinds
)

// An Exchange says what a request is answered by: any number of the events, and then the
// closing reply.
type Exchange struct {
	Events  []ReplyKind
	Closing ReplyKind
}

// exchanges are the whole conversation of a coordinator and a worker. Init is the first
// request, once. A worker that serves a fuzz test answers Run to Repair and Grow after it, one
// that serves the package's own tests answers Tests, Try and Observe.
//
// Damaged is the last reply of a process: no closing reply follows it.
var exchanges = [requestKinds]Exchange{
	InitRequest:    {Closing: HelloReply},
	RunRequest:     {Closing: RanReply, Events: []ReplyKind{ResultReply, KillReply, UnstableReply, DamagedReply}},
	FuzzRequest:    {Closing: FuzzedReply, Events: []ReplyKind{FoundReply, FailureReply, FlakyReply, CostlyReply, DamagedReply, AboutReply}},
	TrimRequest:    {Closing: TrimmedReply},
	ReplayRequest:  {Closing: ReplayedReply, Events: []ReplyKind{RecordingReply, KillReply}},
	RepairRequest:  {Closing: RanReply, Events: []ReplyKind{EffectReply, DiagnosisReply, DamagedReply}},
	TestsRequest:   {Closing: RanReply, Events: []ReplyKind{TestRanReply}},
	TryRequest:     {Closing: RanReply, Events: []ReplyKind{TriedReply}},
	ObserveRequest: {Closing: RanReply, Events: []ReplyKind{ObservedReply}},
	GrowRequest:    {Closing: GrownReply},
}

// ExchangeOf returns the row of a request in the table of exchanges.
func ExchangeOf(kind RequestKind) Exchange { return exchanges[kind] }

// Kind returns the kind of a request.
func (r *Request) Kind() RequestKind {
	kind, parts := only([]bool{
		InitRequest: r.Init != nil, RunRequest: r.Run != nil, FuzzRequest: r.Fuzz != nil, TrimRequest: r.Trim != nil,
		ReplayRequest: r.Replay != nil, RepairRequest: r.Repair != nil, TestsRequest: r.Tests != nil, TryRequest: r.Try != nil,
		ObserveRequest: r.Observe != nil, GrowRequest: r.Grow != nil,
	})
	if parts != 1 {
		return NoRequest
	}
	return RequestKind(kind)
}

// Kind returns the kind of a reply.
func (r *Reply) Kind() ReplyKind {
	kind, parts := r.parts()
	if parts != 1 {
		return NoReply
	}
	return kind
}

// parts counts the fields of a reply that are set, and returns the last one.
func (r *Reply) parts() (last ReplyKind, n int) {
	at, n := only([]bool{
		HelloReply: r.Hello != nil, RanReply: r.Ran != nil, FuzzedReply: r.Fuzzed != nil, TrimmedReply: r.Trimmed != nil,
		ReplayedReply: r.Replayed != nil, ResultReply: r.Result != nil, FoundReply: r.Found != nil, KillReply: r.Kill != nil,
		FailureReply: r.Failure != nil, UnstableReply: r.Unstable != nil, DamagedReply: r.Damaged != nil, AboutReply: r.About != nil,
		FlakyReply: r.Flaky != nil, RecordingReply: r.Recording != nil, EffectReply: r.Effect != nil, DiagnosisReply: r.Diagnosis != nil,
		TestRanReply: r.TestRan != nil, TriedReply: r.Tried != nil, ObservedReply: r.Observed != nil, CostlyReply: r.Costly != nil, GrownReply: r.Grown != nil,
	})
	return ReplyKind(at), n
}

// only returns where the last of the fields that are set is, and how many are.
func only(set []bool) (last, n int) {
	for i, has := range set {
		if has {
			last, n = i, n+1
		}
	}
	return last, n
}

// ErrProtocol is an error of a Dialogue: a message that does not belong where it stands.
var ErrProtocol = errors.New("a message that the protocol does not have")

// A Dialogue follows one request and its replies. Both ends keep one: the worker checks
// what it sends, the coordinator what it receives.
type Dialogue struct {
	exchange Exchange
	closed   bool
}

// Begin begins the dialogue of a request.
func Begin(req *Request) (Dialogue, error) {
	kind := req.Kind()
	if kind == NoRequest {
		return Dialogue{}, fmt.Errorf("%w: a request has no part, or several", ErrProtocol)
	}
	return Dialogue{exchange: exchanges[kind]}, nil
}

// Closed reports whether the closing reply has come.
func (d *Dialogue) Closed() bool { return d.closed }

// Reply takes in the next reply. It reports whether that closes the request.
func (d *Dialogue) Reply(r *Reply) (closed bool, err error) {
	kind, parts := r.parts()
	switch {
	case parts != 1:
		return false, fmt.Errorf("%w: a reply has %d parts", ErrProtocol, parts)
	case d.closed:
		return false, fmt.Errorf("%w: a reply comes after the last one", ErrProtocol)
	case kind == d.exchange.Closing:
		d.closed = true
	case !slices.Contains(d.exchange.Events, kind):
		return false, fmt.Errorf("%w: a reply answers another request", ErrProtocol)
	}
	return d.closed, nil
}

package worker

import (
	"context"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// requestStop sets the flag that ends a round early.
func (p *Process) requestStop(stop bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shared != nil {
		p.shared.RequestStop(stop)
	}
}

// reply is a reply that was checked.
type reply struct {
	wire.Reply
	input *corpus.Input   // that it has; nil if it has none
	bred  []*corpus.Input // of a round that wants its inputs
}

// stopGrace is how long a worker that is asked to stop may take: one execution, and what
// belongs to it.
const stopGrace = time.Second

// halt asks the worker to stop the request in progress, and ends it if it has not by the
// end of stopGrace: an execution that blocks has no end. done is closed when the request is.
func (p *Process) halt(done <-chan struct{}) {
	p.requestStop(true)
	late := time.NewTimer(stopGrace)
	defer late.Stop()
	select {
	case <-done:
	case <-p.exited:
	case <-late.C:
		p.end(ending{why: "given up", how: givenUp})
	}
}

// lost is the error of a request whose worker is gone: that of ctx, if it was given up.
func (p *Process) lost(ctx context.Context, cause error) error {
	err := p.death(cause)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended.how == givenUp && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// call sends a request and returns the reply that closes it. Events before that reply
// are given to onEvent, except About. See client.go for what holds for all calls.
func (p *Process) call(ctx context.Context, req *wire.Request, onEvent func(*reply)) (reply, error) {
	p.begin(req)
	defer p.idle()
	p.requestStop(false)
	done := make(chan struct{})
	defer close(done)
	stop := context.AfterFunc(ctx, func() { p.do(func() { p.halt(done) }) })
	defer stop()
	check, err := newChecker(&p.known, req, func() bool { return ctx.Err() != nil })
	if err != nil {
		return reply{}, err
	}
	// A dead worker makes the write fail; the read then returns the cause of death.
	sendErr := wire.Send(p.requests, req)
	if sendErr != nil && !system.BrokenPipe(sendErr) {
		p.end(ending{why: "sending a request: " + sendErr.Error(), how: failed})
	}
	for {
		var r reply
		closed, err := p.receive(check, &r)
		if err != nil {
			return reply{}, p.lost(ctx, err)
		}
		if closed {
			return r, nil
		}
		p.mu.Lock()
		p.frames++
		p.mu.Unlock()
		if r.About == nil {
			onEvent(&r)
			continue
		}
		if _, ok := p.counts(); !ok {
			return reply{}, p.lost(ctx, errOverwritten) // by the input before
		}
		p.about = r.input
	}
}

// receive receives one reply and checks it. It reports whether that closes the request.
func (p *Process) receive(check *checker, r *reply) (closed bool, err error) {
	if err := wire.Receive(p.replies, &r.Reply, wire.MaxReply); err != nil {
		return false, err
	}
	if closed, err = check.reply(&r.Reply); closed && err == nil {
		err = p.rest()
	}
	r.input, r.bred = check.in, check.bred
	return closed, err
}

// begin notes that a request is in progress.
func (p *Process) begin(req *wire.Request) {
	p.known.request(req)
	p.about = nil
	p.mu.Lock()
	p.busy, p.since, p.most = true, time.Now(), boundsOf(req)
	p.mu.Unlock()
}

func (p *Process) idle() {
	p.mu.Lock()
	p.busy = false
	p.mu.Unlock()
}

// rest checks the shared memory when the worker waits for a request.
func (p *Process) rest() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.shared.Counts()
	if !c.Sound(&p.last) {
		return errOverwritten
	}
	p.last = c
	return nil
}

// Counts returns what the worker has done so far.
func (p *Process) Counts() wire.Counts {
	c, _ := p.counts()
	return c
}

// counts is Counts, and says whether they are what the shared memory has.
func (p *Process) counts() (c wire.Counts, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shared == nil {
		return p.last, true
	}
	if c = p.shared.Counts(); !c.Plausible(&p.last) {
		return p.last, false
	}
	c.Bounds = p.within(c.Bounds)
	p.last = c
	return c, true
}

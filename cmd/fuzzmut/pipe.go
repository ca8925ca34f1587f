package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// reader is who reads what the command prints: a terminal, a file, or another program,
// which may end before this one does. That is an interrupt.
type reader struct {
	once sync.Once
	left chan struct{} // closed when it is found to be gone
}

// newReader returns the reader of this process's output. From then on a write to a
// broken pipe is an error, where Go would end the process by a signal. The signal is
// taken in, and not ignored, since children would inherit that.
func newReader() *reader {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return &reader{left: make(chan struct{})}
}

// leaving is closed when the reader is found to be gone; nil if that can't be.
func (r *reader) leaving() <-chan struct{} {
	if r == nil {
		return nil
	}
	return r.left
}

func (r *reader) gone() bool {
	select {
	case <-r.leaving():
		return true
	default:
		return false
	}
}

// piped is a stream to a reader. Once it is broken it takes everything.
type piped struct {
	w      io.Writer
	r      *reader
	broken atomic.Bool
}

func (p *piped) Write(b []byte) (int, error) {
	if p.broken.Load() {
		return len(b), nil
	}
	n, err := p.w.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.broken.Store(true)
		p.r.once.Do(func() { close(p.r.left) })
		return len(b), nil
	}
	return n, err
}

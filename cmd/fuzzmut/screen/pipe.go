package screen

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// A Reader is who reads what the command prints: a terminal, a file, or another program,
// which may end before this one does. That is an interrupt.
type Reader struct {
	once sync.Once
	left chan struct{} // closed when it is found to be gone
}

// NewReader returns the reader of this process's output. From then on a write to a
// broken pipe is an error, where Go would end the process by a signal. The signal is
// taken in, and not ignored, since children would inherit that.
func NewReader() *Reader {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return &Reader{left: make(chan struct{})}
}

// Leaving is closed when the reader is found to be gone; nil if that can't be.
func (r *Reader) Leaving() <-chan struct{} {
	if r == nil {
		return nil
	}
	return r.left
}

// Gone reports whether the reader is found to be gone.
func (r *Reader) Gone() bool {
	select {
	case <-r.Leaving():
		return true
	default:
		return false
	}
}

// Stream returns a stream to the reader that ends in w.
func (r *Reader) Stream(w io.Writer) io.Writer { return &piped{w: w, r: r} }

// piped is a stream to a reader. Once it is broken it takes everything.
type piped struct {
	w      io.Writer
	r      *Reader
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

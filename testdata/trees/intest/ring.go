// Package intest has a ring buffer of bytes.
package intest

import "errors"

// ErrFull is returned by Push on a full ring.
var ErrFull = errors.New("intest: ring is full")

// Ring is a first-in first-out queue of bytes with a fixed capacity.
type Ring struct {
	buf   []byte
	start int
	n     int
}

// New returns a ring for at most size bytes; size must be positive.
func New(size int) *Ring {
	return &Ring{buf: make([]byte, size)}
}

// Len returns the number of bytes in r.
func (r *Ring) Len() int { return r.n }

// Push appends b.
func (r *Ring) Push(b byte) error {
	if r.n == len(r.buf) {
		return ErrFull
	}
	r.buf[wrap(r.start+r.n, len(r.buf))] = b
	r.n++
	return nil
}

// Pop removes the oldest byte. It reports false when there is none.
func (r *Ring) Pop() (byte, bool) {
	if r.n == 0 {
		return 0, false
	}
	b := r.buf[r.start]
	r.start = wrap(r.start+1, len(r.buf))
	r.n--
	return b, true
}

// wrap returns i modulo size for i below twice the size.
func wrap(i, size int) int {
	if i >= size {
		return i - size
	}
	return i
}

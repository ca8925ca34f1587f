package wire

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A message on a pipe is a head of 16 bytes and JSON. The program under test has the
// worker's end of the pipes open, too, and may write to any descriptor: what is not a
// message is skipped, and what is one in part, or with other bytes in between, is an
// error.
const (
	magic    = "\xf5fzm" // can't begin a text
	headSize = 16        // magic, length, sum over the JSON, sum over the head
)

// A message is bounded, so that a broken peer can't make us allocate without end. The
// requests of a round carry whole corpora.
const (
	MaxRequest = 1 << 30
	MaxReply   = 256 << 20
)

// skipMost bounds what is skipped between two messages.
const skipMost = 1 << 20

// ErrGarbled is an error of Receive: what was read is no message.
var ErrGarbled = errors.New("not a message")

// Send writes v as one message.
func Send(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding message: %w", err)
	}
	if len(data) > MaxRequest {
		return fmt.Errorf("a message of %d bytes is too long", len(data))
	}
	buf := make([]byte, headSize, headSize+len(data))
	putHead(buf, data)
	// One Write, so that a message is in the pipe or not even begun for all but
	// the longest.
	_, err = w.Write(append(buf, data...))
	return err
}

func putHead(head, data []byte) {
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[4:], uint32(len(data)))
	binary.LittleEndian.PutUint32(head[8:], sum(data))
	binary.LittleEndian.PutUint32(head[12:], sum(head[:12]))
}

// sum returns a checksum: FNV-1a over words of eight bytes, folded.
func sum(data []byte) uint32 {
	const prime = 1099511628211
	h := uint64(14695981039346656037) ^ uint64(len(data))
	for ; len(data) >= 8; data = data[8:] {
		h = (h ^ binary.LittleEndian.Uint64(data)) * prime
		h ^= h >> 32 // else the high bits of a word would reach no low ones
	}
	for _, b := range data {
		h = (h ^ uint64(b)) * prime
	}
	h *= prime // else folding would undo the last shift, and lose half of the last word
	return uint32(h ^ h>>32)
}

// Receive reads one message of at most most bytes into v. It returns io.EOF when the
// peer is gone between messages, io.ErrUnexpectedEOF when it went in the middle of one,
// and an error that is ErrGarbled when something else has written between them.
func Receive(r *bufio.Reader, v any, most int) error {
	n, want, err := receiveHead(r, most)
	if err != nil {
		return err
	}
	data, err := readData(r, n)
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	if sum(data) != want {
		return fmt.Errorf("%w: its checksum is wrong", ErrGarbled)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%w: %w", ErrGarbled, err)
	}
	return nil
}

// receiveHead finds the next head, and returns the length of its message and its sum.
func receiveHead(r *bufio.Reader, most int) (n int, want uint32, err error) {
	for skipped := 0; skipped < skipMost; {
		head, err := r.Peek(headSize)
		if err != nil {
			return 0, 0, noHead(head, err)
		}
		if string(head[:4]) == magic && binary.LittleEndian.Uint32(head[12:]) == sum(head[:12]) {
			n := binary.LittleEndian.Uint32(head[4:])
			if uint64(n) > uint64(most) {
				return 0, 0, fmt.Errorf("%w: it would have %d bytes", ErrGarbled, n)
			}
			want := binary.LittleEndian.Uint32(head[8:])
			_, err := r.Discard(headSize)
			return int(n), want, err
		}
		have, _ := r.Peek(r.Buffered()) //nolint:errcheck // so much is there
		next := bytes.IndexByte(have[1:], magic[0]) + 1
		if next == 0 {
			next = len(have)
		}
		skipped += next
		if _, err := r.Discard(next); err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, fmt.Errorf("%w: none of the %d bytes before it is one either", ErrGarbled, skipMost)
}

// noHead is the error of a pipe that ends with part of a head, or with something else.
func noHead(rest []byte, err error) error {
	if err != io.EOF {
		return err
	}
	for i := range rest {
		part := rest[i:]
		if string(part[:min(4, len(part))]) == magic[:min(4, len(part))] {
			return io.ErrUnexpectedEOF
		}
	}
	return io.EOF
}

// atOnce is how much is allocated for a message before any of it has come.
const atOnce = 1 << 20

func readData(r io.Reader, n int) ([]byte, error) {
	data := make([]byte, 0, min(n, atOnce))
	for len(data) < n {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)] // at least a quarter more
		}
		part := data[len(data):min(cap(data), n)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		data = data[:len(data)+len(part)]
	}
	return data, nil
}

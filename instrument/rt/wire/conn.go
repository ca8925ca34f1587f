package wire

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// maxMessage bounds a message, so that a broken peer can't make us allocate
// without end. A round's requests carry whole corpora.
const maxMessage = 1 << 30

// Send writes v as one message: a length of four bytes, then JSON.
func Send(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding message: %w", err)
	}
	buf := make([]byte, 4, 4+len(data))
	binary.LittleEndian.PutUint32(buf, uint32(len(data)))
	// One Write, so that a message is in the pipe or not even begun for all but
	// the longest.
	_, err = w.Write(append(buf, data...))
	return err
}

// Receive reads one message into v. It returns io.EOF when the peer is gone
// between messages and io.ErrUnexpectedEOF when it went in the middle of one.
func Receive(r *bufio.Reader, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:1]); err != nil {
		return err
	}
	if _, err := io.ReadFull(r, head[1:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxMessage {
		return fmt.Errorf("message of %d bytes: not a fuzzmut peer", n)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return io.ErrUnexpectedEOF
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("decoding message: %w", err)
	}
	return nil
}

// Package magic reads and writes a small container format:
//
//	magic "FZM\x7f" | version byte | field count byte | fields
//	field: tag byte | length (1 byte, or 0xff and 2 bytes big endian) | body
//
// There is no checksum: any body is valid.
package magic

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	header = "FZM\x7f"
	// wide marks a length of two bytes.
	wide = 0xff
	// V1 allows short fields only; V2 allows wide ones.
	V1, V2 = 1, 2
)

// Errors that Parse returns, possibly wrapped.
var (
	ErrMagic   = errors.New("magic: not a container")
	ErrVersion = errors.New("magic: unknown version")
	ErrShort   = errors.New("magic: truncated")
)

// File is a decoded container.
type File struct {
	Version byte
	Fields  []Field
}

// Field is a tagged body.
type Field struct {
	Tag  byte
	Body []byte
}

// Parse decodes b. The bodies are slices of b.
func Parse(b []byte) (*File, error) {
	if len(b) < len(header) || string(b[:len(header)]) != header {
		return nil, ErrMagic
	}
	b = b[len(header):]
	if len(b) < 2 {
		return nil, ErrShort
	}
	f := &File{Version: b[0]}
	if f.Version != V1 && f.Version != V2 {
		return nil, fmt.Errorf("%w %d", ErrVersion, f.Version)
	}
	count := int(b[1])
	b = b[2:]
	for i := 0; i < count; i++ {
		field, rest, err := parseField(f.Version, b)
		if err != nil {
			return nil, fmt.Errorf("field %d: %w", i, err)
		}
		f.Fields = append(f.Fields, field)
		b = rest
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("magic: %d bytes after the last field", len(b))
	}
	return f, nil
}

func parseField(version byte, b []byte) (Field, []byte, error) {
	if len(b) < 2 {
		return Field{}, nil, ErrShort
	}
	tag, n := b[0], int(b[1])
	b = b[2:]
	if n == wide {
		if version < V2 {
			return Field{}, nil, fmt.Errorf("%w: wide field in version %d", ErrVersion, version)
		}
		if len(b) < 2 {
			return Field{}, nil, ErrShort
		}
		n = int(binary.BigEndian.Uint16(b))
		b = b[2:]
	}
	if len(b) < n {
		return Field{}, nil, ErrShort
	}
	return Field{Tag: tag, Body: b[:n]}, b[n:], nil
}

// Append encodes f at the end of dst. It fails when f has too many fields, or a
// body that its version can't hold.
func Append(dst []byte, f *File) ([]byte, error) {
	if len(f.Fields) > 255 {
		return nil, fmt.Errorf("magic: %d fields, at most 255 fit", len(f.Fields))
	}
	dst = append(dst, header...)
	dst = append(dst, f.Version, byte(len(f.Fields)))
	for _, field := range f.Fields {
		dst = append(dst, field.Tag)
		switch n := len(field.Body); {
		case n < wide:
			dst = append(dst, byte(n))
		case f.Version >= V2 && n <= 0xffff:
			dst = append(dst, wide)
			dst = binary.BigEndian.AppendUint16(dst, uint16(n))
		default:
			return nil, fmt.Errorf("magic: body of %d bytes does not fit", n)
		}
		dst = append(dst, field.Body...)
	}
	return dst, nil
}

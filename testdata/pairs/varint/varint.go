// Package varint encodes numbers with github.com/multiformats/go-varint.
package varint

import "github.com/multiformats/go-varint"

// Encode returns a number as bytes, and how many a reader expects.
func Encode(n uint64) (encoded []byte, size int) {
	return varint.ToUvarint(n), varint.UvarintSize(n)
}

// Decode returns the first number of a text, and how many bytes it takes.
func Decode(data []byte) (n uint64, size int, err error) {
	return varint.FromUvarint(data)
}

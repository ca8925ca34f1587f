// Package base58 encodes bytes with github.com/mr-tron/base58.
package base58

import "github.com/mr-tron/base58"

// Encode returns bytes as a text.
func Encode(data []byte) string {
	return base58.Encode(data)
}

// Decode returns the bytes of a text.
func Decode(text string) ([]byte, error) {
	return base58.Decode(text)
}

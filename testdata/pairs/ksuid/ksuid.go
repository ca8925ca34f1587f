// Package ksuid reads identifiers with github.com/segmentio/ksuid.
package ksuid

import "github.com/segmentio/ksuid"

// Canonical returns an identifier in its usual form, and its time stamp.
func Canonical(text string) (string, uint32, error) {
	id, err := ksuid.Parse(text)
	if err != nil {
		return "", 0, err
	}
	return id.String(), id.Timestamp(), nil
}

// Encode returns bytes as an identifier.
func Encode(data []byte) (string, error) {
	id, err := ksuid.FromBytes(data)
	return id.String(), err
}

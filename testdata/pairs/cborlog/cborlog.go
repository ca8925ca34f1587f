// Package cborlog reads records with github.com/fxamacker/cbor.
package cborlog

import (
	"time"

	"github.com/fxamacker/cbor/v2"
)

// A Record is an entry of a log.
type Record struct {
	At   time.Time `cbor:"at"`
	Text string    `cbor:"text"`
}

// Read reads records. What fits is returned with the error.
func Read(data []byte) ([]Record, error) {
	var records []Record
	err := cbor.Unmarshal(data, &records)
	return records, err
}

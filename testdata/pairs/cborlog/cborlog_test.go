package cborlog

import (
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
)

func FuzzRead(f *testing.F) {
	data, err := cbor.Marshal([]Record{{time.Unix(1_700_000_000, 0).UTC(), "one"}, {time.Unix(1_700_000_001, 0).UTC(), "two"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) { Read(data) })
}

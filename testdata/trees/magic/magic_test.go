package magic

import (
	"reflect"
	"testing"
)

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("FZM\x7f\x01\x00"))
	f.Add([]byte("FZM\x7f\x01\x02n\x03abcv\x00"))
	f.Add([]byte("FZM\x7f\x02\x01w\xff\x00\x02hi"))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Parse(b)
		if err != nil {
			t.Skip(err)
		}
		enc, err := Append(nil, file)
		if err != nil {
			t.Fatalf("Append: %v", err)
		}
		again, err := Parse(enc)
		if err != nil {
			t.Fatalf("Parse of the encoding: %v", err)
		}
		if !reflect.DeepEqual(again, file) {
			t.Fatalf("round trip: %v, want %v", again, file)
		}
	})
}

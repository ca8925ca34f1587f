package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"
)

func TestListsComeAcross(t *testing.T) {
	tests := []struct {
		ids    IDs
		counts Tally
	}{
		{nil, nil},
		{IDs{0}, Tally{{0, 0}}},
		{IDs{1, 2, 3, 1000, 70_000}, Tally{{1, 9}, {5000, 1}}},
		{IDs{7, 3, 3, math.MaxUint32, 0}, Tally{{math.MaxUint32, math.MaxUint32}, {1, 1}}},
	}
	for _, tt := range tests {
		sent := Reply{Found: &Found{Infects: tt.ids}, Fuzzed: &Fuzzed{Stats: Stats{Executed: tt.counts}}}
		var buf bytes.Buffer
		if err := Send(&buf, sent); err != nil {
			t.Fatal(err)
		}
		var got Reply
		if err := Receive(bufio.NewReader(&buf), &got, MaxReply); err != nil || !reflect.DeepEqual(got, sent) {
			t.Errorf("%v, %v: got %+v, %+v (%v)", tt.ids, tt.counts, got.Found, got.Fuzzed, err)
		}
	}
}

func TestBrokenListsAreRefused(t *testing.T) {
	for _, text := range []string{`"gA"`, `"!"`, `"Ag"`} {
		var ids IDs
		var counts Tally
		idsErr, countsErr := json.Unmarshal([]byte(text), &ids), json.Unmarshal([]byte(text), &counts)
		if countsErr == nil || idsErr == nil && text != `"Ag"` {
			t.Errorf("%s is taken as %v (%v), %v (%v)", text, ids, idsErr, counts, countsErr)
		}
	}
}

// BenchmarkFound is an entry of a large target on its way.
func BenchmarkFound(b *testing.B) {
	f := &Found{Input: make([]byte, 150)}
	for i := range uint32(500) {
		f.Features, f.Infects = append(f.Features, Feature(i*30)), append(f.Infects, i*20)
	}
	roundTrip(b, Reply{Found: f})
}

// BenchmarkStats are the counts of a round of a program with 20,000 mutants.
func BenchmarkStats(b *testing.B) {
	f := &Fuzzed{}
	for i := range uint32(5_000) {
		f.Stats.Reached = append(f.Stats.Reached, [2]uint32{i * 4, 1000})
	}
	roundTrip(b, Reply{Fuzzed: f})
}

func roundTrip[M any](b *testing.B, message M) {
	var buf bytes.Buffer
	in := bufio.NewReader(&buf)
	for b.Loop() {
		if err := Send(&buf, message); err != nil {
			b.Fatal(err)
		}
		var got M
		if err := Receive(in, &got, MaxReply); err != nil {
			b.Fatal(err)
		}
	}
}

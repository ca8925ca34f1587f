package profile

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// spin takes processor time.
//
//go:noinline
func spin(d time.Duration) (n int) {
	for begin := time.Now(); time.Since(begin) < d; {
		for range 10_000 {
			n++
		}
	}
	return n
}

// What takes the time is on most stacks, with the lines of those that call it.
func TestProcessorTimeIsSeenWhereItGoes(t *testing.T) {
	end := time.Now().Add(400 * time.Millisecond)
	list, err := Of(func() bool {
		spin(20 * time.Millisecond)
		return time.Now().Before(end)
	})
	if err != nil {
		t.Fatal(err)
	}
	var all, here int64
	for _, s := range list {
		all += s.Count
		for i, f := range s.Frames[:max(len(s.Frames)-1, 0)] {
			caller := s.Frames[i+1]
			if strings.HasSuffix(f.Function, ".spin") && f.Line > 0 && strings.HasSuffix(f.File, "profile_test.go") && strings.Contains(caller.Function, "TestProcessorTime") {
				here += s.Count
			}
		}
	}
	if all == 0 || here < all/2 {
		t.Errorf("%d of %d samples: %+v", here, all, list)
	}
}

// One profile is taken at a time.
func TestOneProfileAtATime(t *testing.T) {
	_, err := Of(func() bool {
		if _, err := Of(func() bool { return false }); err == nil {
			t.Error("a second one")
		}
		return false
	})
	if err != nil {
		t.Error(err)
	}
}

// A profile that ends early, or is none, is an error.
func TestDamagedProfiles(t *testing.T) {
	for _, data := range []string{"\x80", "\x12\x05a", "\x0f", "\x08", "\x12\x02\x0a\x05", "\x12\x03\x0a\x01\x80", "\x22\x02\x22\x09", "\x2a\x01\x80"} {
		if _, err := parse([]byte(data)); !errors.Is(err, errForm) {
			t.Errorf("%q: %v", data, err)
		}
	}
	if list, err := parse([]byte("\x12\x06\x0a\x01\x07\x12\x01\x03")); err != nil || len(list) != 1 || list[0].Count != 3 || len(list[0].Frames) != 0 {
		t.Errorf("%+v, %v", list, err) // of a place that is not known
	}
}

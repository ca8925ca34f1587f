package project

import (
	"testing"
	"time"
)

func TestATimeoutIsThatOfTheFuzzTest(t *testing.T) {
	o := Options{Timeout: time.Second, Timeouts: Timeouts{
		"FuzzX": 2 * time.Second, "b.FuzzX": 3 * time.Second, "example.com/c/b.FuzzX": 4 * time.Second, "b.FuzzY": 5 * time.Second,
	}}
	for _, c := range []struct {
		pkg, name string
		want      time.Duration
	}{
		{"example.com/a", "FuzzX", 2 * time.Second},
		{"example.com/b", "FuzzX", 3 * time.Second},
		{"example.com/c/b", "FuzzX", 4 * time.Second},
		{"example.com/b", "FuzzY", 5 * time.Second},
		{"example.com/a", "FuzzY", time.Second},
	} {
		if got := o.TimeoutOf(c.pkg, c.name); got != c.want {
			t.Errorf("%s.%s: %v, want %v", c.pkg, c.name, got, c.want)
		}
	}
	if got := new(Options).TimeoutOf("a", "FuzzX"); got != 0 {
		t.Errorf("without any: %v", got)
	}
}

package unittest

import (
	"testing"
	"time"
)

// Many processes run at a time with a mutant whose tests wait, but for -parallel 1.
func TestMutantsWhoseTestsWait(t *testing.T) {
	sleeps := &test{Test: Test{Time: time.Second}, waits: true}
	works := &test{Test: Test{Time: 100 * time.Millisecond}}
	for _, c := range []struct {
		it   item
		want bool
	}{
		{item{infected: []*test{sleeps, works}}, true},
		{item{infected: []*test{sleeps, works, works, works}}, false},
		{item{infected: []*test{works}}, false},
		{item{infected: []*test{works}, blocked: true}, true},
	} {
		if got := c.it.waits(); got != c.want {
			t.Errorf("%d tests, blocked %v: %v", len(c.it.infected), c.it.blocked, got)
		}
	}
	if one, two := (&Options{Parallel: 1}).waiting(), (&Options{Parallel: 2}).waiting(); one.size != 1 || two.size != 2*waiters || !two.waits {
		t.Errorf("%+v and %+v", one, two)
	}
}

func TestWorkCountsWhoeverDoesIt(t *testing.T) {
	before := work{cpu: 10, active: 20, known: true}
	for _, c := range []struct {
		after work
		want  time.Duration
	}{
		{work{cpu: 15, active: 40, known: true}, 20}, // a processor was wanted
		{work{cpu: 35, active: 22, known: true}, 25}, // children
		{work{cpu: 35}, -1},
	} {
		if got := c.after.since(before); got != c.want {
			t.Errorf("%+v: %d, want %d", c.after, got, c.want)
		}
	}
}

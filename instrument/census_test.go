package instrument_test

import (
	"maps"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestCensus(t *testing.T) {
	var c, d instrument.Census
	c.Count(true, "")
	c.Count(true, "some of its changes") // has others
	c.Count(false, "generated file")
	c.Count(false, "") // nothing would compile there
	d.Count(false, "generated file")
	d.Count(false, "cgo")
	c.Add(d)
	if c.Sites != 5 || c.LeftOut() != 3 || !maps.Equal(c.Left, map[string]int{"generated file": 2, "cgo": 1}) {
		t.Errorf("got %+v", c)
	}
}

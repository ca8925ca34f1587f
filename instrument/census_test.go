package instrument_test

import (
	"maps"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestCensus(t *testing.T) {
	var c, d instrument.Census
	c.Count(true, "", false)
	c.Count(true, "some of its changes", false) // has others
	c.Count(false, "cgo", false)
	c.Count(false, "", false) // nothing would compile there
	c.Count(false, "logging call", true)
	d.Count(false, "cgo", false)
	d.Count(false, "unsafe", false)
	d.Count(false, "generated file", true)
	c.Add(d)
	if c.Sites != 7 || c.LeftOut() != 3 || c.Suppressed() != 2 ||
		!maps.Equal(c.Left, map[string]int{"cgo": 2, "unsafe": 1}) ||
		!maps.Equal(c.Noise, map[string]int{"logging call": 1, "generated file": 1}) {
		t.Errorf("got %+v", c)
	}
}

//go:build unix

package suggest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// composed are inputs for the last of some probes, with the texts that each has taken.
func composed(t *testing.T, zero *corpus.Input, tried map[string]bool, texts ...[]string) []*corpus.Input {
	i := newWorld(t, oracleCode).newOracles(nil)
	c := (&inference{oracles: i}).newComposer()
	var probes []*probe
	for _, list := range texts {
		p := &probe{tried: tried, claim: &claim{trial: &trial.Trial{Zero: zero}}}
		for _, text := range list {
			p.valid = append(p.valid, corpus.Of(text))
		}
		probes = append(probes, p)
	}
	c.learn(probes)
	return c.compose(len(probes)-1, probes[len(probes)-1])
}

// What was tried is not tried again, and nothing is tried twice.
func TestComposedInputsAreOthers(t *testing.T) {
	tried := map[string]bool{corpus.Of("5:2").Key(): true}
	list := composed(t, corpus.Of(""), tried, []string{"5:2"})
	seen := make(map[string]bool)
	for _, in := range list {
		if tried[in.Key()] || seen[in.Key()] {
			t.Errorf("%v is tried again", in)
		}
		seen[in.Key()] = true
	}
	if len(list) < probeInputs/2 {
		t.Errorf("%d inputs", len(list))
	}
}

// A function that takes few texts has them tried, whatever another takes.
func TestComposedInputsHaveWhatFewHave(t *testing.T) {
	var many []string
	for n := range 500 {
		many = append(many, strings.Repeat("#", n/20)+fmt.Sprint(n%20))
	}
	own := 0
	for _, in := range composed(t, corpus.Of("", ""), nil, many, []string{"few!"}) {
		if strings.Contains(in.String(), "few!") {
			own++
		}
	}
	if own < probeInputs/2 {
		t.Errorf("%d of %d inputs have the text", own, probeInputs)
	}
}

// Arguments that are the same are compared as well.
func TestComposedArgumentsMayBeTheSame(t *testing.T) {
	same := 0
	for _, in := range composed(t, corpus.Of("", "", 0), nil, []string{"a", "b", "c", "d", "e", "f", "g", "h"}) {
		if v := in.Values(); v[0] == v[1] {
			same++
		}
	}
	if same < 20 {
		t.Errorf("%d inputs have the same text twice", same)
	}
}

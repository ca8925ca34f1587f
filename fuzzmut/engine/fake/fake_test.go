//go:build unix

package fake

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A word acts in workers that are of all of its sides.
func TestWordsOfSides(t *testing.T) {
	for _, c := range []struct {
		side, word, want string // "" is skipped
	}{
		{"", "v1", "v1"},
		{"new", "new:v1", "v1"},
		{"old", "new:v1", ""},
		{"", "new:v1", ""},
		{"new+a+b", "a:v1", "v1"},
		{"new+a+b", "c:v1", ""},
		{"new+a+b", "a:b:v1", "v1"},
		{"new+a", "a:b:v1", ""},
		{"new+b", "a:b:v1", ""},
		{"new+ab", "a:v1", ""},
		{"new", "new:", ""},
		{"new", ">new:k1+i2", ">new:k1+i2"}, // the study's words have their own sides
	} {
		t.Setenv(Side, c.side)
		if got, ok := ofSide(c.word); got != c.want || ok != (c.want != "") {
			t.Errorf("%q on side %q: %q, %v; want %q", c.word, c.side, got, ok, c.want)
		}
	}
}

func TestWhatWordsSay(t *testing.T) {
	t.Setenv(Side, "new")
	p := parseWords("k7 i3 d5 f8 f9 w900 m70 s4 v5 vfive tick fail new:n2 old:e1 >a+k1 >b")
	if want := (wire.Features{8, 9}); !slices.Equal(p.features, want) {
		t.Errorf("features %v, want %v", p.features, want)
	}
	if want := []uint32{2, 3, 5, 7}; !slices.Equal(p.infects, want) {
		t.Errorf("infects %v, want %v", p.infects, want)
	}
	for m, letter := range map[uint32]byte{7: 'k', 3: 'i', 5: 'd', 2: 'n', 1: 0} {
		if p.act[m] != letter {
			t.Errorf("mutant %d does %q, want %q", m, p.act[m], letter)
		}
	}
	if want := []string{"5", "five", "tick"}; !slices.Equal(p.values, want) {
		t.Errorf("values %q, want %q", p.values, want)
	}
	if want := []string{"a k1", "b"}; !slices.Equal(p.children, want) {
		t.Errorf("children %q, want %q", p.children, want)
	}
	if p.burned != 900 || p.bytes != 70 || !slices.Equal(p.inner, []uint64{4}) || !p.words["fail"] || p.words["end"] {
		t.Errorf("%+v", p)
	}
}

// Inputs go to a worker and back as the words that they are of.
func TestInputsAreWords(t *testing.T) {
	for _, words := range []string{"", "k1", "k1 d2  f3", "é \x00"} {
		in := Input(words)
		if got := Words(in); got != words {
			t.Errorf("%q, want %q", got, words)
		}
		if got := wordsOf(in.Wire()); got != words {
			t.Errorf("from the coordinator: %q, want %q", got, words)
		}
	}
	if got := Words(nil); got != "none" {
		t.Errorf("of no input: %q", got)
	}
	if got := wordsOf([]byte("no input")); got == "no input" {
		t.Error("what is no input is taken for words")
	}
}

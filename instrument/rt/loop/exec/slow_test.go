package exec

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/profile"
)

// The line that most time goes to is one of the user's code, and what it calls there is named.
func TestSlowLines(t *testing.T) {
	frame := func(function string, line int) profile.Frame {
		return profile.Frame{Function: function, File: "/f.go", Line: line}
	}
	end := frame("fuzzmutrt/loop/exec.(*Executor).invoke", 1)
	inIndex := func(line int) []profile.Frame {
		return []profile.Frame{frame("internal/bytealg.Index", 3), frame("strings.Index", 2), frame("m/p.Find", line), frame("m/p.FuzzP.func1", 9), end, frame("m/p.FuzzP", 8)}
	}
	inGeneric := []profile.Frame{frame("maps.Equal[go.shape.map[string]bool,go.shape.string]", 1), frame("m/p.(*Set[go.shape.int]).Same", 5), end}
	inMap := []profile.Frame{frame("runtime.mapaccess1_faststr", 1), frame("m/p.Look", 4), end}
	growing := []profile.Frame{frame("strings.Repeat", 1), frame("m/p.String", 1), frame("fuzzmutrt/loop/cost.(*growing).grown", 2)}
	collecting := []profile.Frame{frame("runtime.scanobject", 1), frame("runtime.gcDrain", 2)}
	elsewhere := []profile.Frame{frame("strings.Index", 1), frame("other.work", 2)}
	for name, c := range map[string]struct {
		samples []profile.Sample
		frames  []string
		outside string
	}{
		"in what a line calls": {
			[]profile.Sample{{Frames: inIndex(7), Count: 5}, {Frames: inIndex(6), Count: 4}, {Frames: inMap, Count: 1}},
			[]string{"m/p.Find /f.go:7", "m/p.FuzzP.func1 /f.go:9"},
			"strings.Index",
		},
		"in the line itself":               {[]profile.Sample{{Frames: inMap, Count: 5}, {Frames: inIndex(7), Count: 4}}, []string{"m/p.Look /f.go:4"}, ""},
		"the collector's work is nobody's": {[]profile.Sample{{Frames: collecting, Count: 50}, {Frames: inMap, Count: 3}}, []string{"m/p.Look /f.go:4"}, ""},
		"the worker's neither":             {[]profile.Sample{{Frames: growing, Count: 50}, {Frames: inMap, Count: 3}}, []string{"m/p.Look /f.go:4"}, ""},
		"where none of the user's code is": {[]profile.Sample{{Frames: elsewhere, Count: 5}, {Frames: inMap, Count: 4}}, nil, ""},
		"in a generic function":            {[]profile.Sample{{Frames: inGeneric, Count: 3}}, []string{"m/p.(*Set[...]).Same /f.go:5"}, "maps.Equal[...]"},
		"too few":                          {[]profile.Sample{{Frames: inMap, Count: 2}}, nil, ""},
		"none":                             {nil, nil, ""},
	} {
		frames, outside := slowest(c.samples, []string{"m"})
		if !slices.Equal(frames, c.frames) || outside != c.outside {
			t.Errorf("%s: %q, %q", name, frames, outside)
		}
	}
}

package failure

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestTemplates(t *testing.T) {
	for message, want := range map[string]string{
		"runtime error: index out of range [5] with length 12": "runtime error: index out of range",
		`strconv.Atoi: parsing "1\"2": invalid syntax`:         `strconv.Atoi: parsing "": invalid syntax`,
		"can't read 'x'\nsecond line":                          "can't read ''",
		"item `a` has 3":                                       "item `` has #",
		`ends in "`:                                            `ends in "`,
		"":                                                     "",

		"low is greater than high: -7 > -10":                            "low is greater than high: # > #",
		"-1 of 2.5e3 in 3-5, x-1 and f(2)-1":                            "# of #e# in #-#, x-# and f(#)-#",
		"v1.20.3 after 7.":                                              "v#.# after #.",
		"runtime error: index out of range [-1]":                        "runtime error: index out of range",
		"runtime error: slice bounds out of range [:5] with capacity 3": "runtime error: slice bounds out of range",
		"runtime error: slice bounds out of range [-1:]":                "runtime error: slice bounds out of range",
		"slice bounds out of range [4:2]":                               "slice bounds out of range [#:#]",

		"interface conversion: interface {} is uint64, not string":      "interface conversion: interface {} is T, not string",
		"interface conversion: p.I is nil, not p.J":                     "interface conversion: p.I is T, not p.J",
		"interface conversion: *p.A is not p.I: missing method M":       "interface conversion: T is not p.I: missing method M",
		"reflect.Set: value of type bool is not assignable to type int": "reflect.Set: value of type T is not assignable to type int",
		"reflect: call of reflect.Value.Elem on zero Value":             "reflect: call of reflect.Value.Elem on T Value",
	} {
		if got := Template(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

func TestIdentities(t *testing.T) {
	at := func(kind wire.OutcomeKind, message string, frames ...string) wire.Outcome {
		return wire.Outcome{Kind: kind, Message: message, Frames: frames}
	}
	loop := func(frames ...string) wire.Outcome {
		return wire.Outcome{Kind: wire.Fuel, Loop: true, Frames: frames}
	}
	const leaf, caller = "p.leaf p.go:12", "p.caller p.go:30"
	for _, c := range []struct {
		name string
		a, b wire.Outcome
		same bool
	}{
		{"numbers", at(wire.Panic, "index out of range [5] with length 3", leaf), at(wire.Panic, "index out of range [7] with length 1", leaf), true},
		{"another caller", at(wire.Panic, "boom", leaf, caller), at(wire.Panic, "boom", leaf), true},
		{"another line", at(wire.Panic, "boom", leaf), at(wire.Panic, "boom", "p.leaf p.go:13"), false},
		{"another message", at(wire.Panic, "boom", leaf), at(wire.Panic, "bang", leaf), false},
		{"lengths without end", at(wire.Memory, "it asks for 2000 MiB at once, more than 1024 MiB", leaf), at(wire.Panic, "runtime error: growslice: len out of range", leaf), true},
		{"negative lengths", at(wire.Panic, "runtime error: makeslice: cap out of range", leaf), at(wire.Memory, "it asks for 2 MiB at once, more than 1 MiB", leaf, caller), true},
		{"another line", at(wire.Memory, "it asks for 2 MiB at once, more than 1 MiB", leaf), at(wire.Memory, "it asks for 2 MiB at once, more than 1 MiB", "p.leaf p.go:13"), false},
		{"another kind", at(wire.Panic, "boom", leaf), at(wire.Exit, "boom"), false},
		{"either body of a rewritten function", at(wire.Panic, "boom", "p.f.func1 p.go:12"), at(wire.Panic, "boom", "p.f.func3 p.go:12"), true},
		{"an assertion", at(wire.Fail, "x_test.go:5: got 3"), at(wire.Fail, "x_test.go:5: got 4"), true},
		{"an assertion that prints words", at(wire.Fail, "x_test.go:5: a became b"), at(wire.Fail, "x_test.go:5: [c d] became"), true},
		{"an assertion nobody knows where", at(wire.Fail, "got [a b] 0x1f true"), at(wire.Fail, "got [] 0x2e3 false"), true},
		{"another one nobody knows where", at(wire.Fail, "got [a b]"), at(wire.Fail, "want [a b]"), false},
		{"an assertion nobody knows where, with a colon", at(wire.Fail, "got: 3"), at(wire.Fail, "got: 4"), true},
		{"an assertion elsewhere", at(wire.Fail, "x_test.go:5: got 3"), at(wire.Fail, "x_test.go:6: got 3"), false},
		{"hangs whose loop nobody knows", at(wire.Fuel, "", leaf), at(wire.Fuel, "", "p.leaf p.go:14"), true},
		{"loops of one function", loop(leaf), loop("p.leaf p.go:14"), false},
		{"a loop with another caller", loop(leaf, caller), loop(leaf), true},
		{"a loop that calls something else last", loop(leaf), wire.Outcome{Kind: wire.Fuel, Loop: true, Frames: []string{leaf}, Ends: []string{"p.leaf p.go:13\np.f p.go:70"}}, false},
		{"loops of two", at(wire.Fuel, "", leaf), at(wire.Fuel, "", "p.other p.go:12"), false},
		{"deadlocks in two functions", at(wire.Death, "asleep", leaf), at(wire.Death, "asleep", caller), false},
		{"deadlocks in one", at(wire.Death, "asleep", leaf), at(wire.Death, "asleep", "p.leaf p.go:40"), true},
		{"a recursion", at(wire.Death, "fatal error: stack overflow", leaf, caller), at(wire.Death, "fatal error: stack overflow", caller, leaf), true},
		{"an overflow that was foreseen", at(wire.Death, "fatal error: stack overflow", leaf), at(wire.Death, ForeseenOverflow, caller), true},
		{"deaths", at(wire.Death, "fatal error: stack overflow"), at(wire.Death, "not finished within 10s"), false},
	} {
		if same := Identity(c.a) == Identity(c.b); same != c.same {
			t.Errorf("%s: %q and %q", c.name, Identity(c.a), Identity(c.b))
		}
		// Lines move when code elsewhere changes.
		values := strings.Contains(c.name, "prints words") || c.name == "an assertion nobody knows where" // are left in
		lasts := c.same && !values || c.name == "another line" || c.name == "loops of one function" || c.name == "a loop that calls something else last" || c.name == "an assertion elsewhere"
		if same := Lasting(c.a) == Lasting(c.b); same != lasts {
			t.Errorf("%s: %q and %q last", c.name, Lasting(c.a), Lasting(c.b))
		}
	}
}

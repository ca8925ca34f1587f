package exec_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What is no fuzz target is left to F.Fuzz, which says what is wrong with it.
func TestWhatAFuzzTargetIs(t *testing.T) {
	for _, c := range []struct {
		ff   any
		want string // the types of its arguments; "no": it is none
	}{
		{func(*testing.T, []byte) {}, "[]byte"},
		{func(*testing.T, string, int8, bool, rune, float32) {}, "string int8 bool int32 float32"},
		{func(*testing.T) {}, "no"},
		{func([]byte) {}, "no"},
		{func(*testing.F, []byte) {}, "no"},
		{func(*testing.T, []byte) error { return nil }, "no"},
		{7, "no"},
		{nil, "no"},
	} {
		types, ok := exec.ArgTypes(c.ff)
		if ok == (c.want == "no") {
			t.Errorf("%T: %v", c.ff, types)
		}
		if !ok {
			continue
		}
		tg := exec.NewTarget(c.ff, exec.Testing{})
		if got := strings.Join(tg.TypeNames(), " "); got != c.want {
			t.Errorf("%T: %s, want %s", c.ff, got, c.want)
		}
		if err := tg.Check(tg.Zero()); err != nil {
			t.Errorf("%T: its zero values: %v", c.ff, err)
		}
	}
}

// A target gets its arguments whatever their types are, and so does what stands in for it.
func TestTargetsAreCalledWithTheirArguments(t *testing.T) {
	var got []any
	note := func(vals ...any) { got = append(got, vals...) }
	for _, c := range []struct {
		ff   any
		vals []any
	}{
		{func(_ *testing.T, b []byte) { note(b) }, []any{[]byte("ab")}},
		{func(_ *testing.T, s string) { note(s) }, []any{"ab"}},
		{func(_ *testing.T, b []byte, n int16, s string) { note(b, n, s) }, []any{[]byte(nil), int16(-3), "x"}},
	} {
		got = nil
		exec.NewTarget(c.ff, exec.Testing{}).Call(t, c.vals)
		if !reflect.DeepEqual(got, c.vals) {
			t.Errorf("%T: %v, want %v", c.ff, got, c.vals)
		}
		got = nil
		other := exec.Adopt(c.ff, func(lent *testing.T, vals []any) {
			if lent != t {
				t.Errorf("%T: another T", c.ff)
			}
			note(vals...)
		})
		if reflect.TypeOf(other) != reflect.TypeOf(c.ff) {
			t.Fatalf("%T stands in for %T", other, c.ff)
		}
		exec.NewTarget(other, exec.Testing{}).Call(t, c.vals)
		if !reflect.DeepEqual(got, c.vals) {
			t.Errorf("%T, what stands in for it: %v, want %v", c.ff, got, c.vals)
		}
	}
}

// Inputs that are none of the target's are refused with what is wrong.
func TestInputsOfOtherTypesAreRefused(t *testing.T) {
	tg := exec.NewTarget(func(*testing.T, string, int) {}, exec.Testing{})
	for _, c := range []struct {
		vals []any
		want string
	}{
		{[]any{"a", 1}, ""},
		{[]any{"a"}, "input has 1 values, the fuzz target takes 2"},
		{[]any{"a", 1, 2}, "input has 3 values, the fuzz target takes 2"},
		{[]any{"a", int8(1)}, "value 2 of the input is a int8, the fuzz target takes int"},
		{[]any{[]byte("a"), 1}, "value 1 of the input is a []uint8, the fuzz target takes string"},
	} {
		_, err := tg.Given(wire.Encode(c.vals))
		if (err == nil) != (c.want == "") || err != nil && err.Error() != "input from the coordinator: "+c.want {
			t.Errorf("%v: %v, want %s", c.vals, err, c.want)
		}
	}
	if _, err := tg.Decode([]byte{0xff}); err == nil {
		t.Error("what is no input is decoded")
	}
}

// A target may change the bytes that it gets, and write beyond them: the input stays.
func TestACloneSharesNothing(t *testing.T) {
	whole := []byte("abcdef")
	vals := []any{whole[:3], "s", 4}
	got := exec.Clone(vals)
	b := got[0].([]byte)
	b[0] = 'X'
	_ = append(b, 'Y')
	if string(whole) != "abcdef" || string(b) != "Xbc" || cap(b) != 3 || got[1] != "s" || got[2] != 4 {
		t.Errorf("%q, %v", whole, got)
	}
}

type talking struct{ say func() string }

func (v talking) String() string { return v.say() }

// A panic's value is printed by its own methods, unless these panic as well.
func TestTextsOfPanics(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"boom", "boom"},
		{7, "7"},
		{errors.New("an error"), "an error"},
		{fmt.Errorf("wrapped: %w", errors.New("inner")), "wrapped: inner"},
		{talking{func() string { return "I say" }}, "I say"},
		{talking{func() string { panic("again") }}, "exec_test.talking"},
		{nil, "panic(nil)"},
	} {
		if got := exec.PanicText(c.value); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Long texts are cut, and no letter in two: what goes to the coordinator is to be text.
func TestTextsAreCutBetweenLetters(t *testing.T) {
	for _, letter := range []string{"a", "é", "世", "😀"} {
		for shift := range 5 {
			long := strings.Repeat("x", shift) + strings.Repeat(letter, 3000)
			cut := exec.Cut(long)
			if head, ok := strings.CutSuffix(cut, "…"); !ok || !utf8.ValidString(cut) || !strings.HasPrefix(long, head) || len(head) > 300 || len(head) <= 300-len(letter) {
				t.Errorf("%d bytes, then %s: %d bytes, %q", shift, letter, len(cut), cut[len(cut)-8:])
			}
			w := looptest.New(t, &wire.Init{}, func(*testing.T, []byte) { panic(long) }, make([]uint8, 1), make([]bool, 1))
			ex := w.Exec.Detailed([]any{[]byte("a")}, exec.HangFuel)
			if head, ok := strings.CutSuffix(ex.Message, "…"); !ok || !utf8.ValidString(ex.Message) || !strings.HasPrefix(long, head) || len(head) > 2000 {
				t.Errorf("%d bytes, then %s: a message of %d bytes", shift, letter, len(ex.Message))
			}
		}
	}
	if short := exec.Cut("short"); short != "short" {
		t.Errorf("%q", short)
	}
}

// A binary that is not the one that was built is noticed before anything is run.
func TestBinariesThatWereReplaced(t *testing.T) {
	saved := fuzzmutrt.Packages
	defer func() { fuzzmutrt.Packages = saved }()
	fuzzmutrt.Packages = []*fuzzmutrt.Package{
		{Path: "p", Counters: make([]uint8, 3), Slow: make([]bool, 2)}, {Path: "q", Counters: make([]uint8, 4), Slow: make([]bool, 1), FirstFunc: 2},
	}
	for _, c := range []struct {
		funcs, counters int
		want            string
	}{
		{3, 7, ""},
		{3, 9, ""},
		{2, 7, "package q has function 2 of 2"},
		{3, 6, "binary has 7 counters, the coordinator knows 6"},
	} {
		slow, err := exec.Switches(&wire.Init{Funcs: c.funcs, Counters: c.counters})
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%d functions, %d counters: %v, want %s", c.funcs, c.counters, err, c.want)
		}
		if err == nil && (slow[0] != &fuzzmutrt.Packages[0].Slow[0] || slow[2] != &fuzzmutrt.Packages[1].Slow[0]) {
			t.Error("a function has the switch of another")
		}
	}
}

type shy struct{ Name, Secret string }

// Golden texts have what the views of types and sites leave, and nothing of inner sites. Their
// digests tell the same values apart, and inner results, too.
func TestWhatIsWrittenDown(t *testing.T) {
	target := func(_ *testing.T, in []byte) {
		if fuzzmutrt.Observing {
			fuzzmutrt.ObserveHook(0, []any{len(in), "text"})
			fuzzmutrt.ObserveHook(1, []any{"hidden", string(in)})
			fuzzmutrt.ObserveHook(2, []any{in[0]})
			fuzzmutrt.ObserveHook(0, []any{shy{"n", string(in)}})
		}
	}
	init := &wire.Init{
		Inner: wire.IDs{2}, SiteViews: map[uint32][]golden.View{1: {golden.ViewNone, ""}},
		Views: map[string]golden.View{golden.TypeKey(reflect.TypeFor[shy]()) + ".Secret": golden.ViewNone},
	}
	w := looptest.New(t, init, target, make([]uint8, 1), make([]bool, 1))
	written := func(in string) (list []string) {
		ex, seen := w.Exec.Written([]any{[]byte(in)}, exec.HangFuel, nil)
		if ex.Kind != wire.Pass {
			t.Fatal(ex)
		}
		for _, s := range seen {
			list = append(list, fmt.Sprintf("%d.%d %s", s.Site, s.Value, s.Text))
		}
		return list
	}
	digests := func(in string) map[string][]uint64 {
		_, seen := w.Exec.Digested([]any{[]byte(in)}, exec.HangFuel)
		all := make(map[string][]uint64)
		for _, s := range seen {
			if s.Text != "" {
				t.Errorf("a digest with the text %q", s.Text)
			}
			key := fmt.Sprintf("%d.%d", s.Site, s.Value)
			all[key] = append(all[key], s.Hash)
		}
		return all
	}
	got := strings.Join(written("ab"), "|")
	for _, want := range []string{"0.0 int 2|", `0.1 string "text"|`, "1.0 |", `1.1 string "ab"|`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if strings.Contains(got, "hidden") || strings.Contains(got, "2.0") || strings.Count(got, "ab") != 1 {
		t.Errorf("what is hidden is written: %s", got)
	}
	one, same, other := digests("ab"), digests("ab"), digests("xb")
	if !reflect.DeepEqual(one, same) {
		t.Errorf("%v and %v", one, same)
	}
	for key, differs := range map[string]bool{"0.0": false, "0.1": false, "1.0": false, "1.1": true, "2.0": true} {
		if (!reflect.DeepEqual(one[key], other[key])) != differs || len(one[key]) == 0 {
			t.Errorf("value %s: %v and %v", key, one[key], other[key])
		}
	}
	if fuzzmutrt.Observing {
		t.Error("it goes on to observe")
	}
}

// A function that is called without end hides nothing of those that call it.
func TestInnerResultsOfEachFunctionAreDigested(t *testing.T) {
	target := func(_ *testing.T, in []byte) {
		for i := range 10_000 {
			fuzzmutrt.ObserveHook(0, []any{i, "helper"})
		}
		fuzzmutrt.ObserveHook(1, []any{string(in)})
	}
	w := looptest.New(t, &wire.Init{Inner: wire.IDs{0, 1}}, target, make([]uint8, 1), make([]bool, 1))
	count := make(map[uint32]int)
	_, seen := w.Exec.Digested([]any{[]byte("a")}, exec.HangFuel)
	for _, s := range seen {
		count[s.Site]++
	}
	if count[0] == 0 || count[0] > 1000 || count[1] != 1 {
		t.Errorf("results by site: %v", count)
	}
}

package observe

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// play records events and returns their log.
func play(r *Recorder, events func(record func(site uint32, vals ...any))) *Log {
	record(r, events)
	return r.Log()
}

func record(r *Recorder, events func(record func(site uint32, vals ...any))) {
	events(func(site uint32, vals ...any) { r.Record(site, vals) })
}

type script = func(record func(site uint32, vals ...any))

func TestCompare(t *testing.T) {
	base := script(func(rec func(uint32, ...any)) {
		rec(1, "a", nil)
		rec(2, []int{1}, fold("x"))
		rec(1, "b", errors.New("e"))
	})
	for _, c := range []struct {
		name string
		run  script
		diff Difference // zero: none
	}{
		{"same", base, Difference{}},
		{"equal by method", func(rec func(uint32, ...any)) {
			rec(1, "a", nil)
			rec(2, []int{1}, fold("X"))
			rec(1, "b", errors.New("e"))
		}, Difference{}},
		{"a value", func(rec func(uint32, ...any)) {
			rec(1, "a", nil)
			rec(2, []int{2}, fold("x"))
			rec(1, "c", errors.New("e"))
		}, Difference{Site: 2, Value: 0, Text: "[0]: 1 vs 2", Plain: true}},
		{"a value compared by method", func(rec func(uint32, ...any)) {
			rec(1, "a", nil)
			rec(2, []int{1}, fold("y"))
			rec(1, "b", errors.New("e"))
		}, Difference{Site: 2, Value: 1, Text: `"x" vs "y"`}},
		{"an error", func(rec func(uint32, ...any)) {
			rec(1, "a", nil)
			rec(2, []int{1}, fold("x"))
			rec(1, "b", nil)
		}, Difference{Site: 1, Value: 1, Text: `*errors.errorString(error "e") vs nil`, Plain: true}},
		{"the text of an error", func(rec func(uint32, ...any)) {
			rec(1, "a", nil)
			rec(2, []int{1}, fold("x"))
			rec(1, "b", errors.New("f"))
		}, Difference{Site: 1, Value: 1, Text: `error "e" vs error "f"`, Plain: true, Weak: Message}},
		{"another site", func(rec func(uint32, ...any)) {
			rec(1, "a", nil)
			rec(3, []int{1}, fold("x"))
		}, Difference{Site: 2, Value: WholeSite, Text: "value 0 of site 2 vs value 0 of site 3"}},
		{"too few", func(rec func(uint32, ...any)) {
			rec(1, "a", nil)
			rec(2, []int{1}, fold("x"))
		}, Difference{Site: 1, Value: WholeSite, Text: "value 0 of site 1 vs nothing more"}},
		{"too many", func(rec func(uint32, ...any)) {
			base(rec)
			rec(7, 1)
		}, Difference{Site: 7, Value: WholeSite, Text: "nothing more vs value 0 of site 7"}},
		{"nothing", func(func(uint32, ...any)) {}, Difference{Site: 1, Value: WholeSite, Text: "value 0 of site 1 vs nothing more"}},
	} {
		r := NewRecorder(New(Options{}))
		ref := play(r, base)
		same := func(how string, d Difference, equal bool) {
			t.Helper()
			if d != c.diff || equal != (c.diff == Difference{}) {
				t.Errorf("%s, %s: got %+v, %t; want %+v", c.name, how, d, equal, c.diff)
			}
		}
		r.Reset()
		record(r, c.run)
		d, equal := r.Compare(ref)
		same("recorded with trees", d, equal)

		r.ResetAgainst(ref)
		record(r, c.run)
		d, equal = r.Compare(ref)
		same("compared on the way", d, equal)

		// From hashes alone the text can't tell the reference's value.
		r.ResetHashes()
		hashes := play(r, base)
		r.ResetAgainst(hashes)
		record(r, c.run)
		d, equal = r.Compare(hashes)
		if d.Value != WholeSite && hashes.event(d) == nil {
			if !strings.HasPrefix(d.Text, "(not recorded) vs ") && !equal {
				t.Errorf("%s, against hashes: text is %q", c.name, d.Text)
			}
			d.Text, d.Plain, d.Weak = c.diff.Text, c.diff.Plain, c.diff.Weak
		}
		same("against hashes", d, equal)
	}
}

// event returns the snapshot of the value that d is about.
func (l *Log) event(d Difference) *Snapshot {
	for _, e := range l.Events {
		if e.Site == d.Site && e.Value == d.Value {
			return e.Snap
		}
	}
	return nil
}

func TestEarlyExit(t *testing.T) {
	called := 0
	e := hooked(func() string { called++; return "e" })
	r := NewRecorder(New(Options{}))
	ref := play(r, func(rec func(uint32, ...any)) { rec(1, 1, e); rec(2, e) })
	r.ResetAgainst(ref)
	called = 0
	r.Record(1, []any{2, e})
	if !r.Differs() {
		t.Error("the difference is not noticed at once")
	}
	r.Record(2, []any{e})
	if called != 0 {
		t.Errorf("%d values read after the first difference", called)
	}
}

func TestExcluded(t *testing.T) {
	n := 0
	unstable := script(func(rec func(uint32, ...any)) {
		n++
		rec(1, "a", n) // (1, 1) differs each time
		for range n {  // site 2 is reached more often each time
			rec(2, "b")
		}
		rec(3, "c")
	})
	r := NewRecorder(New(Options{}))
	first := play(r, unstable)
	r.Reset()
	second := play(r, unstable)
	var found []Difference
	for {
		d, equal := r.CompareLogs(first, second)
		if equal {
			break
		}
		if len(found) > 3 {
			t.Fatalf("no end: %+v", found)
		}
		found = append(found, d)
		r.Exclude(d.Site, d.Value)
	}
	if !r.Excluded(1, 1) || r.Excluded(1, 0) || len(found) != 2 {
		t.Errorf("unstable: %+v", found)
	}
	r.ResetAgainst(first)
	record(r, unstable)
	if d, equal := r.Compare(first); !equal {
		t.Errorf("difference at an excluded place: %+v", d)
	}
	r.Reset()
	for _, e := range play(r, unstable).Events {
		if r.Excluded(e.Site, e.Value) {
			t.Errorf("(%d, %d) was recorded", e.Site, e.Value)
		}
	}
}

func TestManyEvents(t *testing.T) {
	many := func(n, at, odd int) script {
		return func(rec func(uint32, ...any)) {
			for i := range n {
				v := i
				if i == at {
					v = odd
				}
				rec(uint32(i%3), v, fold("x"))
			}
		}
	}
	r := NewRecorder(New(Options{}))
	ref := play(r, many(3*MaxEvents, -1, 0))
	if len(ref.Events) != MaxEvents || ref.More != 5*MaxEvents {
		t.Errorf("%d events and %d more", len(ref.Events), ref.More)
	}
	for _, c := range []struct {
		name  string
		run   script
		equal bool
	}{
		{"same", many(3*MaxEvents, -1, 0), true},
		{"early", many(3*MaxEvents, 5, 0), false},
		{"late", many(3*MaxEvents, 2*MaxEvents, 0), false},
		{"fewer", many(3*MaxEvents-1, -1, 0), false},
		{"far fewer", many(10, -1, 0), false},
		{"more", many(3*MaxEvents+1, -1, 0), false},
	} {
		for _, reset := range []func(){r.Reset, r.ResetHashes, func() { r.ResetAgainst(ref) }} {
			reset()
			record(r, c.run)
			if d, equal := r.Compare(ref); equal != c.equal {
				t.Errorf("%s: %+v, %t", c.name, d, equal)
			}
		}
	}
}

// An Error method that is observed itself.
func TestRecordInsideRecord(t *testing.T) {
	r := NewRecorder(New(Options{}))
	e := hooked(func() string { r.Record(9, []any{"inner"}); return "outer" })
	log := play(r, func(rec func(uint32, ...any)) { rec(1, e) })
	if len(log.Events) < 2 || log.Events[len(log.Events)-1].Site != 1 {
		t.Errorf("events: %+v", log.Events)
	}
}

func TestRecordFromGoroutines(t *testing.T) {
	r := NewRecorder(New(Options{}))
	run := func() {
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := range 100 {
					r.Record(uint32(g), []any{i})
				}
			}()
		}
		wg.Wait()
	}
	run()
	ref := r.Log()
	if len(ref.Events) != 400 {
		t.Fatalf("%d events", len(ref.Events))
	}
	r.ResetAgainst(ref)
	run()
	r.Compare(ref) // whatever it says, it says it without a race
}

// A goroutine may outlive its execution.
func TestRecordAfterLog(t *testing.T) {
	r := NewRecorder(New(Options{}))
	log := play(r, func(rec func(uint32, ...any)) { rec(1, "a") })
	r.Record(2, []any{"late"})
	if len(log.Events) != 1 {
		t.Errorf("a log that was handed out has grown: %+v", log.Events)
	}
	r.Reset()
	if l := r.Log(); l == nil || len(l.Events) != 0 {
		t.Errorf("the next log begins with %+v", l)
	}
	if r.Log() != nil {
		t.Error("one log was handed out twice")
	}
}

func TestLogOutlivesReset(t *testing.T) {
	r := NewRecorder(New(Options{}))
	log := play(r, func(rec func(uint32, ...any)) { rec(1, "a") })
	r.Reset()
	r.Record(2, []any{"b"})
	if log.Events[0].Site != 1 || len(log.Events) != 1 {
		t.Errorf("log is now %+v", log.Events)
	}
}

// A log that another process has recorded has hashes and texts, and no snapshots.
func TestCompareWithAnotherProcess(t *testing.T) {
	long := strings.Repeat("x", 90)
	for _, c := range []struct {
		want, got any
		text      string // of the difference; "" if there is none
	}{
		{"a", "b", `"a" vs "b"`},
		{"a", "a", ""},
		{append(make([]string, 40), "left"), append(make([]string, 40), "right"), `"left" vs "right"`},
		{[]string{long, "left"}, []string{long, "left"}, ""},
	} {
		r := NewRecorder(New(Options{}))
		r.Reset()
		r.Record(1, []any{c.want})
		ref := r.Log()
		e := &ref.Events[0]
		e.Shown, e.Snap = Shown{Brief: e.Snap.Brief(), Text: e.Snap.Text()}, nil
		r.ResetAgainst(ref)
		r.Record(1, []any{c.got})
		diff, same := r.Compare(ref)
		if same != (c.text == "") || diff.Text != c.text {
			t.Errorf("%v: %t, %q, want %q", c.got, same, diff.Text, c.text)
		}
	}
}

func TestDiffOfTexts(t *testing.T) {
	long := strings.Repeat("a", 150)
	for _, c := range []struct{ a, b, want string }{
		{"{\n\tA: 1,\n}\n", "{\n\tA: 2,\n}\n", "A: 1, vs A: 2,"},
		{"{\n\tA: 1", "{\n\tA: 12,\n}\n", "differs after the recorded part"},
		{"x\n", "x\n", "differs after the recorded part"},
		{"x\ny\n", "x\n\n", "y vs "},
		{"é" + long + "1", "é" + long + "2", "…" + long[:25] + "1 vs …" + long[:25] + "2"},
		{"{\n\t1" + long, "{\n\t2" + long, "1" + long[:99] + "… vs 2" + long[:99] + "…"},
	} {
		if got := diffText(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// What stands beside an error, in both executions, is hardly relied on.
func TestValuesBesideErrors(t *testing.T) {
	err := errors.New("e")
	for _, c := range []struct {
		name     string
		ref, got []any
		want     Weakness
	}{
		{"an error in both", []any{1, err}, []any{2, err}, BesideError},
		{"of another text", []any{1, err}, []any{2, errors.New("f")}, BesideError},
		{"now an error", []any{1, nil}, []any{2, err}, ""},
		{"no error any more", []any{1, err}, []any{2, nil}, ""},
		{"no error", []any{1, nil}, []any{2, nil}, ""},
		{"the error itself", []any{1, err}, []any{1, nil}, ""},
		{"its text", []any{1, err}, []any{1, errors.New("f")}, Message},
		{"before the value", []any{err, 1}, []any{err, 2}, BesideError},
		{"nil or empty", []any{[]int{}, nil}, []any{[]int(nil), nil}, Empty},
		{"nil or not empty", []any{[]int{0}, nil}, []any{[]int(nil), nil}, ""},
	} {
		r := NewRecorder(New(Options{}))
		log := func(vals []any) *Log {
			r.Reset()
			r.Record(1, []any{err})
			r.Record(2, vals)
			r.Record(1, []any{err})
			return r.Log()
		}
		ref := log(c.ref)
		if d, equal := r.CompareLogs(ref, log(c.got)); equal || d.Site != 2 || d.Weak != c.want {
			t.Errorf("%s: %+v, equal %v; want %q", c.name, d, equal, c.want)
		}
	}
}

// What differs from run to run takes no more out of comparisons than the field that it is in.
func TestFieldsAreHidden(t *testing.T) {
	type stamp struct{ ID, Name string }
	type doc struct {
		Stamp *stamp
		Keys  []int
		Len   int
		Next  *doc
	}
	n := 0
	length := 3
	unstable := script(func(rec func(uint32, ...any)) {
		n++
		d := &doc{Stamp: &stamp{ID: strconv.Itoa(n), Name: "x"}, Keys: []int{n, -n}, Len: length}
		d.Next = &doc{Stamp: &stamp{ID: strconv.Itoa(-n)}, Next: d}
		rec(1, d)
		rec(2, stamp{ID: "always"})
	})
	r := NewRecorder(New(Options{}))
	var found []string
	for {
		r.Reset()
		first := play(r, unstable)
		r.ResetAgainst(first)
		record(r, unstable)
		d, equal := r.Compare(first)
		if equal {
			break
		}
		if len(found) > 3 || d.Site != 1 {
			t.Fatalf("no end: %+v, %q", d, found)
		}
		found = append(found, d.Field)
		r.Hide(d.Site, d.Value, d.Field)
		r.ResetAgainst(first)
		record(r, unstable)
		if d, equal := r.Compare(first); !equal {
			t.Errorf("what was recorded with more fields counts: %+v", d)
		}
	}
	const in = "github.com/fuzzmut/fuzzmut/instrument/rt/observe."
	if want := []string{in + "stamp.ID", in + "doc.Keys"}; !slices.Equal(found, want) {
		t.Errorf("hidden: %q, want %q", found, want)
	}
	if got := r.Hidden(1, 0); !slices.Equal(got, []string{in + "doc.Keys", in + "stamp.ID"}) {
		t.Errorf("hidden in the value: %q", got)
	}
	r.Reset()
	first := play(r, unstable)
	if text := first.Events[0].Snap.Text(); !strings.Contains(text, "ID: <not compared>") || !strings.Contains(text, `Name: "x"`) {
		t.Errorf("text %s", text)
	}
	length++
	r.ResetAgainst(first)
	record(r, unstable)
	if d, equal := r.Compare(first); equal || d.Text != ".Len: 3 vs 4" {
		t.Errorf("another length: %+v", d)
	}
	if e := r.Elsewhere(1, 0, first.Events[0].Hash, Shown{}); e.hide != first.Events[0].hide {
		t.Error("what another process recorded can't be compared")
	}
	// Elsewhere the field counts.
	other := script(func(rec func(uint32, ...any)) {
		rec(1, &doc{})
		rec(2, stamp{ID: "another"})
	})
	r.Reset()
	if d, equal := r.CompareLogs(play(r, unstable), played(r, other)); equal || d.Site != 1 {
		t.Errorf("%+v", d)
	}
	r.Exclude(1, 0)
	r.Reset()
	if d, equal := r.CompareLogs(play(r, unstable), played(r, other)); equal || d.Site != 2 || d.Field != in+"stamp.ID" {
		t.Errorf("the field at another site: %+v", d)
	}
}

// A list in another order is compared as a set; what is not told by that is left out.
func TestTheOrderOfListsIsHidden(t *testing.T) {
	type pair struct {
		K string
		V int
	}
	type doc struct {
		Words []string
		Nums  []int
		Row   [2]int
		Pairs []*pair
		Deep  [][]string
		By    map[string][]string
	}
	turn := false
	swap := func(a, b int) (int, int) {
		if turn {
			return b, a
		}
		return a, b
	}
	more := 0
	unstable := script(func(rec func(uint32, ...any)) {
		turn = !turn
		x, y := swap(1, 2)
		text := func(n int) string { return strings.Repeat("w", n) }
		rec(1, &doc{
			Words: []string{text(x), text(y), "z"}, Nums: []int{x, y, 3 + more}, Row: [2]int{x, y}, Pairs: []*pair{{"k", x}, {"k", y}},
			Deep: [][]string{{text(x), text(y)}}, By: map[string][]string{"a": {text(x), text(y)}, "b": {text(x), text(y)}},
		})
		rec(2, []int{x, y, more})
		rec(3, map[string][]int{"a": {x, y}})
	})
	r := NewRecorder(New(Options{}))
	var found []string
	var log *Log
	for {
		r.Reset()
		log = play(r, unstable)
		r.ResetAgainst(log)
		record(r, unstable)
		d, equal := r.Compare(log)
		if equal {
			break
		}
		if len(found) > 12 {
			t.Fatalf("no end: %q", found)
		}
		field := r.Hide(d.Site, d.Value, d.Field)
		found = append(found, strconv.Itoa(int(d.Site))+" "+field[strings.LastIndexByte(field, '/')+1:])
	}
	want := []string{
		"1 observe.doc.Words[]", "1 observe.doc.Nums[]", "1 observe.doc.Row[]", "1 observe.doc.Pairs[]",
		"1 observe.doc.Deep[]", "1 observe.doc.Deep", "1 observe.doc.By[]", "1 observe.doc.By", "2 []", "3 []", "3 ",
	}
	if !slices.Equal(found, want) {
		t.Errorf("hidden %q, want %q", found, want)
	}
	more = 1
	r.ResetAgainst(log)
	record(r, unstable)
	if d, equal := r.Compare(log); equal || d.Site != 1 || !strings.HasPrefix(d.Text, ".Nums[") {
		t.Errorf("another element: %+v", d)
	}
	r.Exclude(1, 0)
	r.ResetAgainst(log)
	record(r, unstable)
	if d, equal := r.Compare(log); equal || d.Site != 2 {
		t.Errorf("another element of a value: %+v", d)
	}
	if !strings.Contains(log.Events[0].Snap.Text(), `"z"`) {
		t.Errorf("%s", log.Events[0].Snap.Text())
	}
}

// played plays a script in a separate execution.
func played(r *Recorder, s script) *Log {
	r.Reset()
	return play(r, s)
}

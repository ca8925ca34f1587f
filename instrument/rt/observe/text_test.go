package observe

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type everything struct {
	B       bool
	I       int8
	U       uint64
	F       float64
	G       float32
	C       complex128
	S       string
	Long    string
	Bytes   []byte
	NoBytes []byte
	Ints    []int
	Many    []uint16
	List    []any
	Empty   []any
	Array   [2]string
	Map     map[string]any
	ByNum   map[int]string
	ByPtr   map[*pair]bool
	Nobody  map[string]int
	P       *everything
	Q       *pair
	Err     error
	Bad     error
	NoErr   error
	Nil     error
	T       time.Time
	Old     time.Time
	Type    reflect.Type
	V       reflect.Value
	Fn      func()
	Ch      chan int
	hidden  struct{ x, y int }
	Ring    *ring
	Seen    []*tree
}

func sample() *everything {
	e := &everything{
		B: true, I: -5, U: math.MaxUint64, F: 0.1, G: 0.1, C: complex(1.5, math.Inf(1)),
		S: "line\n\"quoted\" \xff", Long: strings.Repeat("0123456789", 40), Bytes: []byte("raw\x00"),
		Ints: []int{1, -2, 3}, Many: make([]uint16, 20), List: []any{1, "x", nil, []any{}, 2.5}, Empty: []any{},
		Array: [2]string{"a", "b"}, Map: map[string]any{"b": 1, "a": map[string]int{"z": 1}},
		ByNum: map[int]string{10: "ten", -1: "minus", 9: "nine"}, ByPtr: map[*pair]bool{{1, nil}: true},
		Q: &pair{A: 1}, Err: errors.New("failed"), Bad: &panicky{"a"}, NoErr: (*panicky)(nil),
		T: someTime, Old: time.Date(-5, 3, 1, 0, 0, 0, 0, time.UTC), Type: reflect.TypeFor[map[string]int](),
		V: reflect.ValueOf(pair{1, 2}), Fn: func() {}, Ring: circle(2, 7, 8),
	}
	e.P, e.hidden.y = e, 2
	root := newTree(2, 1, nil)
	e.Seen = []*tree{root.left, root}
	return e
}

func TestGoldenText(t *testing.T) {
	got := Take(sample()).Text()
	file := filepath.Join("testdata", "everything.golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("text of the sample has changed; go test -update if that is meant:\n%s", got)
	}
}

func TestTextIsTheSameEachTime(t *testing.T) {
	want := Take(sample()).Text()
	for range 20 {
		if got := Take(sample()).Text(); got != want {
			t.Fatalf("was\n%s\nis\n%s", want, got)
		}
	}
}

// A text must end somewhere, though what it prints has 2^60 paths.
func TestTextIsBounded(t *testing.T) {
	type node struct{ l, r any }
	var n any = 1
	for range 60 {
		n = &node{n, n}
	}
	text := Take(n).Text()
	if lines := strings.Count(text, "\n"); lines > 2*maxTextLines {
		t.Errorf("%d lines", lines)
	}
	if !strings.Contains(text, "…") {
		t.Error("no mark of what is left out")
	}
}

func TestTimeText(t *testing.T) {
	for _, at := range []time.Time{
		{},
		someTime, time.Unix(0, 0), time.Unix(-1, 999), time.Date(1900, 2, 28, 1, 2, 3, 4, time.UTC),
		time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(2100, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(1600, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		want := at.UTC().Format("2006-01-02T15:04:05.000000000Z")
		if got := timeText(at.Unix(), uint64(at.Nanosecond())); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for day := range int64(200_000) {
		at := time.Unix((day-100_000)*86400, 0).UTC()
		year, month, dayOf := civil(day - 100_000)
		if y, m, d := at.Date(); int64(y) != year || int64(m) != month || int64(d) != dayOf {
			t.Fatalf("day %d: got %d-%d-%d, want %s", day-100_000, year, month, dayOf, at)
		}
	}
}

func TestDiff(t *testing.T) {
	long, zeros := strings.Repeat("x", 100), strings.Repeat("\x00", 40)
	for _, c := range []struct {
		a, b any
		want string
	}{
		{1, 1, ""},
		{1, 2, "1 vs 2"},
		{1, "1", `int(1) vs string("1")`},
		{nil, 1, "nil vs int(1)"},
		{&pair{A: []any{1, 2}}, &pair{A: []any{1, 3}}, ".A[1]: 2 vs 3"},
		{[]int{1, 2}, []int{1, 3}, "[1]: 2 vs 3"},
		{[]int8{1, -2}, []int8{1}, "len 2 vs len 1"},
		{[]byte("ab"), []byte("ac"), `"ab" vs "ac"`},
		{errors.New(long + "a"), errors.New(long + "b"), `at byte 100: …"xxxxxxxxa"… vs …"xxxxxxxxb"…`},
		{[]any{1}, []any{1, 2}, "len 1 vs len 2"},
		{[]any(nil), []any{}, "nil vs []"},
		{pair{b: ring{v: 1}}, pair{b: ring{v: 2}}, ".b.v: 1 vs 2"},
		{map[string]int{"a": 1, "b": 2}, map[string]int{"a": 1, "b": 3}, `["b"]: 2 vs 3`},
		{map[string]int{"a": 1, "b": 2}, map[string]int{"a": 1}, `["b"]: 2 vs (absent)`},
		{map[string]int{"a": 1}, map[string]int{"b": 2, "a": 1}, `["b"]: (absent) vs 2`},
		{map[string]int{"b": 1, "d": 1}, map[string]int{"c": 1, "a": 1}, `["a"]: (absent) vs 1`},
		{errors.New("x"), errors.New("y"), `error "x" vs error "y"`},
		{pair{A: errors.New("x")}, pair{}, `.A: *errors.errorString(error "x") vs nil`},
		{fold("a"), fold("A"), ""},
		{fold("a"), fold("b"), `"a" vs "b"`},
		{[]any{fold("a"), 1}, []any{fold("A"), 2}, "[1]: 1 vs 2"},
		{map[fold]int{"a": 1, "b": 2}, map[fold]int{"A": 1, "B": 3}, `["b"]: 2 vs 3`},
		{someTime, someTime.Add(1), "2024-02-29T23:59:58.000000007Z vs 2024-02-29T23:59:58.000000008Z"},
		{long + "abc", long + "abd", `at byte 102: …"xxxxxxabc"… vs …"xxxxxxabd"…`},
		{long + "a" + zeros, long + "b" + zeros, `at byte 100: …"xxa\x00\x00\x00\x00\x00\x00\x00"… vs …"xxb\x00\x00\x00\x00\x00\x00\x00"…`},
		{&Fault{Line: 1}, &Fault{Line: 2}, ".Line: 1 vs 2"},
		{Faults{{Line: 1}}, Faults{{Line: 2}}, "[0].Line: 1 vs 2"},
		{Faults{{Line: 1}}, Faults{}, "len 1 vs len 0"},
		{newTree(2, 1, nil), newTree(2, 2, nil), ".left.v: 2 vs 4"},
	} {
		a, b := Take(c.a), Take(c.b)
		if got := Diff(a, b); got != c.want {
			t.Errorf("%v, %v:\n got %s\nwant %s", c.a, c.b, got, c.want)
		}
	}
}

func TestDiffOfDeepValuesIsShort(t *testing.T) {
	deep := func(last int) any {
		var v any = last
		for range 3000 {
			v = pair{A: v}
		}
		return v
	}
	got := Diff(Take(deep(1)), Take(deep(2)))
	if len(got) > 1000 || !strings.HasSuffix(got, ".A: 1 vs 2") {
		t.Errorf("%d bytes: %.100s … %s", len(got), got, got[max(0, len(got)-20):])
	}
}

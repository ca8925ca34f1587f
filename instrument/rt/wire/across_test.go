package wire

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// filled sets a value at random, with all that it refers to. No field of a struct is left
// at zero, so that one which is not sent is noticed.
func filled(r *rand.Rand, v reflect.Value) {
	switch v.Interface().(type) {
	case oracle.Kind:
		v.Set(reflect.ValueOf(oracle.All()[r.IntN(len(oracle.All()))]))
		return
	case []byte:
		v.SetBytes([]byte{0, 255, byte(r.Uint32())}[r.IntN(2):])
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()>>r.IntN(64))>>(64-v.Type().Bits()) | 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64()>>r.IntN(64)>>(64-v.Type().Bits()) | 1)
	case reflect.String:
		v.SetString([]string{"a", "<&>\u2028", "é \"quoted\"\n", strings.Repeat("long ", 99)}[r.IntN(4)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(r, v.Elem())
	case reflect.Slice:
		n := 1 + r.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			filled(r, v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			filled(r, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			filled(r, key)
			filled(r, elem)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			filled(r, v.Field(i))
		}
	default:
		panic("a message has a " + v.Type().String())
	}
}

// comesAcross sends a message with each of its fields set, one at a time.
func comesAcross[M any](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	typ := reflect.TypeFor[M]()
	for i := range typ.NumField() {
		for range 20 {
			sent, got := new(M), new(M)
			filled(r, reflect.ValueOf(sent).Elem().Field(i))
			var pipe bytes.Buffer
			if err := Send(&pipe, sent); err != nil {
				t.Fatalf("%s: %v", typ.Field(i).Name, err)
			}
			if err := Receive(bufio.NewReader(&pipe), got, MaxRequest); err != nil {
				t.Fatalf("%s: %v", typ.Field(i).Name, err)
			}
			if diff := cmp.Diff(sent, got); diff != "" {
				t.Fatalf("%s (-sent +received):\n%s", typ.Field(i).Name, diff)
			}
		}
	}
}

func TestEveryFieldOfEveryMessageComesAcross(t *testing.T) {
	t.Run("requests", comesAcross[Request])
	t.Run("replies", comesAcross[Reply])
	t.Run("native", comesAcross[NativeConfig])
}

// What is left at zero is zero at the other end, and takes no room where messages are many.
func TestEmptyMessagesComeAcross(t *testing.T) {
	for i := range reflect.TypeFor[Reply]().NumField() {
		sent := set[Reply](i)
		var pipe bytes.Buffer
		if err := Send(&pipe, sent); err != nil {
			t.Fatal(err)
		}
		got := new(Reply)
		if err := Receive(bufio.NewReader(&pipe), got, MaxReply); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sent, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-sent +received):\n%s", diff)
		}
	}
	text, err := json.Marshal(Reply{Kill: &Kill{Mutant: 3, Kind: oracle.Panic}})
	if want := `{"Kill":{"Mutant":3,"Kind":"panic","Item":0}}`; err != nil || string(text) != want {
		t.Errorf("a kill is %s (%v), want %s", text, err, want)
	}
}

// A byte that is not what was sent never makes a different message: it is an error, or the
// message is skipped.
func TestEveryFlippedBitIsNoticed(t *testing.T) {
	var pipe bytes.Buffer
	if err := Send(&pipe, Reply{Ran: &Ran{Fuel: 1}}); err != nil {
		t.Fatal(err)
	}
	first := pipe.Len()
	if err := Send(&pipe, Reply{Ran: &Ran{Fuel: 2}}); err != nil {
		t.Fatal(err)
	}
	both := pipe.Bytes()
	for i := range first * 8 {
		stream := bytes.Clone(both)
		stream[i/8] ^= 1 << (i % 8)
		var got Reply
		err := Receive(bufio.NewReader(bytes.NewReader(stream)), &got, MaxReply)
		switch inHead := i/8 < headSize; {
		case inHead && (err != nil || got.Ran == nil || got.Ran.Fuel != 2):
			t.Errorf("bit %d of the head: %+v, %v; want the next message", i, got.Ran, err)
		case !inHead && !errors.Is(err, ErrGarbled):
			t.Errorf("bit %d: %+v, %v", i, got.Ran, err)
		}
	}
}

// A reader that returns its bytes one by one, or fails, is read as any other.
func TestMessagesThatComeInPieces(t *testing.T) {
	var pipe bytes.Buffer
	want := Request{Fuzz: &Fuzz{Seed: 9, Add: []Entry{{ID: 1, Input: make([]byte, 3*atOnce/2)}}}}
	if err := Send(&pipe, want); err != nil {
		t.Fatal(err)
	}
	whole := bytes.Clone(pipe.Bytes())
	var got Request
	if err := Receive(bufio.NewReaderSize(&slow{whole}, 16), &got, MaxRequest); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-sent +received):\n%s", diff)
	}
	broken := errors.New("broken pipe")
	r := bufio.NewReader(io.MultiReader(bytes.NewReader(nil), &failing{broken}))
	if err := Receive(r, &got, MaxRequest); !errors.Is(err, broken) {
		t.Errorf("before a message: %v", err)
	}
	if err := Send(&failing{broken}, want); !errors.Is(err, broken) {
		t.Errorf("sending: %v", err)
	}
	if err := Send(io.Discard, make(chan int)); err == nil || !strings.HasPrefix(err.Error(), "encoding message: ") {
		t.Errorf("sending what is no message: %v", err)
	}
}

// slow returns few bytes at a time.
type slow struct{ rest []byte }

func (s *slow) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 4099)], s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error)  { return 0, f.err }
func (f *failing) Write([]byte) (int, error) { return 0, f.err }

// A message whose JSON is something else is reported as garbled.
func TestMessagesOfAnotherKind(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"Ran":1}`, `{"Kill":{"Kind":"telepathy"}}`, `{"Found":{"Features":"!"}}`} {
		data := []byte(text)
		head := make([]byte, headSize)
		putHead(head, data)
		var got Reply
		err := Receive(bufio.NewReader(bytes.NewReader(append(head, data...))), &got, MaxReply)
		if !errors.Is(err, ErrGarbled) || strings.Contains(err.Error(), "checksum") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSumsDependOnEveryByte(t *testing.T) {
	seen := map[uint32]string{}
	for n := range 40 {
		data := bytes.Repeat([]byte{7}, n)
		for i := -1; i < n; i++ {
			changed := bytes.Clone(data)
			if i >= 0 {
				changed[i] = 8
			}
			what := fmt.Sprintf("%d bytes, byte %d changed", n, i)
			if other, ok := seen[sum(changed)]; ok {
				t.Errorf("%s has the sum of %s", what, other)
			}
			seen[sum(changed)] = what
		}
	}
}

// Lists of numbers are short where the numbers are close.
func TestListsOfNumbers(t *testing.T) {
	for _, tt := range []struct {
		list IDs
		want string
	}{
		{nil, ""},
		{IDs{1}, "Ag"},
		{IDs{1, 2, 3}, "AgIC"},
		{IDs{3, 1}, "BgM"},
	} {
		text, err := tt.list.MarshalText()
		if err != nil || string(text) != tt.want {
			t.Errorf("%v is %q (%v), want %q", tt.list, text, err, tt.want)
		}
		var back IDs
		if err := back.UnmarshalText(text); err != nil || !cmp.Equal(tt.list, back, cmpopts.EquateEmpty()) {
			t.Errorf("%q is read as %v, %v", text, back, err)
		}
	}
	back := IDs{7} // what is read replaces what was there
	if err := back.UnmarshalText([]byte("Ag")); err != nil || !cmp.Equal(back, IDs{1}) {
		t.Errorf("read into a list that is not empty: %v, %v", back, err)
	}
	counts := Tally{{7, 7}}
	if err := counts.UnmarshalText(nil); err != nil || len(counts) != 0 {
		t.Errorf("an empty tally is read as %v, %v", counts, err)
	}
}

// FuzzLists reads any text as lists: an error, or a list that is written and read again as
// it is.
func FuzzLists(f *testing.F) {
	for _, s := range []string{"", "Ag", "AgIC", "gA", "!", "/////w8", "AgICAgIC"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var ids, again IDs
		if ids.UnmarshalText(text) == nil {
			written, err := ids.MarshalText()
			if err != nil || again.UnmarshalText(written) != nil || !cmp.Equal(ids, again, cmpopts.EquateEmpty()) {
				t.Errorf("%q: %v is written as %q (%v), read as %v", text, ids, written, err, again)
			}
		}
		var counts, recounted Tally
		if counts.UnmarshalText(text) == nil {
			written, err := counts.MarshalText()
			if err != nil || recounted.UnmarshalText(written) != nil || !cmp.Equal(counts, recounted, cmpopts.EquateEmpty()) {
				t.Errorf("%q: %v is written as %q (%v), read as %v", text, counts, written, err, recounted)
			}
		}
	})
}

// own are types that f.Fuzz does not accept, whatever is below them.
type ownInt int

func TestTypeNames(t *testing.T) {
	for _, v := range everyType() {
		want := fmt.Sprintf("%T", v)
		if want == "[]uint8" {
			want = "[]byte"
		}
		if got := TypeName(v); got != want {
			t.Errorf("%#v is of type %s, want %s", v, got, want)
		}
	}
	for _, v := range []any{ownInt(1), nil, []int{1}, 1i, uintptr(1)} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.HasPrefix(r, "wire: ") || !strings.HasSuffix(r, "not a type that f.Fuzz accepts") {
					t.Errorf("%T: %q", v, r)
				}
			}()
			TypeName(v)
		}()
	}
}

// The layout of an encoded value is what the two sides of a connection, and nobody else,
// rely on.
func TestTheEncodingOfValues(t *testing.T) {
	scalar := func(kind byte, bits uint64) string {
		return string(binary.LittleEndian.AppendUint64([]byte{kind}, bits))
	}
	for _, tt := range []struct {
		v    any
		want string
	}{
		{"ab", scalar(kindString, 2) + "ab"},
		{[]byte("c"), scalar(kindBytes, 1) + "c"},
		{true, scalar(kindBool, 1)},
		{int8(-1), scalar(kindInt8, math.MaxUint64)},
		{uint8(255), scalar(kindUint8, 255)},
		{float32(1), scalar(kindFloat32, 0x3f800000)},
	} {
		if got := string(Encode([]any{tt.v})); got != tt.want {
			t.Errorf("%#v is %q, want %q", tt.v, got, tt.want)
		}
		for room := range len(tt.want) { // what does not fit is cut, and its length is returned
			buf := make([]byte, room)
			n, full := encodeInto(buf, []any{tt.v})
			if n != room || full != len(tt.want) || string(buf) != tt.want[:room] {
				t.Errorf("%#v in %d bytes: %d of %d, %q", tt.v, room, n, full, buf)
			}
		}
	}
}

// A start that the coordinator asks for is the one that the runtime reads.
func TestStartsAreReadByTheRuntime(t *testing.T) {
	if got, want := StaticEnv(Static{Mutants: []StaticMutant{{7, -1}, {3, 2}}, Fuel: 99}), fuzzmutrt.StaticVar+"=99,7,-1,3,2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := InitEnv(12), fuzzmutrt.TraceVar+"=12"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	defer func() { fuzzmutrt.StaticMutant, fuzzmutrt.Active = 0, 0 }()
	fuzzmutrt.Start([]string{StaticEnv(Static{Mutants: []StaticMutant{{7, 3}}, Fuel: 99})})
	if fuzzmutrt.StaticMutant != 7 || fuzzmutrt.Fuel != 99 {
		t.Errorf("the runtime starts mutant %d with fuel %d", fuzzmutrt.StaticMutant, fuzzmutrt.Fuel)
	}
	fuzzmutrt.EndStart()
}

func TestOutcomesFail(t *testing.T) {
	for kind, want := range map[OutcomeKind]string{
		Pass: "pass", Skip: "skip", Fail: "fail failed", Panic: "panic failed", Fuel: "fuel failed", Exit: "exit failed", Death: "death failed",
	} {
		got := kind.String()
		if kind.Failed() {
			got += " failed"
		}
		if got != want {
			t.Errorf("kind %d is %s, want %s", kind, got, want)
		}
	}
}

func TestBoundsOfATestAreShared(t *testing.T) {
	mem := make([]byte, SharedSize)
	worker, coordinator := NewShared(mem), NewShared(mem)
	worker.BeginTest(5, 12, Bounds{Limit: time.Second, Idle: time.Minute})
	want := Counts{MutantExecs: 1, Heartbeat: 1, Running: true, Mutant: 5, Test: 12, Bounds: Bounds{Limit: time.Second, Idle: time.Minute}}
	if diff := cmp.Diff(want, coordinator.Counts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	worker.SetDoom(2)
	worker.End()
	if st := coordinator.State(); st.Running || st.Doom != 2 {
		t.Errorf("after the end: running %t, doom %d", st.Running, st.Doom)
	}
	if worker.Begin(0); coordinator.State().Doom != 0 {
		t.Error("an execution begins with the doom of the one before")
	}
	if coordinator.RequestStop(true); !worker.Stopping() {
		t.Error("a stop is not seen")
	}
	if coordinator.RequestStop(false); worker.Stopping() {
		t.Error("a stop that was taken back is seen")
	}
}

// Counters that no worker can have written are found out, each.
func TestCountsThatCannotBe(t *testing.T) {
	before := Counts{Inputs: 5, Execs: 10, MutantExecs: 20, Heartbeat: 30}
	for _, tt := range []struct {
		name             string
		change           func(c *Counts)
		plausible, sound bool
	}{
		{"nothing", func(*Counts) {}, true, true},
		{"an execution begins", func(c *Counts) { c.Execs++ }, true, true},
		{"two have begun since", func(c *Counts) { c.Execs += 2 }, true, false},
		{"a heartbeat of none", func(c *Counts) { c.Heartbeat++ }, false, false},
		{"fewer inputs", func(c *Counts) { c.Inputs-- }, false, false},
		{"fewer executions", func(c *Counts) { c.Execs--; c.MutantExecs++ }, false, false},
		{"fewer mutants", func(c *Counts) { c.MutantExecs--; c.Execs++ }, false, false},
		{"fewer heartbeats", func(c *Counts) { c.Heartbeat-- }, false, false},
		{"more inputs than executions", func(c *Counts) { c.Inputs = 12 }, false, false},
		{"one input more, which is about to be run", func(c *Counts) { c.Inputs = 11 }, true, true},
		{"too many", func(c *Counts) { c.Execs, c.Heartbeat = 1<<56, 1<<56+20 }, false, false},
		{"too many mutants", func(c *Counts) { c.MutantExecs, c.Heartbeat = 1<<56, 1<<56+10 }, false, false},
	} {
		c := before
		tt.change(&c)
		if c.Plausible(&before) != tt.plausible || c.Sound(&before) != tt.sound {
			t.Errorf("%s: plausible %t, sound %t", tt.name, c.Plausible(&before), c.Sound(&before))
		}
	}
}

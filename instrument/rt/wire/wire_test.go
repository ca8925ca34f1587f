package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"testing"
)

func everyType() []any {
	return []any{
		[]byte("a\x00b"), "s", true, int(-1), int8(-8), int16(-16), int32(-32), int64(math.MinInt64),
		uint(1), uint8(8), uint16(16), uint32(32), uint64(math.MaxUint64),
		float32(1.5), math.Inf(-1),
		[]byte{},
		"", false,
	}
}

func TestValuesComeBack(t *testing.T) {
	vals := everyType()
	data := Encode(vals)
	got, err := Decode(data)
	if err != nil || !reflect.DeepEqual(got, vals) {
		t.Fatalf("got %#v, %v\nwant %#v", got, err, vals)
	}
	got[0].([]byte)[0] = 'X'
	if again, _ := Decode(data); again[0].([]byte)[0] != 'a' {
		t.Error("a decoded value shares memory with its encoding")
	}
	nan := math.Float64frombits(0x7ff8000000000123)
	got, err = Decode(Encode([]any{nan}))
	if err != nil || math.Float64bits(got[0].(float64)) != math.Float64bits(nan) {
		t.Error("the bits of a NaN do not come back")
	}
}

func TestDecodeRefusesEveryCut(t *testing.T) {
	vals := []any{[]byte("abc"), 7}
	data := Encode(vals)
	for n := range data {
		got, err := Decode(data[:n])
		// A cut between two values is a shorter list.
		if err == nil && len(got) == len(vals) {
			t.Errorf("%d of %d bytes decode to %v", n, len(data), got)
		}
	}
	if _, err := Decode([]byte{99, 0, 0, 0, 0, 0, 0, 0, 0}); err == nil {
		t.Error("an unknown kind is accepted")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode(everyType()))
	f.Fuzz(func(t *testing.T, data []byte) {
		vals, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Decode(Encode(vals))
		if err != nil || len(again) != len(vals) {
			t.Fatalf("%v, %v", again, err)
		}
		if !bytes.Equal(Encode(again), Encode(vals)) {
			t.Error("encoding is not stable")
		}
	})
}

func TestSharedShowsWhatIsUnderWay(t *testing.T) {
	mem := make([]byte, SharedSize)
	worker, coordinator := NewShared(mem), NewShared(mem)
	vals := []any{"in", 3}
	worker.SetInput(vals)
	worker.NextInput()
	worker.Begin(0)
	worker.End()
	worker.Begin(17)
	worker.SetDoom(1)
	st := coordinator.State()
	if st.Mutant != 17 || !st.Running || st.Doom != 1 || st.Inputs != 1 || st.Execs != 1 || st.MutantExecs != 1 || st.Heartbeat != 2 {
		t.Errorf("state: %+v", st)
	}
	if got, err := Decode(st.Input); err != nil || !reflect.DeepEqual(got, vals) {
		t.Errorf("input: %v, %v", got, err)
	}
	if st.Previous != nil || st.Last != 17 || st.Before != 0 {
		t.Errorf("before: %q, mutants %d, %d", st.Previous, st.Last, st.Before)
	}
	next := []any{"next", 4}
	worker.SetInput(next)
	worker.Begin(18)
	worker.Begin(18)
	worker.Begin(0)
	st = coordinator.State()
	if got, err := Decode(st.Input); err != nil || !reflect.DeepEqual(got, next) {
		t.Errorf("next input: %v, %v", got, err)
	}
	if got, err := Decode(st.Previous); err != nil || !reflect.DeepEqual(got, vals) {
		t.Errorf("previous input: %v, %v", got, err)
	}
	if st.Mutant != 0 || st.Last != 18 || st.Before != 17 {
		t.Errorf("mutants: %d, before %d, %d", st.Mutant, st.Last, st.Before)
	}
	coordinator.RequestStop(true)
	if !worker.Stopping() {
		t.Error("the worker does not see the stop flag")
	}
	worker.SetInput([]any{make([]byte, SharedSize)})
	if coordinator.State().Input != nil {
		t.Error("an input that does not fit is shown in part")
	}
}

func TestMessages(t *testing.T) {
	var buf bytes.Buffer
	want := Request{Fuzz: &Fuzz{Seed: 1, Add: []Entry{{ID: 3, Input: []byte{0, 255}}}}}
	if err := Send(&buf, want); err != nil {
		t.Fatal(err)
	}
	whole := buf.Bytes()
	var got Request
	if err := Receive(bufio.NewReader(bytes.NewReader(whole)), &got, MaxReply); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v", got, err)
	}
	for n := range whole {
		err := Receive(bufio.NewReader(bytes.NewReader(whole[:n])), &got, MaxReply)
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		if !errors.Is(err, want) {
			t.Errorf("%d of %d bytes: %v, want %v", n, len(whole), err, want)
		}
	}
	if err := Receive(bufio.NewReader(bytes.NewReader(whole)), &got, len(whole)-headSize-1); !errors.Is(err, ErrGarbled) {
		t.Errorf("a message that is too long: %v", err)
	}
}

// The program under test may write to the pipes: what is between messages is skipped,
// and what is within one is found out.
func TestGarbageAmongMessages(t *testing.T) {
	message := func(seed uint64) []byte {
		var buf bytes.Buffer
		if err := Send(&buf, Request{Fuzz: &Fuzz{Seed: seed}}); err != nil {
			t.Fatal(err)
		}
		return buf.Bytes()
	}
	one, two := message(1), message(2)
	claims := bytes.Clone(one[:headSize]) // a length that never comes
	claims[6] = 0x7f
	broken := bytes.Clone(one)
	broken[headSize+3]++
	hole := bytes.Clone(one)
	hole = append(hole[:headSize+2:headSize+2], append([]byte("ab 12345\n"), hole[headSize+2:]...)...)
	cases := []struct {
		name   string
		stream []byte
		want   uint64 // seed of the first message; 0: none
	}{
		{"before", slices.Concat([]byte("ab 12345\n"), two), 2},
		{"zeros before", slices.Concat(make([]byte, 100_000), two), 2},
		{"magic before", slices.Concat([]byte(magic), []byte(magic[:2]), two), 2},
		{"half a message before", slices.Concat(one[:headSize-1], two), 2},
		{"a head with another length before", slices.Concat(claims, two), 2},
		{"too much before", slices.Concat(make([]byte, 2*skipMost), two), 0},
		{"within", hole, 0},
		{"another byte", broken, 0},
		{"another message within", slices.Concat(one[:headSize+2], two, one[headSize+2:]), 0},
	}
	for _, c := range cases {
		var got Request
		err := Receive(bufio.NewReader(bytes.NewReader(c.stream)), &got, MaxRequest)
		switch {
		case c.want == 0:
			if !errors.Is(err, ErrGarbled) {
				t.Errorf("%s: %v", c.name, err)
			}
		case err != nil || got.Fuzz == nil || got.Fuzz.Seed != c.want:
			t.Errorf("%s: %+v, %v", c.name, got.Fuzz, err)
		}
	}
}

// FuzzReceive puts any bytes before a message: it ends, with that message, an error, or
// whatever message the bytes are themselves.
func FuzzReceive(f *testing.F) {
	var buf bytes.Buffer
	if err := Send(&buf, Reply{Ran: &Ran{Fuel: 7}}); err != nil {
		f.Fatal(err)
	}
	message := buf.Bytes()
	f.Add([]byte("ab 12345\n"))
	f.Add(message)
	f.Add(message[:headSize+3])
	f.Add(append([]byte(magic), 255, 255, 255, 255))
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 20
		r := bufio.NewReader(bytes.NewReader(append(data[:len(data):len(data)], message...)))
		for left := len(data) + len(message); ; {
			var got Reply
			err := Receive(r, &got, most)
			if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
				return
			}
			if err == nil && got.Ran != nil && got.Ran.Fuel == 7 {
				return
			}
			if left -= headSize; left < 0 {
				t.Fatal("more messages than there are bytes")
			}
		}
	})
}

// FuzzShared lays any bytes over the mapping's header, as a target may that writes where
// it should not: the state that is read has bounds, whatever is there.
func FuzzShared(f *testing.F) {
	f.Add(bytes.Repeat([]byte{255}, int(headerSize)))
	f.Add(bytes.Repeat([]byte{0x5a}, int(headerSize)+100))
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, data []byte) {
		mem := make([]byte, SharedSize)
		s := NewShared(mem)
		s.SetInput([]any{"in"})
		s.Begin(3)
		before := s.Counts()
		copy(mem, data)
		st := s.State()
		if len(st.Input) > InputMost || len(st.Previous) > InputMost {
			t.Errorf("inputs of %d and %d bytes", len(st.Input), len(st.Previous))
		}
		after := st.Counts
		if after.Sound(&before) && (after.Heartbeat > after.Execs+after.MutantExecs || after.MutantExecs < 1) {
			t.Errorf("sound: %+v", after)
		}
	})
}

// What a worker writes is always sound, at rest and in between.
func TestSoundCounts(t *testing.T) {
	s := NewShared(make([]byte, SharedSize))
	var last Counts
	for i := range uint32(100) {
		s.NextInput()
		if c := s.Counts(); !c.Sound(&last) {
			t.Fatalf("%+v after %+v", c, last)
		}
		s.Begin(0)
		s.Begin(i)
		s.End()
		c := s.Counts()
		if !c.Sound(&last) || !c.Plausible(&last) {
			t.Fatalf("%+v after %+v", c, last)
		}
		if last.Sound(&c) {
			t.Fatalf("%+v is taken to come after %+v", last, c)
		}
		last = c
	}
}

// A process may be killed while it writes an input: what is half there is not shown.
func TestSharedInputHalfWritten(t *testing.T) {
	s := NewShared(make([]byte, SharedSize))
	s.SetInput([]any{"first"})
	s.SetInput([]any{"second"})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a channel was encoded")
			}
		}()
		s.SetInput([]any{"the third, which is longer", make(chan int)})
	}()
	st := s.State()
	if got, err := Decode(st.Input); err != nil || len(got) != 1 || got[0] != "second" {
		t.Errorf("input = %v, %v; want second", got, err)
	}
	if st.Previous != nil {
		t.Errorf("an input that is half written is shown: %q", st.Previous)
	}
}

// The words that are accessed atomically are aligned on 32-bit systems, too, and the
// mapping begins with them.
func TestHeaderIsAligned(t *testing.T) {
	h := reflect.TypeFor[header]()
	for i := range h.NumField() {
		f := h.Field(i)
		size := f.Type.Size()
		if f.Type.Kind() == reflect.Array {
			size = f.Type.Elem().Size()
		}
		if f.Offset%size != 0 {
			t.Errorf("%s is at %d", f.Name, f.Offset)
		}
	}
	if headerSize%8 != 0 {
		t.Errorf("inputs begin at %d", headerSize)
	}
}

// BenchmarkShared is what is written before and after an execution.
func BenchmarkShared(b *testing.B) {
	vals := []any{[]byte("an input")}
	s := NewShared(make([]byte, SharedSize))
	b.Run("input", func(b *testing.B) {
		for b.Loop() {
			s.NextInput()
			s.SetInput(vals)
			s.Begin(0)
			s.End()
		}
	})
	b.Run("mutant", func(b *testing.B) {
		for b.Loop() {
			s.Begin(3)
			s.End()
			s.Begin(4)
			s.End()
		}
	})
}

package corpus

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestAnInputIsTheSameFromWhereverItComes(t *testing.T) {
	vals := goldenValues()
	data := Marshal(vals)
	fromFile, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	fromWorker, err := FromWorker(wire.Encode(vals))
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]*Input{"values": Of(vals...), "file": fromFile, "worker": fromWorker} {
		if got := string(in.Encode()); got != string(data) {
			t.Errorf("from %s: the file is %q", name, got)
		}
		if got := in.String(); header+"\n"+got+"\n" != string(data) {
			t.Errorf("from %s: %s", name, got)
		}
		if in.Hash() != FileName(data) || in.Size() != len(data) {
			t.Errorf("from %s: hash %s and %d bytes, want %s and %d", name, in.Hash(), in.Size(), FileName(data), len(data))
		}
		if got := string(in.Wire()); got != string(wire.Encode(vals)) || in.Key() != got || in.Len() != len(got) {
			t.Errorf("from %s: %q for workers", name, got)
		}
		if got := string(Marshal(in.Values())); got != string(data) {
			t.Errorf("from %s: the values are %q", name, got)
		}
		if !in.Equal(fromFile) || in.Equal(Of(1)) || !in.Is(Types(vals)) || in.Is(nil) || in.Is(Types(vals[1:])) {
			t.Errorf("from %s: it is another one, or of other types", name)
		}
	}
}

// Whoever made the input, or has got something of it, can't change it.
func TestAnInputDoesNotChange(t *testing.T) {
	bytes := []byte("bytes")
	given := []any{bytes, 7}
	text, sent := Marshal(given), wire.Encode(given)
	decoded, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	received, err := FromWorker(sent)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]*Input{"values": Of(given...), "file": decoded, "worker": received} {
		want := Of([]byte("bytes"), 7)
		scribble := func() {
			clear(bytes)
			clear(given)
			clear(text)
			clear(sent)
			vals := in.Values()
			clear(vals[0].([]byte))
			vals[1] = "other"
			clear(in.Wire())
			clear(in.Encode())
		}
		scribble() // before the hash is known
		if !in.Equal(want) || in.Hash() != want.Hash() || in.Size() != want.Size() || fmt.Sprint(in.Values()) != fmt.Sprint(want.Values()) {
			t.Errorf("from %s: %q has changed", name, in.Encode())
		}
		scribble()
		if string(in.Encode()) != string(want.Encode()) || string(in.Wire()) != string(want.Wire()) {
			t.Errorf("from %s: %q has changed", name, in.Encode())
		}
	}
}

func TestAnInputIsSharedBetweenGoroutines(t *testing.T) {
	in, want := Of("a", []byte("b")), Of("a", []byte("b")).Hash()
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			if i%2 == 0 {
				in.Encode()
			}
			if in.Hash() != want || in.Size() != len(in.Encode()) {
				t.Errorf("hash %s, want %s", in.Hash(), want)
			}
		})
	}
	wait.Wait()
}

func TestWhatHasNoValuesIsNoInput(t *testing.T) {
	for name, decode := range map[string]func() (*Input, error){
		"a file without values":   func() (*Input, error) { return Decode([]byte(header + "\n")) },
		"another file":            func() (*Input, error) { return Decode([]byte("text")) },
		"nothing from a worker":   func() (*Input, error) { return FromWorker(nil) },
		"noise from a worker":     func() (*Input, error) { return FromWorker([]byte("noise that is long enough")) },
		"a cut one from a worker": func() (*Input, error) { return FromWorker(wire.Encode([]any{"text"})[:10]) },
	} {
		if in, err := decode(); err == nil || in != nil {
			t.Errorf("%s: %v, %v", name, in, err)
		}
	}
	for _, vals := range [][]any{nil, {nil}, {complex(1, 2)}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is an input", vals)
				}
			}()
			Of(vals...)
		}()
	}
}

func TestDistinctInputs(t *testing.T) {
	a, b, again := Of("a"), Of([]byte("a")), Of("a")
	if got := Distinct([]*Input{a, b, again, b}); !slices.Equal(got, []*Input{a, b}) {
		t.Errorf("%v", got)
	}
	if got := Distinct(nil); got != nil {
		t.Errorf("%v", got)
	}
}

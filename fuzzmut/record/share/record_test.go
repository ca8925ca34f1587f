package share

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
)

const hashA, hashB = "00000000000000aa", "00000000000000bb"

// some are records of each kind.
func some() []Record {
	return []Record{
		{Begin: &Begin{Package: "example.com/p"}},
		{Fuzz: "FuzzX", Kill: &Kill{Mutant: 3, Input: hashA, Kind: "panic"}},
		{Fuzz: "FuzzX", Cover: &Cover{Input: hashA, Size: 30, Cost: 7, Features: []uint32{1, 8}}},
		{Fuzz: "FuzzX", Fail: &Fail{Input: hashB, Key: "panic at f"}},
		{Verdict: &Verdict{Package: "example.com/p", Mutant: "m1", Key: "k", Verdict: verdicts.Verdict{Status: "killed", Kind: "assertion", Test: "TestA"}}},
		{Fuzz: "FuzzX", Cells: &Cells{Input: hashB, Part: 2, Parts: 3, Fuel: 9, Identity: "panic", Counters: []uint32{1}, Tried: []uint32{4, 5}, Repaired: []uint32{4}, Changed: []uint32{5}, Moved: map[uint32][]uint32{4: {7}}, Runs: 6}},
		{},
	}
}

func frames(t testing.TB, records ...Record) (data []byte) {
	t.Helper()
	for i := range records {
		frame, err := encode(&records[i])
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, frame...)
	}
	return data
}

func TestRecordsComeBack(t *testing.T) {
	data := frames(t, some()...)
	list, n, err := parse(data)
	if err != nil || n != len(data) || !reflect.DeepEqual(list, some()) {
		t.Errorf("%+v, %d of %d, %v", list, n, len(data), err)
	}
}

// A process may be ended at any byte, and another may read at any time.
func TestATornRecordIsNotRead(t *testing.T) {
	data := frames(t, some()...)
	var ends []int
	for i := range some() {
		ends = append(ends, len(frames(t, some()[:i+1]...)))
	}
	for cut := range data {
		list, n, err := parse(data[:cut])
		want, at := 0, 0
		for i, end := range ends {
			if end <= cut {
				want, at = i+1, end
			}
		}
		if err != nil || len(list) != want || n != at {
			t.Fatalf("cut at %d: %d records up to %d, %v; want %d up to %d", cut, len(list), n, err, want, at)
		}
		// A file system may leave zeros where the rest was to be.
		if cut == at {
			if list, n, err := parse(append(data[:cut:cut], 0, 0, 0, 0, 0, 0, 0, 0, 0)); err != nil || len(list) != want || n != at {
				t.Fatalf("zeros at %d: %d records up to %d, %v", cut, len(list), n, err)
			}
		}
	}
}

func TestADamagedRecordIsAnError(t *testing.T) {
	good := frames(t, some()[1])
	raw := func(text string) []byte {
		frame := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
		frame = binary.LittleEndian.AppendUint32(frame, checksum(frame, []byte(text)))
		return append(frame, text...)
	}
	flipped := append([]byte(nil), good...)
	flipped[len(flipped)-3] ^= 1
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a bit":                {flipped, "wrong checksum"},
		"a length":             {[]byte{0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4}, "a record of 4294967295 bytes"},
		"an empty record":      {[]byte{0, 0, 0, 0, 1, 2, 3, 4}, "a record of 0 bytes"},
		"no JSON":              {raw("{"), "no record"},
		"another type":         {raw(`{"kill":7}`), "no record"},
		"no fuzz test":         {raw(`{"kill":{"mutant":1,"input":"` + hashA + `"}}`), "of no fuzz test"},
		"a path":               {raw(`{"fuzz":"../x"}`), "no fuzz test has"},
		"a parent":             {raw(`{"fuzz":".."}`), "no fuzz test has"},
		"mutant 0":             {raw(`{"fuzz":"F","kill":{"input":"` + hashA + `"}}`), "a kill that can't be"},
		"a path as a hash":     {raw(`{"fuzz":"F","kill":{"mutant":1,"input":"../../../../../x"}}`), "a kill that can't be"},
		"a negative cost":      {raw(`{"fuzz":"F","cover":{"input":"` + hashA + `","cost":-1}}`), "a coverage that can't be"},
		"a failure of nothing": {raw(`{"fuzz":"F","fail":{}}`), "a failure that can't be"},
		"a package elsewhere":  {raw(`{"begin":{"package":"../../x"}}`), "a package that can't be"},
		"a verdict on nothing": {raw(`{"verdict":{}}`), "a verdict on nothing"},
		"an unknown verdict":   {raw(`{"verdict":{"package":"p","mutant":"m","key":"k","verdict":{"status":"x"}}}`), "unknown verdict"},
	} {
		data := append(append([]byte(nil), good...), c.data...)
		list, n, err := parse(data)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(list) != 1 || n != len(good) {
			t.Errorf("%s: %d records up to %d, %v", name, len(list), n, err)
		}
	}
}

// What a later fuzzmut says in addition is skipped.
func TestAnUnknownKindOfRecordIsNoError(t *testing.T) {
	text := []byte(`{"fuzz":"FuzzX","weather":{"rain":true}}`)
	frame := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	frame = binary.LittleEndian.AppendUint32(frame, checksum(frame, text))
	list, _, err := parse(append(frame, text...))
	if err != nil || len(list) != 1 || !reflect.DeepEqual(list[0], Record{Fuzz: "FuzzX"}) {
		t.Errorf("%+v, %v", list, err)
	}
}

// FuzzParse: whatever a file holds, parse ends without a panic, what it returns is valid, and
// what it has read gives the same when it is read again.
func FuzzParse(f *testing.F) {
	f.Add(frames(f, some()...))
	f.Add(frames(f, some()[1:3]...)[:40])
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte(head))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, n, _ := parse(data)
		if n < 0 || n > len(data) {
			t.Fatalf("read %d of %d bytes", n, len(data))
		}
		for i := range list {
			if err := list[i].check(); err != nil {
				t.Fatal(err)
			}
		}
		again, m, err := parse(data[:n])
		if err != nil || m != n || !reflect.DeepEqual(again, list) {
			t.Fatalf("%d records, then %d up to %d of %d: %v", len(list), len(again), m, n, err)
		}
	})
}

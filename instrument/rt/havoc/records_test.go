package havoc

import (
	"bytes"
	"fmt"
	"testing"
)

// listOf is records of three bytes with the given first bytes.
func listOf(firsts string) []byte {
	var list []byte
	for i := range len(firsts) {
		list = append(list, firsts[i], '0', '0')
	}
	return list
}

// Changes keep records whole: what is there before is there after, but for single records. Without
// Record, or where they are changed as bytes, they need not be.
func TestRecordsStayWhole(t *testing.T) {
	m := New(NewRand(1), Options{Record: 3})
	parent, other := listOf("abcdefgh"), listOf("ABCDEFGH")
	whole, changed := 0, 0
	for range 2000 {
		got := m.Mutate(nil, []any{parent}, func() []any { return []any{other} })[0].([]byte)
		if !bytes.Equal(got, parent) {
			changed++
		}
		if len(got)%3 == 0 {
			whole++
		}
	}
	if !bytes.Equal(parent, listOf("abcdefgh")) || !bytes.Equal(other, listOf("ABCDEFGH")) {
		t.Errorf("the parents have changed: %q, %q", parent, other)
	}
	if whole < 1700 || changed < 1950 {
		t.Errorf("of 2000, %d consist of whole records, and %d are new", whole, changed)
	}
}

// Each change does what it says, from any number of records, and bounds hold.
func TestChangesOfRecords(t *testing.T) {
	for i, change := range recordChanges {
		for _, firsts := range []string{"", "a", "abcd"} {
			t.Run(fmt.Sprint(i, firsts), func(t *testing.T) {
				m := New(NewRand(uint64(i)), Options{Record: 3, MaxLen: 3 * 5})
				lengths := make(map[int]bool)
				for range 200 {
					m.buf, m.donate = append(m.buf[:0], listOf(firsts)...), donor{ask: func() []any { return []any{listOf("XY")} }}
					change(m)
					if len(m.buf)%3 != 0 || len(m.buf) > 15 || len(m.buf) == 0 && firsts != "" && i != len(recordChanges)-1 {
						t.Fatalf("%q", m.buf)
					}
					lengths[len(m.buf)] = true
				}
				if len(lengths) == 0 {
					t.Error("nothing was run")
				}
			})
		}
	}
}

// What one change can do to a list, it does in some runs.
func TestRecordsAreInsertedRemovedMovedAndTaken(t *testing.T) {
	want := map[string]func([]byte) bool{
		"inserted": func(b []byte) bool {
			return len(b) == 15 && bytes.HasSuffix(b, listOf("bcd")) && bytes.HasPrefix(b, listOf("a"))
		},
		"removed":  func(b []byte) bool { return bytes.Equal(b, listOf("abd")) },
		"moved":    func(b []byte) bool { return bytes.Equal(b, listOf("bacd")) },
		"repeated": func(b []byte) bool { return bytes.Equal(b, listOf("abcdb")) },
		"taken":    func(b []byte) bool { return bytes.Equal(b, listOf("abXcd")) },
		"crossed":  func(b []byte) bool { return bytes.Equal(b, listOf("abXY")) },
		"argument": func(b []byte) bool { return len(b) == 12 && bytes.Equal(b[:10], listOf("abcd")[:10]) && b[10] == '1' },
		"first":    func(b []byte) bool { return bytes.Equal(b, listOf("accd")) },
	}
	m := New(NewRand(1), Options{Record: 3})
	for range 50_000 {
		got := m.Mutate(nil, []any{listOf("abcd")}, func() []any { return []any{listOf("XY")} })[0].([]byte)
		for name, is := range want {
			if is(got) {
				delete(want, name)
			}
		}
	}
	for name := range want {
		t.Errorf("no record was %s in 50,000 runs", name)
	}
}

// Texts beside records are changed less often than these.
func TestRecordsAreChosen(t *testing.T) {
	m := New(NewRand(1), Options{Record: 3})
	n := 0
	for range 1000 {
		got := m.Mutate(nil, []any{listOf("abcd"), "text", "text"}, nil)
		if !bytes.Equal(got[0].([]byte), listOf("abcd")) {
			n++
		}
	}
	if n < 500 {
		t.Errorf("records were changed in %d of 1000 inputs", n)
	}
}

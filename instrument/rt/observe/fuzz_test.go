package observe

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// A maker makes a value from bytes: the same bytes, the same value, in new memory.
type maker struct {
	in    []byte
	made  []any // for sharing
	depth int
	ties  bool // keys that may look alike
}

func (m *maker) next() byte {
	if len(m.in) == 0 {
		return 0
	}
	b := m.in[0]
	m.in = m.in[1:]
	return b
}

type wide struct {
	n    int32
	s    string
	any  any
	self *wide
	m    map[string]any
	list []wide
	err  error
}

func (m *maker) value() any {
	m.depth++
	defer func() { m.depth-- }()
	k := m.next()
	if m.depth > 8 {
		k %= 8
	}
	v := m.kind(k)
	m.made = append(m.made, v)
	return v
}

func (m *maker) kind(k byte) any {
	switch k % 19 {
	case 0:
		return nil
	case 1:
		return int(int8(m.next()))
	case 2:
		return string([]byte{m.next(), m.next()})
	case 3:
		return float64(m.next()) / float64(m.next())
	case 4:
		return make([]byte, m.next()%4, 10)
	case 5:
		return errors.New(string(rune(m.next())))
	case 6:
		return time.Unix(int64(m.next()), 0)
	case 7:
		return []bool{m.next()%2 == 0}
	case 8:
		return []any{m.value(), m.value()}
	case 9:
		return map[any]int{m.key(): 1, m.key(): 2, m.key(): 3}
	case 10:
		return ptr(m.value())
	case 11:
		return m.wide()
	case 12:
		return *m.wide()
	case 13:
		if len(m.made) > 0 {
			return m.made[int(m.next())%len(m.made)]
		}
		return [1]any{m.value()}
	case 14:
		return map[string]any{"a": m.value(), "b": m.value()}
	case 15:
		return selfSlice(m.value())
	case 16:
		return reflect.ValueOf(m.value())
	case 17:
		return [2]*wide{m.wide(), nil}
	default:
		m.ties = true
		return map[*int]any{ptr(int(m.next())): m.value(), ptr(int(m.next())): m.value()}
	}
}

func (m *maker) key() any {
	switch m.next() % 5 {
	case 0:
		return int(m.next())
	case 1:
		return string([]byte{m.next()})
	case 2:
		return [2]byte{m.next(), m.next()}
	case 3:
		m.ties = true
		return float64(m.next()) / float64(m.next())
	default:
		m.ties = true
		return ptr(int(m.next()))
	}
}

func (m *maker) wide() *wide {
	w := &wide{n: int32(m.next()), s: string([]byte{m.next()})}
	switch m.next() % 6 {
	case 0:
		w.self = w
	case 1:
		w.any = w
	case 2:
		w.m = map[string]any{"w": w, "v": m.value()}
	case 3:
		w.list = []wide{{self: w}, {n: 3}}
	case 4:
		w.err = fmt.Errorf("code %d", m.next())
	default:
		w.any = m.value()
	}
	return w
}

// Equal bytes make equal values; whatever the bytes, Hash, Take, Equal, Diff and Text
// agree with each other.
func FuzzSnapshots(f *testing.F) {
	f.Add([]byte{8, 11, 1, 2, 0, 9, 1, 2}, []byte{8, 11, 1, 2, 0, 9, 1, 3}, 0)
	f.Add([]byte{9, 3, 0, 0, 3, 0, 0, 4, 1, 4, 1}, []byte{18, 1, 2, 3, 4}, 20)
	f.Add([]byte{12, 1, 2, 3, 13, 2}, []byte{12, 1, 2, 3}, 3)
	f.Fuzz(func(t *testing.T, x, y []byte, budget int) {
		for _, in := range [][]byte{x, y} {
			m := &maker{in: in}
			if m.value(); m.ties {
				budget = 0 // see Options.MaxNodes
			}
		}
		o := New(Options{MaxNodes: budget % 1000, MaxBytes: budget % 777})
		value := func(in []byte) any { return (&maker{in: in}).value() }
		a, again, b := o.Take(value(x)), o.Take(value(x)), o.Take(value(y))
		if a.Hash() != again.Hash() || a.Text() != again.Text() || !Equal(a, again) || Diff(a, again) != "" {
			t.Fatalf("two snapshots of one value differ: %s\n%s\n%s", Diff(a, again), a.Text(), again.Text())
		}
		if o.Hash(value(x)) != a.Hash() {
			t.Fatalf("Hash and Take differ on\n%s", a.Text())
		}
		same := a.Hash() == b.Hash()
		if Equal(a, b) != same || Equal(b, a) != same || (Diff(a, b) == "") != same {
			t.Fatalf("hashes equal: %t; Equal %t; Diff %q", same, Equal(a, b), Diff(a, b))
		}
		if same && a.Text() != b.Text() {
			t.Fatalf("equal, but\n%s\n%s", a.Text(), b.Text())
		}
	})
}

// Package generics folds bytes through most of the language.
package generics

import (
	"cmp"
	"errors"
	"iter"
)

// Number is any type with addition.
type Number interface {
	~int | ~int64 | ~uint8 | ~float64
}

// Sum adds vs.
func Sum[T Number](vs ...T) (total T) {
	for _, v := range vs {
		total += v
	}
	return total
}

// MapTo applies f to each element.
func MapTo[S ~[]E, E, R any](s S, f func(E) R) []R {
	out := make([]R, 0, len(s))
	for _, e := range s {
		out = append(out, f(e))
	}
	return out
}

// Tree is a binary search tree.
type Tree[K cmp.Ordered, V any] struct {
	root *node[K, V]
	size int
}

type node[K cmp.Ordered, V any] struct {
	key         K
	value       V
	left, right *node[K, V]
}

// Put sets the value of key.
func (t *Tree[K, V]) Put(key K, value V) {
	p := &t.root
	for *p != nil {
		switch n := *p; {
		case key < n.key:
			p = &n.left
		case key > n.key:
			p = &n.right
		default:
			n.value = value
			return
		}
	}
	*p = &node[K, V]{key: key, value: value}
	t.size++
}

// All yields the entries in the order of their keys.
func (t *Tree[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		t.root.walk(yield)
	}
}

func (n *node[K, V]) walk(yield func(K, V) bool) bool {
	return n == nil || n.left.walk(yield) && yield(n.key, n.value) && n.right.walk(yield)
}

// Kind is a kind of byte.
type Kind int8

// Kinds of bytes. Space has a value of its own.
const (
	Other Kind = iota
	Digit
	Letter
	_
	Space = 1<<iota - 9
)

const (
	big   = 1 << 100
	small = big >> 98 // 4, from an untyped constant that fits no type
)

// table has an entry for each kind, its length given by a constant.
var table = [Letter + 1]string{Other: "other", Letter: "letter", Digit: "digit"}

var (
	limit = pick(len(table) > 2, 64, 1)
	names map[Kind]string
)

func init() {
	names = map[Kind]string{}
	for k, name := range table {
		names[Kind(k)] = name
	}
}

func pick[T any](cond bool, yes, no T) T {
	if cond {
		return yes
	}
	return no
}

// String names k.
func (k Kind) String() string {
	if k == Space {
		return "space"
	}
	return names[k]
}

// KindOf classifies b.
func KindOf(b byte) Kind {
	switch {
	case b == '\t':
		fallthrough
	case b == ' ', b == '\n':
		return Space
	case '0' <= b && b <= '9':
		return Digit
	case b|0x20 >= 'a' && b|0x20 <= 'z':
		return Letter
	default:
		return Other
	}
}

// ErrOdd is returned for a list of an odd number of bytes.
var ErrOdd = errors.New("generics: odd length")

// Describe sums up v by its type.
func Describe(v any) (int, error) {
	switch v := v.(type) {
	case nil:
		return 0, nil
	case int, int64:
		if n, ok := v.(int); ok {
			return n, nil
		}
		return int(v.(int64)), nil
	case []byte:
		if len(v)%2 != 0 {
			return -1, ErrOdd
		}
		return len(v), nil
	case func() int:
		return v(), nil
	case error:
		return -1, v
	case interface{ String() string }:
		return len(v.String()), nil
	}
	return small, nil
}

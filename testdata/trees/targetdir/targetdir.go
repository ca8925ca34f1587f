// Package targetdir answers questions about words, and carries every directive.
package targetdir

import "strings"

// Set is a set of words in the order of their insertion.
type Set struct {
	words   []string
	lookups int
}

// Add puts w into s.
func (s *Set) Add(w string) {
	if !s.Has(w) {
		s.words = append(s.words, w)
	}
}

// Has says whether w is in s.
func (s *Set) Has(w string) bool {
	s.lookups++
	for _, have := range s.words {
		if have == w {
			return true
		}
	}
	return false
}

// Union returns the words of a and b. It begins with the larger one, so that
// mutants of that choice change the order of the elements, and nothing else.
func Union(a, b Set) Set {
	if len(a.words) < len(b.words) {
		a, b = b, a
	}
	var u Set
	for _, w := range a.words {
		u.Add(w)
	}
	for _, w := range b.words {
		u.Add(w)
	}
	return u
}

// sameSet says whether a and b have the same members.
//
//fuzzmut:compare
func sameSet(a, b Set) bool {
	if len(a.words) != len(b.words) {
		return false
	}
	for _, w := range a.words {
		if !b.Has(w) {
			return false
		}
	}
	return true
}

// Split returns the set of the words in text.
func Split(text string) Set {
	var s Set
	for w := range strings.FieldsSeq(text) {
		s.Add(w)
	}
	return s
}

// Engine runs an operation by name.
type Engine struct {
	ops map[string]func(text, arg string) int
	log []string
}

// NewEngine returns an engine with the operations find and count.
func NewEngine() *Engine {
	return &Engine{ops: map[string]func(text, arg string) int{"find": find, "count": count}}
}

// Do runs op and tells only whether there is such an operation.
func (e *Engine) Do(op, text, arg string) bool {
	f, ok := e.ops[op]
	if !ok {
		return false
	}
	e.note(op, f(text, arg))
	return true
}

// find returns the index of arg in text, or -1.
//
//fuzzmut:target
func find(text, arg string) int {
	for i := 0; i+len(arg) <= len(text); i++ {
		if text[i:i+len(arg)] == arg {
			return i
		}
	}
	return -1
}

// count returns how often arg stands in text, overlaps included.
func count(text, arg string) int {
	n := 0
	for i := 0; i+len(arg) <= len(text); i++ {
		if text[i:i+len(arg)] == arg {
			n++
		}
	}
	e := n > 1000 //fuzzmut:ignore the limit is arbitrary
	//fuzzmut:ignore so is what happens beyond it
	if e {
		n = 1000
	}
	return n
}

// note remembers the last ten operations.
//
//fuzzmut:ignore logging only
func (e *Engine) note(op string, n int) {
	if n >= 0 && len(e.log) > 10 {
		e.log = e.log[1:]
	}
	e.log = append(e.log, op)
}

package observe

import (
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/instrument/rt/sides"
)

// Diff explains the first difference between a and b in one line: where it is and
// what the two values are there, as in
//
//	.Items[3].Name: "left" vs "right"
//
// It is empty if the snapshots are equal.
func Diff(a, b *Snapshot) string {
	if Equal(a, b) {
		return ""
	}
	var d Difference
	d.explain(a, b)
	return d.Text
}

// explain says what the first difference between two snapshots is that are not equal.
func (d *Difference) explain(a, b *Snapshot) {
	c := a.comparer()
	path, what := c.diff(a.root, b.root, nil)
	if len(path) > 0 {
		what = string(path) + ": " + what
	}
	if c.unsorted {
		c.field += AnyOrder
	}
	d.Text, d.Plain, d.Weak, d.Field = what, !c.hidden, c.weak, c.field
}

// maxPath bounds the length of a path, in bytes; a longer one is cut in its middle.
const maxPath = 200

// diff descends along the first difference of two unequal nodes.
func (c *comparer) diff(a, b *node, path []byte) (where []byte, what string) {
	if len(path) > 2*maxPath {
		path = append(append(path[:maxPath:maxPath], " … "...), path[len(path)-maxPath:]...)
	}
	if a.kind != b.kind || !sameType(a, b) || (a.value != nil && len(a.kids) == 0) {
		// Types of other names may look alike, and so may what a method compares.
		c.hidden = c.hidden || a.kind != kindNil && b.kind != kindNil
		if a.kind == kindNil && isEmpty(b) || b.kind == kindNil && isEmpty(a) {
			c.weak = Empty
		}
		return path, versus(a, b)
	}
	switch a.kind {
	case kindPointer, kindInterface:
		return c.diff(a.kids[0], b.kids[0], path)
	case kindStruct:
		for i, f := range a.p.fields {
			if !c.equal(a.kids[i], b.kids[i]) {
				c.hidden = c.hidden || !exported(f.name)
				if !c.unsorted {
					c.field = fieldKey(a.p.typ, f.name)
				}
				return c.diff(a.kids[i], b.kids[i], append(append(path, '.'), f.name...))
			}
		}
	case kindList:
		c.unsorted = c.unsorted || sameElements(a, b)
		for i := range min(len(a.kids), len(b.kids)) {
			if !c.equal(a.kids[i], b.kids[i]) {
				return c.diff(a.kids[i], b.kids[i], appendIndex(path, strconv.Itoa(i)))
			}
		}
		return path, lengths(a, b)
	case kindMap:
		return c.diffMaps(a, b, path)
	case kindError:
		if a.text == b.text && a.bits == b.bits && len(a.kids) > 0 {
			return c.diff(a.kids[0], b.kids[0], path)
		}
	case kindBulk:
		if a.p.elem.typ.Kind() != reflect.Uint8 {
			c.unsorted = c.unsorted || sameElements(a, b)
			return diffNumbers(a, b, path)
		}
	}
	c.hidden = c.hidden || !plain(a)
	if a.kind == kindError {
		c.weak = Message
	}
	return path, versus(a, b)
}

// isError says whether a value is an error, or leads to one.
func (n *node) isError() bool {
	for n.kind == kindPointer || n.kind == kindInterface {
		n = n.kids[0]
	}
	return n.kind == kindError
}

// isEmpty says whether a value is a slice or map without elements.
func isEmpty(n *node) bool {
	return (n.kind == kindList || n.kind == kindMap || n.kind == kindBulk) && n.bits == 0
}

// plain says whether a caller sees of a value what tells it from another of its type.
func plain(n *node) bool {
	switch n.kind {
	case kindNumber:
		return n.p.typ.Kind() != reflect.Uintptr // it may be an address
	case kindString, kindBulk, kindError:
		return true
	}
	return false
}

// exported says whether a field of that name is one that callers see. What is not ASCII
// counts as none.
func exported(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// diffNumbers finds the first number that differs in two slices of numbers.
func diffNumbers(a, b *node, path []byte) ([]byte, string) {
	size := int(a.p.elem.bits / 8)
	for i := 0; i < len(a.text) && i < len(b.text); i += size {
		if a.text[i:i+size] != b.text[i:i+size] {
			x, y := numberAt(a, i), numberAt(b, i)
			return appendIndex(path, strconv.Itoa(i/size)), numberText(x) + " vs " + numberText(y)
		}
	}
	if a.bits == b.bits {
		return path, versus(a, b)
	}
	return path, "len " + strconv.Itoa(int(a.bits)/size) + " vs len " + strconv.Itoa(int(b.bits)/size)
}

// numberAt returns the number at byte i of a slice of numbers.
func numberAt(n *node, i int) *node {
	at := unsafe.Pointer(unsafe.StringData(n.text[i:]))
	return &node{p: n.p.elem, kind: kindNumber, bits: scalar(n.p.elem, at)}
}

// diffMaps finds the least key, by its text, whose entries differ.
func (c *comparer) diffMaps(a, b *node, path []byte) ([]byte, string) {
	var key string
	var va, vb *node
	consider := func(k string, x, y *node) {
		if (va == nil && vb == nil) || k < key {
			key, va, vb = k, x, y
		}
	}
	for _, n := range []*node{a, b} {
		c.hidden = c.hidden || len(n.kids) > 0 && !plain(n.kids[0])
	}
	used := make([]bool, len(b.kids)/2)
	for i := 0; i+1 < len(a.kids); i += 2 {
		k, v := a.kids[i], a.kids[i+1]
		if c.hasEntry(b, k, v, used) {
			continue
		}
		consider(brief(k), v, c.lookup(b, k))
	}
	for j, u := range used {
		if k := b.kids[2*j]; !u && c.lookup(a, k) == nil {
			consider(brief(k), nil, b.kids[2*j+1])
		}
	}
	switch {
	case va == nil && vb == nil:
		return path, lengths(a, b)
	case va == nil:
		return appendIndex(path, key), "(absent) vs " + brief(vb)
	case vb == nil:
		return appendIndex(path, key), brief(va) + " vs (absent)"
	}
	return c.diff(va, vb, appendIndex(path, key))
}

func (c *comparer) lookup(m, key *node) *node {
	for j := 0; j+1 < len(m.kids); j += 2 {
		if c.equal(key, m.kids[j]) {
			return m.kids[j+1]
		}
	}
	return nil
}

func appendIndex(path []byte, index string) []byte {
	return append(append(append(path, '['), index...), ']')
}

func lengths(a, b *node) string {
	return "len " + strconv.FormatUint(a.bits, 10) + " vs len " + strconv.FormatUint(b.bits, 10)
}

// versus shows two values; if they look alike, it says what tells them apart.
func versus(a, b *node) string {
	x, y := brief(a), brief(b)
	if isText(a) && isText(b) && len(a.text) > briefString && len(b.text) > briefString {
		return differingText(a, b)
	}
	if x == y && a.p != nil && b.p != nil {
		x = a.p.typ.PkgPath() + " " + x
		y = b.p.typ.PkgPath() + " " + y
	}
	if x == y {
		return x + " (hash " + hex(a.hash) + ") vs " + y + " (hash " + hex(b.hash) + ")"
	}
	return x + " vs " + y
}

func isText(n *node) bool {
	switch n.kind {
	case kindString, kindError, kindPanic:
		return true
	case kindBulk:
		return n.p.elem.typ.Kind() == reflect.Uint8
	}
	return false
}

// differingText shows two long texts around their first difference.
func differingText(a, b *node) string {
	i := 0
	for i < len(a.text) && i < len(b.text) && a.text[i] == b.text[i] {
		i++
	}
	if i == len(a.text) && i == len(b.text) {
		return lengths(a, b) // both are cut
	}
	show := func(s string, before, most int) string {
		from := max(0, i-before)
		return "…" + strconv.Quote(s[from:min(len(s), from+most)]) + "…"
	}
	x, y := show(a.text, 8, 32), show(b.text, 8, 32)
	if max(len(x), len(y)) > shownText {
		x, y = show(a.text, 2, 10), show(b.text, 2, 10) // of bytes that are no characters less says as much
	}
	return "at byte " + strconv.Itoa(i) + ": " + x + " vs " + y
}

// shownText bounds a part of a text as it is shown, in bytes.
const shownText = 64

// versus shows two values; if they look alike, where their texts differ.
func (s Shown) versus(got *Snapshot) string {
	if b := got.Brief(); b != s.Brief {
		return s.Brief + " vs " + b
	}
	return diffText(s.Text, got.Text())
}

// diffText shows the first lines that two texts differ in. The first text may be
// cut anywhere.
func diffText(a, b string) string {
	for {
		x, restA, moreA := strings.Cut(a, "\n")
		y, restB, moreB := strings.Cut(b, "\n")
		switch {
		case x == y && moreA && moreB:
			a, b = restA, restB
		case x == y || !moreA && strings.HasPrefix(y, x):
			return "differs after the recorded part"
		default:
			x, y = sides.Around(strings.TrimSpace(x), strings.TrimSpace(y), maxBrief)
			return x + " vs " + y
		}
	}
}

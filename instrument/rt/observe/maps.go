package observe

import (
	"reflect"
	"unsafe"
)

// A map's entries are walked in the order of their keys' hashes. Keys are walked in
// isolation: with their own budget and without the memory of objects met, so that
// a key's hash depends on nothing else.
const (
	isolatedNodes   = 256
	isolatedBytes   = 64 << 10
	isolatedDepth   = 16
	isolatedMaps    = 16   // one inside the other
	isolatedEntries = 4096 // of maps, in one walk
)

type mapEntry struct {
	key   uint64
	tie   uint64 // orders entries whose keys look alike: NaNs, pointers to equal content
	at    int    // index into the copy of the values
	node  *node  // of the key
	value *node
}

func (e *mapEntry) less(f *mapEntry) bool {
	if e.key != f.key {
		return e.key < f.key
	}
	return e.tie < f.tie
}

func (w *walker) mapping(p *plan, m reflect.Value) (uint64, *node) {
	w.anyOrder = false // an interface has led here, not to a list
	if m.IsNil() {
		return w.leaf(p, kindNil, mix(markNil, 0))
	}
	n := m.Len()
	h := mix(markMap, uint64(n))
	if w.isolated > 0 {
		return w.mark(p, kindTruncated, w.brief(p, m, h), uint64(n))
	}
	if 2*n > w.nodes {
		w.truncated = true
		return w.mark(p, kindTruncated, mix(h, markTruncated), uint64(n))
	}
	if n == 0 {
		return w.mapNode(p, h, nil, 0)
	}
	if !p.cyclic {
		return w.mapEntries(p, m, h)
	}
	return w.tracked(p, m.UnsafePointer(), 0, func() (uint64, *node) { return w.mapEntries(p, m, h) })
}

func (w *walker) mapEntries(p *plan, m reflect.Value, h uint64) (uint64, *node) {
	values, base := w.collect(p, m)
	sortEntries(w.entries[base:])
	w.breakTies(p, w.entries[base:], values)
	size := len(w.entries) - base
	for i := base; i < base+size; i++ {
		vh, vn := w.value(p.elem, values.Index(w.entries[i].at).Addr().UnsafePointer())
		e := &w.entries[i] // a map inside this one may have moved them
		e.tie, e.value = vh, vn
	}
	// What told entries with equal keys apart was less than their values' content.
	sortEntries(w.entries[base:])

	var kids []*node
	for _, e := range w.entries[base:] {
		h = mix(mix(h, e.key), e.tie)
		if w.build {
			kids = append(kids, e.node, e.value)
		}
	}
	clear(w.entries[base:])
	w.entries = w.entries[:base]
	return w.mapNode(p, h, kids, size)
}

// brief hashes a map met in isolation: entries in any order, each for itself. Of a map
// that is too big or too deep inside others only the length counts.
func (w *walker) brief(p *plan, m reflect.Value, h uint64) uint64 {
	n := m.Len()
	if w.isolated > isolatedMaps || n > w.entriesLeft {
		return mix(h, markTruncated)
	}
	w.entriesLeft -= n
	key, value := reflect.New(p.key.typ).Elem(), reflect.New(p.elem.typ).Elem()
	sum := uint64(0)
	iter := m.MapRange()
	for iter.Next() {
		key.SetIterKey(iter)
		value.SetIterValue(iter)
		kh, _, _ := w.isolate(p.key, key.Addr().UnsafePointer())
		vh, _, _ := w.isolate(p.elem, value.Addr().UnsafePointer())
		sum += mix(kh, vh)
	}
	return mix(h, sum)
}

func (w *walker) mapNode(p *plan, h uint64, kids []*node, size int) (uint64, *node) {
	if !w.build {
		return h, nil
	}
	n := w.parent(p, kindMap, h, kids)
	n.bits = uint64(size)
	return h, n
}

// collect walks m's keys and copies its values. The entries are those from base.
func (w *walker) collect(p *plan, m reflect.Value) (values reflect.Value, base int) {
	base = len(w.entries)
	n := m.Len()
	values = reflect.MakeSlice(reflect.SliceOf(p.elem.typ), n, n)
	key := reflect.New(p.key.typ).Elem()
	keyAt := key.Addr().UnsafePointer()
	used := 0
	iter := m.MapRange()
	for i := 0; i < n && iter.Next(); i++ {
		key.SetIterKey(iter)
		values.Index(i).SetIterValue(iter)
		nodes := w.nodes
		kh, kn, cost := w.isolate(p.key, keyAt)
		w.nodes = nodes
		used += cost
		w.entries = append(w.entries, mapEntry{key: kh, at: i, node: kn})
	}
	w.nodes -= used
	return values, base
}

// isolate walks a value so that its hash depends on it alone. It costs the walk
// in progress nothing; cost is what it would.
func (w *walker) isolate(p *plan, ptr unsafe.Pointer) (h uint64, n *node, cost int) {
	nodes, bytes, count, depth, truncated := w.nodes, w.bytes, w.count, w.depth, w.truncated
	w.nodes, w.bytes, w.depth = isolatedNodes, isolatedBytes, 0
	w.isolated++
	h, n = w.value(p, ptr)
	w.isolated--
	cost = isolatedNodes - w.nodes
	w.nodes, w.bytes, w.count, w.depth, w.truncated = nodes, bytes, count, depth, truncated
	return h, n, cost
}

// breakTies orders entries with equal keys by what a brief look at their values tells,
// so that the walk, with its budget and its memory, takes them in the same order each
// time.
func (w *walker) breakTies(p *plan, entries []mapEntry, values reflect.Value) {
	for i := 0; i < len(entries); {
		j := i + 1
		for j < len(entries) && entries[j].key == entries[i].key {
			j++
		}
		if j-i > 1 {
			for k := i; k < j; k++ {
				ptr := values.Index(entries[k].at).Addr().UnsafePointer()
				entries[k].tie, _, _ = w.isolate(p.elem, ptr)
			}
			sortEntries(entries[i:j])
		}
		i = j
	}
}

// sortEntries sorts in place: by insertion when they are few, else by heap. Package
// sort could be the one under mutation.
func sortEntries(e []mapEntry) {
	if len(e) <= 12 {
		for i := 1; i < len(e); i++ {
			for j := i; j > 0 && e[j].less(&e[j-1]); j-- {
				e[j], e[j-1] = e[j-1], e[j]
			}
		}
		return
	}
	for i := len(e)/2 - 1; i >= 0; i-- {
		siftDown(e, i)
	}
	for n := len(e) - 1; n > 0; n-- {
		e[0], e[n] = e[n], e[0]
		siftDown(e[:n], 0)
	}
}

func siftDown(e []mapEntry, i int) {
	for {
		child := 2*i + 1
		if child >= len(e) {
			return
		}
		if child+1 < len(e) && e[child].less(&e[child+1]) {
			child++
		}
		if !e[i].less(&e[child]) {
			return
		}
		e[i], e[child] = e[child], e[i]
		i = child
	}
}

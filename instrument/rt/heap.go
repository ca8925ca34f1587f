package fuzzmutrt

// HeapSize returns the bytes that the garbage collector found alive when it ran last,
// with those allocated since. It is nil where the runtime can't be asked.
var HeapSize func() uint64

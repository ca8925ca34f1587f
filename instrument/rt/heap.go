package fuzzmutrt

// HeapSize returns the bytes that the garbage collector found alive when it ran last,
// with those allocated since. It is nil where the runtime can't be asked.
var HeapSize func() uint64

// StackSize returns the bytes that the stack of the goroutine which asks has. It is nil where the
// runtime can't be asked.
var StackSize func() uintptr

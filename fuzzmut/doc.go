// Package fuzzmut tests properties of Go values: programs, messages, trees, states.
//
// [Fuzz] makes a native fuzz test of a property of values of any type:
//
//	func FuzzInsert(f *testing.F) {
//		fuzzmut.Add(f, Tree{Key: 5})
//		fuzzmut.Fuzz(f, func(t *testing.T, in struct {
//			X int
//			T *Tree
//		}) {
//			fuzzmut.Assume(t, in.T.Ordered())
//			if !in.T.Insert(in.X).Has(in.X) {
//				t.Errorf("%d was not inserted", in.X)
//			}
//		})
//	}
//
// It works with go test, go test -fuzz, and the buttons of editors as any other, and
// better with the command fuzzmut. An input is a []byte; every one stands for a value
// and every value has one. [Gen] tests a property in an ordinary test, and makes
// values that fail smaller.
//
// # Sequences
//
// A [Machine] tests sequences of operations on one state: the methods of a type, whose
// results are those of a simpler type with the same methods,
//
//	func TestDeque(t *testing.T) {
//		fuzzmut.Machine[*Deque]{
//			New:   NewDeque,
//			Model: func() any { return &list{} },
//		}.Check(t)
//	}
//
// or functions of the test with preconditions. An invariant holds after each of them.
// Its method Fuzz makes a native fuzz test of the same. [FuzzAfter] makes a fuzz test of a
// function for states that such operations lead to.
//
// With Goroutines, a machine tests a type whose methods may be called at once:
//
//	fuzzmut.Machine[*Queue]{New: NewQueue, Model: func() any { return &list{} }, Goroutines: 2}.Check(t)
//
// What the calls return has to be what the model returns in some order, one call after the
// other. Without a model it is another state of the same type that has to. A sequence that fails
// is shown with its goroutines, and when each call began and ended:
//
//	s := NewCounter()
//	var all sync.WaitGroup
//	all.Go(func() {
//		s.Add(1) // 1, from 1 to 3
//	})
//	all.Go(func() {
//		s.Add(1) // 1, from 2 to 4
//	})
//	all.Wait()
//
// Operations that may give up while others are at work, as TryPop of many queues does, are named in
// GivesUp.
//
// An order is looked for within bounds; what was not judged is said in the log. Where a fault
// ends the process, as when Go sees that a map is written by two goroutines, nothing is
// minimized: go test -race says what is wrong.
//
// # Flags
//
// In a package whose tests use Gen or Machine, go test takes
//
//	-fuzzmut.seed=1  to draw the values of that seed: a test that fails tells its own
//	-fuzzmut.n=1000  to test as many values in each check
//	-fuzzmut.time=1s to end each check after that time
//
// Without them each run has another seed, and tests 10,000 values, or as many as it can
// in a second; with Goroutines in up to five, where calls were seldom made at the same time. Values
// that failed are kept in Go's cache, until go clean -fuzzcache, and come first in the next run.
//
// # Values
//
// Values are derived from the type: of numbers, strings, arrays, slices, maps,
// pointers and structs, generic and recursive ones, with fields that are not exported
// as well as those that are. A time.Time, big.Int, netip.Addr and the like are made
// as their packages allow; so are other structs with hidden fields that can be
// marshaled to text or bytes and back. Where that panics, the test fails: [Represent] or
// [Generate] make other values. Locks are left open. Pointers to one variable
// become pointers to several, and a value that holds itself is refused.
//
// By kind, what is drawn:
//
//	bool                 each half of the time
//	int, uint, ...       small numbers, up to the size; one in eight ends a range, or is any
//	float32, float64     small numbers, half of them with a fraction; one in eight is any finite one
//	string, []byte       up to size bytes: three in four of letters and digits, others any
//	slice of a named byte bytes, half of the slices below 10, and minimized as numbers
//	slice, map           up to size elements, and fewer where values hold each other
//	pointer              nil half of the time; the whole input seldom, a nonnil one never
//	interface            one of its implementations; error, io.Reader, io.Writer and
//	                     context.Context need none
//	any                  nil, a bool, int, float64, string or []byte, a list or map of such,
//	                     or a pointer to such a map or to any, for a decoder; others can be
//	                     added with [Anything]
//	struct               all fields; one with a text form and fields that are not
//	                     exported is made from a text
//	message              of protocol buffers: exported fields; lists and maps hold no nil. What
//	                     generated code keeps beside them is left as it is
//	time.Time            the years 1 to 9999, zones of whole seconds
//	*time.Location       UTC, zones of quarter hours, half of them with a summer time
//	big.Int              any sign, up to size bytes
//	big.Rat              a quotient of two such
//	big.Float            such a number times a power of two, precisions to 512, infinities
//	json.Number          a valid number, sometimes with a fraction and an exponent
//	*regexp.Regexp       of a few parts: classes, groups, repetitions, anchors
//	url.URL              seven schemes or none, user, host, path, query, fragment: any text
//	url.Values           as the map that it is
//	netip.Addr           none, IPv4 or IPv6, with and without a zone; Prefix and AddrPort, too
//	bytes.Buffer         with bytes in it; bytes.Reader, strings.Reader and strings.Builder, too
//	io.Reader            nil, or a reader of bytes
//	io.Writer            a buffer
//	error                nil, or an error with a text
//	context.Context      done half of the time
//	chan, func           refused: take another type and make this one from it
//
// A field's tag says more:
//
//	Port  int               `fuzz:"min=1,max=65535"`         // of numbers: the range
//	Name  string            `fuzz:"min=1,max=8"`             // of strings, slices and maps: the length
//	Title string            `fuzz:"utf8"`                    // of strings: no other bytes
//	Mode  string            `fuzz:"oneof=read|write"`        // of numbers and strings
//	Next  *Node             `fuzz:"nonnil"`                  // of pointers, slices, maps and interfaces
//	Regs  []int             `fuzz:"max=4,elem.max=15"`       // of elements, and values of a map
//	Table map[string]Record `fuzz:"key.min=1"`               // of the keys of a map
//	Done  chan struct{}     `fuzz:"-"`                       // keeps its zero value
//	Opts  *lib.Options      `fuzz:"partial"`                 // of structs: so do fields below that can't be drawn
//
// What types can't say is registered, in an init function of the test:
// [Implementations] of an interface, the listed [Values] of a type, another type that
// can [Represent] values with invariants, functions that [Generate] and [Mutate] them.
// A type with the method of testing/quick's Generator draws its values with that.
//
// # Bytes
//
// The smaller values have the shorter inputs. An input that is cut off stands for a
// value that has the first part of what the whole stands for. Seeds are given as
// values, with [Add], and [Encode] and [Decode] carry values over one by one.
//
// The encoding depends on the type: when it changes, inputs in a corpus still stand
// for some value, and keep what comes before the change. Bytes that say nothing about
// the value any more are reported in the log of the test.
package fuzzmut

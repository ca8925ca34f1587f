// Package wire is what the coordinator and the worker say to each other: the
// requests, the replies to each (see [ExchangeOf]), and the layout of the memory they
// share. It is compiled into both sides, so that constants have one source.
//
// A worker is the rewritten test binary, started with the environment variable
// [EnvWorker]. [EnvConn] names the descriptors on which requests come in and replies
// go out, and that of memory which both sides map. Replies are written as soon as
// there is something to say: what a worker has found is not lost when the input
// after it kills the process.
package wire

// Environment variables that make a test binary a worker.
const (
	EnvWorker = "FUZZMUT_WORKER" // name of the fuzz test to serve
	EnvNative = "FUZZMUT_NATIVE" // path of a NativeConfig: serve the stock engine
	EnvTests  = "FUZZMUT_TESTS"  // any value: serve the package's own tests
	// EnvConn has the descriptors, on Windows the handles, by which a worker talks to
	// the coordinator: of requests, of replies and of the shared memory, in decimal and
	// with commas between them.
	EnvConn = "FUZZMUT_CONN"
	// EnvSteady has package fuzzmut draw the same values in each process, and keep none
	// that fail: they do so because of a mutant.
	EnvSteady = "FUZZMUT_STEADY"
)

// Exit codes of a worker, chosen to differ from those of a Go program: 1 (test
// failed), 2 (panic), and fuzzing's own 70.
const (
	ExitDone     = 0
	ExitInternal = 77 // the loop itself is broken: our bug, never the target's
	ExitDamaged  = 78 // global state no longer what it was; a fresh process must go on
	ExitBroken   = 79 // the target has closed, read or overwritten what is the worker's
	ExitHoard    = 80 // an Item takes as much memory as its Hoard; HoardText has where
)

package loop

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// maxStackBytes turns runaway recursion into a death within a tenth of a second
// rather than two, and well before the machine's memory is gone.
const maxStackBytes = 64 << 20

// errDamaged ends the process with ExitDamaged: a fresh one must go on.
var errDamaged = errors.New("global state is not what it was")

// Loop is a worker's state over its life.
type Loop struct {
	target *target
	seeds  [][]any
	*conn
	careful bool // inputs are told before they are run

	start fuzzmutrt.Started

	x        *executor
	muts     *mutants
	cov      *coverage
	adaptive *adaptiveState
	student  *student
	search   *search
	values   *values // nil if inputs stand for none
	inputs   int64   // run while fuzzing

	entries     map[int][]any
	failures    map[string]*bucketState
	failureKeys []string        // of failures, in order of appearance
	merelySlow  map[string]bool // where inputs run out of a round's fuel that do end
	prefixes    []string
	rng         *havoc.Rand // seeded anew by every round
	mutator     *havoc.Mutator
	dict        [][]byte
	constants   []wire.Constants
	mostLen     int   // of an argument, in bytes
	suspect     int64 // fuel at which an input is suspected to hang
	thrift      int64 // fuel that finds may still be made smaller with
}

// Hook returns what takes over f.Fuzz in a worker: the target is replaced by the
// loop, which runs inside the one real call, with a real T, and ends the process
// when the coordinator is done. In a binary that is not started as a worker it
// changes nothing.
func Hook(hooks Testing) func(f *testing.F, ff any) any {
	worker, native := os.Getenv(wire.EnvWorker), os.Getenv(wire.EnvNative)
	if worker != "" {
		inherited() //nolint:errcheck,gosec // before any child is started; connect tells what is wrong
	}
	return func(f *testing.F, ff any) any {
		if _, ok := argTypes(ff); !ok {
			return ff
		}
		switch {
		case worker != "" && f.Name() == worker:
			tg := newTarget(ff, hooks)
			if hooks.Breeder != nil {
				tg.breeder = hooks.Breeder(f)
			}
			seeds := hooks.Seeds(f)
			hooks.Only(f, tg.zero())
			return adopt(ff, func(t *testing.T, _ []any) {
				tg.proto = t
				os.Exit(serve(tg, seeds))
			})
		case native != "":
			return nativeTarget(ff, hooks, native)
		}
		return ff
	}
}

// serve answers requests until the coordinator hangs up, and returns the
// process's exit code.
func serve(tg *target, seeds [][]any) int {
	start := fuzzmutrt.EndStart()
	debug.SetMaxStack(maxStackBytes)
	c, err := connect()
	if err != nil {
		return exitCode(err)
	}
	endWithParent()
	l := &Loop{target: tg, seeds: seeds, conn: c, start: start}
	return c.serve(l.serveOne)
}

// setInput stores the values that the following executions run on.
func (l *Loop) setInput(vals []any) {
	l.shared.SetInput(vals)
	if l.careful {
		l.reply(wire.Reply{About: &wire.About{Input: wire.Encode(vals)}}) //nolint:errcheck // the request's own reply will meet the same error
	}
}

func (l *Loop) serveOne(req *wire.Request) error {
	switch {
	case req.Init != nil:
		return l.init(req.Init)
	case l.x == nil:
		return errors.New("request before Init")
	case req.Run != nil:
		return l.runItems(req.Run)
	case req.Fuzz != nil:
		l.careful = req.Fuzz.Careful
		return l.fuzz(req.Fuzz)
	case req.Trim != nil:
		return l.trim(req.Trim)
	case req.Replay != nil:
		return l.replay(req.Replay)
	case req.Repair != nil:
		return l.repair(req.Repair)
	}
	return errors.New("empty request")
}

func (l *Loop) init(init *wire.Init) error {
	limitHeap(init.MemLimit)
	l.target.renew = init.RenewContext
	x, err := newExecutor(l.target, l.shared, init)
	if err != nil {
		return fmt.Errorf("the test binary is not the one that was built: %w", err)
	}
	l.x, l.muts = x, newMutants(x, init)
	x.ration.heap = tendHeap(init.MemLimit)
	l.cov = newCoverage(fuzzmutrt.Packages)
	l.adaptive = newAdaptiveState()
	l.student, l.search = newStudent(init.Funcs), newSearch(l.muts)
	b, known := l.target.breeder.(breeder)
	if known = known && len(l.target.types) == 1 && l.target.types[0] == reflect.TypeFor[[]byte](); known {
		l.values = newValues(b, init.Inputs)
		if l.values.breeds() {
			l.search.budget = valueSearchBudget
		}
	}
	l.entries = make(map[int][]any)
	l.failures = make(map[string]*bucketState)
	l.merelySlow = make(map[string]bool)
	l.prefixes = init.UserPackages
	l.rng = havoc.NewRand(0)
	l.mostLen = l.maxLen(init.MaxLen)
	l.dict, l.constants = init.Dict, init.Constants
	l.mutator = havoc.New(l.rng, havoc.Options{MaxLen: l.mostLen, Dict: init.Dict})
	l.suspect = suspectFuel
	hello := wire.Hello{
		Types: l.target.typeNames(), Zero: wire.Encode(l.target.zero()), StartFuel: l.start.Burned,
		InitReached: listBits(l.start.Reached), InitInfected: listBits(l.start.Infected),
	}
	if l.values != nil {
		hello.Values = l.values.Type()
	}
	hello.NoBreeder = l.target.breeder != nil && !known
	for _, s := range l.seeds {
		if err := l.target.check(s); err != nil {
			hello.SeedError = err.Error()
			continue
		}
		hello.Seeds = append(hello.Seeds, wire.Encode(s))
	}
	return l.reply(wire.Reply{Hello: &hello})
}

// defaultMaxLen bounds each argument of an input, in bytes.
const defaultMaxLen = 1 << 20

// maxLen bounds the arguments so that all of them fit into the mapping.
func (l *Loop) maxLen(want int) int {
	if want == 0 {
		want = defaultMaxLen
	}
	return min(want, wire.InputMost/len(l.target.types)-16)
}

func (l *Loop) decode(input []byte) ([]any, error) {
	vals, err := wire.Decode(input)
	if err == nil {
		err = l.target.check(vals)
	}
	if err != nil {
		return nil, fmt.Errorf("input from the coordinator: %w", err)
	}
	return vals, nil
}

// current returns the input under way, pristine, from the shared mapping: the
// values that the target was given may have been changed by it.
func (l *Loop) current() ([]any, error) {
	st := l.shared.State()
	if st.Input == nil {
		return nil, fmt.Errorf("%w: the input under way is gone from the shared memory", errBroken)
	}
	vals, err := wire.Decode(st.Input)
	if err == nil {
		err = l.target.check(vals)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the input under way, as the shared memory has it: %w", errBroken, err)
	}
	return vals, nil
}

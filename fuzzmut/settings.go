package fuzzmut

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// The flags of go test that bound the checks of a run.
const (
	seedFlag  = "fuzzmut.seed"
	countFlag = "fuzzmut.n"
	timeFlag  = "fuzzmut.time"
)

func init() {
	// There may be another copy of this package in the program, which has them already.
	if flag.Lookup(seedFlag) != nil {
		return
	}
	flag.Uint64(seedFlag, 0, "have the checks of package fuzzmut draw the values of this `seed`; 0: new ones")
	flag.Int(countFlag, 0, "have each check of package fuzzmut test `n` values; 0: 10000, and a tenth of that with -short")
	flag.Duration(timeFlag, 0, "end each check of package fuzzmut after this time; 0: after a second, unless there is a seed or a number of values")
}

// steady says that each run has to draw the same values: the command fuzzmut sets it
// where it compares runs.
var steady = os.Getenv("FUZZMUT_STEADY") != ""

// settings say what a check tests.
type settings struct {
	seed uint64
	n    int           // values
	size int           // of the largest
	time time.Duration // after which no further value is tested; 0 for no bound
	most time.Duration // after which none is tested either, if there were not enough; 0: as time
	keep bool          // failing values, for the next run
}

// Defaults of a check.
const (
	defaultN    = 10000
	shortN      = defaultN / 10 // with -short, and for the command fuzzmut
	defaultSize = 100
	defaultTime = time.Second
	leastValues = 100 // before a check may be ended since its time is over
)

// settingsOf are those that a test gives, where it gives any, else those of the flags,
// else the defaults.
func settingsOf(seed uint64, n, size int) settings {
	if steady {
		return settings{seed: orElse(seed, 1), n: orElse(n, shortN), size: orElse(size, defaultSize)}
	}
	s := settings{seed: orElse(seed, flagged[uint64](seedFlag)), n: orElse(flagged[int](countFlag), n), size: orElse(size, defaultSize), keep: true}
	s.time = flagged[time.Duration](timeFlag)
	if s.time == 0 && s.seed == 0 && s.n == 0 {
		s.time, s.most = defaultTime, mostTimes*defaultTime
	}
	if testing.Short() {
		s.n = orElse(s.n, shortN)
	}
	s.n = orElse(s.n, defaultN)
	for s.seed == 0 {
		s.seed = uint64(rand.Uint32()) // few digits to repeat
	}
	return s
}

func flagged[V any](name string) V {
	v, _ := flag.Lookup(name).Value.(flag.Getter).Get().(V) // of the type that it was declared with
	return v
}

func orElse[N comparable](v, other N) N {
	var zero N
	if v == zero {
		return other
	}
	return v
}

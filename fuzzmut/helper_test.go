package fuzzmut_test

import (
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

// Tests that have to fail run in their own process: the test binary, with the
// name of one of the tests below.

const helperVar = "FUZZMUT_HELPER"

// helper makes a test one that runs only in such a process.
func helper(tb testing.TB) {
	tb.Helper()
	if os.Getenv(helperVar) == "" {
		tb.Skip("is run by other tests")
	}
}

// runHelper runs a test and returns what it prints.
func runHelper(t *testing.T, name string, args ...string) (out string, passed bool) {
	t.Helper()
	return runHelperIn(t, t.TempDir(), name, args...)
}

func runHelperIn(t *testing.T, dir, name string, args ...string) (out string, passed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^" + name + "$", "-test.v"}, args...)...)
	cmd.Env = append(os.Environ(), helperVar+"=1", "GOCACHE="+filepath.Join(dir, "cache"))
	cmd.Dir = dir
	b, err := cmd.CombinedOutput()
	return string(b), err == nil
}

func wantLines(t *testing.T, out string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(out, line) {
			t.Errorf("the output lacks %q:\n%s", line, out)
		}
	}
}

type tree struct {
	Left, Right *tree
	Key         int
}

func (t *tree) ordered(low, high int) bool {
	return t == nil || low < t.Key && t.Key < high && t.Left.ordered(low, t.Key) && t.Right.ordered(t.Key, high)
}

// insert is wrong: it goes right for smaller keys below the root.
func (t *tree) insert(x int, root bool) *tree {
	switch {
	case t == nil:
		return &tree{Key: x}
	case x < t.Key && root:
		return &tree{t.Left.insert(x, false), t.Right, t.Key}
	case x != t.Key:
		return &tree{t.Left, t.Right.insert(x, false), t.Key}
	}
	return t
}

const low, high = -1 << 62, 1 << 62

type insertion struct {
	X    int
	Tree *tree
}

func checkInsert(t testing.TB, in insertion) {
	fuzzmut.Assume(t, in.Tree.ordered(low, high) && low < in.X && in.X < high)
	if !in.Tree.insert(in.X, true).ordered(low, high) {
		t.Errorf("not ordered any more")
	}
}

func TestHelperCheck(t *testing.T) {
	helper(t)
	fuzzmut.Gen[insertion]{Seed: 1}.Check(t, checkInsert)
}

func TestHelperAnySeed(t *testing.T) {
	helper(t)
	fuzzmut.Gen[insertion]{}.Check(t, checkInsert)
}

func TestHelperCount(t *testing.T) {
	helper(t)
	n := 0
	fuzzmut.Gen[int]{}.Check(t, func(testing.TB, int) { n++ })
	t.Logf("%d values were tested", n)
}

func TestHelperSlow(t *testing.T) {
	helper(t)
	n := 0
	fuzzmut.Gen[int]{}.Check(t, func(testing.TB, int) {
		time.Sleep(100 * time.Microsecond)
		n++
	})
	t.Logf("%d values were tested", n)
}

func TestHelperPanic(t *testing.T) {
	helper(t)
	fuzzmut.Gen[[]int]{}.Check(t, func(t testing.TB, in []int) {
		for i, n := range in {
			if i > 2 && n < 0 {
				_ = in[n]
			}
		}
	})
}

type unlucky int

func TestHelperGenerator(t *testing.T) {
	helper(t)
	fuzzmut.Generate(func(r *rand.Rand, _ int) unlucky {
		if r.IntN(20) == 0 {
			panic("out of luck")
		}
		return 1
	})
	fuzzmut.Gen[[]unlucky]{}.Check(t, func(testing.TB, []unlucky) {})
}

// brittle is made of numbers that are small.
type brittle struct{ n uint8 }

func representBrittle() {
	fuzzmut.Represent(func(n uint8) brittle {
		if n > 100 {
			panic("too large")
		}
		return brittle{n}
	}, func(b brittle) uint8 { return b.n })
}

func TestHelperRepresentation(t *testing.T) {
	helper(t)
	representBrittle()
	fuzzmut.Gen[brittle]{Size: 255}.Check(t, func(testing.TB, brittle) {})
}

// fragile is made from bytes, which have to be few.
type fragile struct{ n int }

func (f *fragile) MarshalBinary() ([]byte, error) { return make([]byte, f.n), nil }

func (f *fragile) UnmarshalBinary(data []byte) error {
	if f.n = len(data); f.n > 3 {
		panic("too large")
	}
	return nil
}

func TestHelperUnmarshal(t *testing.T) {
	helper(t)
	fuzzmut.Gen[fragile]{}.Check(t, func(testing.TB, fragile) {})
}

func FuzzHelperRepresentation(f *testing.F) {
	helper(f)
	representBrittle()
	f.Add([]byte{0xff})
	fuzzmut.Fuzz(f, func(*testing.T, brittle) {})
}

func TestHelperDiscards(t *testing.T) {
	helper(t)
	fuzzmut.Gen[int]{N: 10}.Check(t, func(t testing.TB, in int) {
		fuzzmut.Assume(t, in > 1000 && in < 1002)
		fuzzmut.Assume(t, false)
	})
}

func TestHelperChannel(t *testing.T) {
	helper(t)
	fuzzmut.Gen[struct{ C []chan int }]{}.Check(t, func(testing.TB, struct{ C []chan int }) {})
}

func FuzzHelperInsert(f *testing.F) {
	helper(f)
	fuzzmut.Add(f, tree{Key: 5, Right: &tree{Key: 7}})
	fuzzmut.Add(f, insertion{X: 7})
	fuzzmut.Fuzz(f, func(t *testing.T, in insertion) { checkInsert(t, in) })
}

func FuzzHelperPanic(f *testing.F) {
	helper(f)
	fuzzmut.Add(f, struct{ n *big.Int }{big.NewInt(12)})
	fuzzmut.Fuzz(f, func(t *testing.T, in struct{ n *big.Int }) {
		if in.n != nil && in.n.Cmp(big.NewInt(10)) > 0 {
			panic("large")
		}
	})
}

func FuzzHelperSeed(f *testing.F) {
	helper(f)
	fuzzmut.Add(f, time.Second)
	fuzzmut.Fuzz(f, func(t *testing.T, in []string) {})
}

package fuzzmut_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

func TestCheckFindsTheSmallestValue(t *testing.T) {
	out, passed := runHelper(t, "TestHelperCheck")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "no input one step smaller fails in the same place", "insertion{", "not ordered any more")
	again, _ := runHelper(t, "TestHelperCheck")
	if cut(out) != cut(again) {
		t.Errorf("two runs differ:\n%s\n%s", out, again)
	}
}

// cut leaves out the last lines, which tell the time.
func cut(out string) string { return out[:slices.Index([]byte(out), '}')] }

func TestFailingValuesAreTestedFirstInTheNextRun(t *testing.T) {
	dir := t.TempDir()
	out, passed := runHelperIn(t, dir, "TestHelperAnySeed")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "(-fuzzmut.seed=")
	out, _ = runHelperIn(t, dir, "TestHelperAnySeed")
	wantLines(t, out, "a value that failed before fails again", "not ordered any more")
	files, err := filepath.Glob(filepath.Join(dir, "cache", "fuzz", "github.com", "fuzzmut", "fuzzmut", "fuzzmut_test", "TestHelperAnySeed", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q are kept: %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte("go test fuzz v1\n[]byte("), 0o666); err != nil {
		t.Fatal(err)
	}
	out, _ = runHelperIn(t, dir, "TestHelperAnySeed")
	wantLines(t, out, "(-fuzzmut.seed=")
}

func TestTheSeedOfAFlagRepeatsARun(t *testing.T) {
	run := func() string {
		out, _ := runHelper(t, "TestHelperAnySeed", "-fuzzmut.seed=7")
		return cut(out)
	}
	out := run()
	wantLines(t, out, " of seed 7 fails")
	if again := run(); out != again {
		t.Errorf("two runs differ:\n%s\n%s", out, again)
	}
}

func TestFlagsSayHowManyValuesAreTested(t *testing.T) {
	for _, test := range []struct{ flag, want string }{
		{"-fuzzmut.n=123", "123 values"}, {"-fuzzmut.time=1m", "10000 values"}, {"-test.short", "1000 values"},
	} {
		out, _ := runHelper(t, "TestHelperCount", test.flag)
		wantLines(t, out, test.want)
	}
}

// A test that tests nothing must not pass.
func TestANegativeNumberOfValuesFails(t *testing.T) {
	out, passed := runHelper(t, "TestHelperCount", "-fuzzmut.n=-5")
	if passed {
		t.Error("it passes")
	}
	wantLines(t, out, "helper_test.go:", "it can't test -5 values", "-fuzzmut.n")
}

// The command compares runs: values are the same there, and none is kept.
func TestTheCommandHasSteadyValues(t *testing.T) {
	t.Setenv("FUZZMUT_STEADY", "1")
	dir := t.TempDir()
	for range 2 {
		out, _ := runHelperIn(t, dir, "TestHelperAnySeed")
		wantLines(t, out, " of seed 1 fails")
	}
}

func TestSlowChecksEndInTime(t *testing.T) {
	out, _ := runHelper(t, "TestHelperSlow", "-fuzzmut.time=20ms")
	wantLines(t, out, "of 10000 values were tested in 20ms, which -fuzzmut.time changes")
}

func TestCheckShrinksPanics(t *testing.T) {
	out, passed := runHelper(t, "TestHelperPanic")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "[]int{0, 0, 0, -1}", "panic: runtime error: index out of range [-1]", "fuzzmut_test.TestHelperPanic.func1", "helper_test.go")
	withoutOwnFrames(t, out)
}

// withoutOwnFrames fails the test if the stack of a panic has what only this package is about.
func withoutOwnFrames(t *testing.T, out string) {
	t.Helper()
	for _, frame := range []string{"debug.Stack", "reflect.Value", "fuzzmut.(*attempt)", "fuzzmut.(*course)", "created by"} {
		if strings.Contains(out, frame) {
			t.Errorf("the stack has %s:\n%s", frame, out)
		}
	}
}

func TestCheckGivesUp(t *testing.T) {
	out, passed := runHelper(t, "TestHelperDiscards")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "201 of 201 inputs were discarded: ", " by Assume at helper_test.go:", "fuzzmut.Generate")
}

func TestCheckNamesWhatCantBeDerived(t *testing.T) {
	out, passed := runHelper(t, "TestHelperChannel")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "C[] is of type chan int", "To fix this:")
}

func TestCheckNamesAPanickingGenerator(t *testing.T) {
	out, passed := runHelper(t, "TestHelperGenerator")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "--- FAIL: TestHelperGenerator", "the generator of fuzzmut_test.unlucky panicked: out of luck", "helper_test.go")
}

func TestPanickingRepresentationsAreShown(t *testing.T) {
	for _, name := range []string{"TestHelperRepresentation", "FuzzHelperRepresentation"} {
		out, passed := runHelper(t, name)
		if passed {
			t.Errorf("%s passes", name)
		}
		wantLines(t, out, "--- FAIL: "+name, "fuzzmut.Decode[brittle]([]byte(", "// panics: too large", "panic: too large", "helper_test.go")
	}
}

func TestStacksOfPanicsEndAtWhatMakesTheValue(t *testing.T) {
	for _, name := range []string{"TestHelperRepresentation", "TestHelperUnmarshal"} {
		out, _ := runHelper(t, name)
		if wantLines(t, out, "panic: too large", "helper_test.go"); strings.Contains(out, "/derive.") {
			t.Errorf("the stack has calls of fuzzmut:\n%s", out)
		}
	}
}

func TestValuesBeyondTheBoundsAreRefused(t *testing.T) {
	_, err := fuzzmut.Encode(make([]int, 70000))
	if err == nil || err.Error() != "the value[65535] exceeds the 65536 parts that a value can have" {
		t.Errorf("got error %v", err)
	}
}

func TestCheckIsOverAtN(t *testing.T) {
	calls, cleanups := 0, 0
	fuzzmut.Gen[[]string]{N: 50, Size: 20}.Check(t, func(t testing.TB, in []string) {
		calls++
		t.Cleanup(func() { cleanups++ })
		if t.Context().Err() != nil || len(in) > 20 || t.Failed() {
			t.Errorf("%d strings", len(in))
		}
		t.Logf("not printed, as %d values pass", calls)
	})
	if calls != 50 || cleanups != 50 {
		t.Errorf("%d calls, %d cleanups", calls, cleanups)
	}
}

// The same seed draws the same values in each version of this package that can do so. A change of
// what is drawn is one of this sum.
func TestWhatASeedDraws(t *testing.T) {
	type mixed struct {
		N    int
		List []string
		Map  map[int8]float64
		Tree *tree
		Any  any
	}
	sum := sha256.New()
	fuzzmut.Gen[mixed]{Seed: 5, N: 300}.Check(t, func(t testing.TB, v mixed) {
		data, err := fuzzmut.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%d %q\n", len(data), data)
		fuzzmut.Assume(t, v.N%4 == 0) // most are discarded: others are bred
	})
	if got, want := hex.EncodeToString(sum.Sum(nil)[:8]), "25dd10aa67493536"; got != want {
		t.Errorf("got values with sum %s; before it was %s", got, want)
	}
}

// Each value has a test that starts over, though they share a goroutine.
func TestEachValueEndsByItself(t *testing.T) {
	var order []string
	n := 0
	fuzzmut.Gen[int]{Seed: 1, N: 40}.Check(t, func(t testing.TB, _ int) {
		n++
		order = append(order, fmt.Sprint(n))
		if n%5 == 0 {
			t.Cleanup(func() { order = append(order, fmt.Sprint("end of ", n)) })
		}
		fuzzmut.Assume(t, n%3 > 0)
		if n%7 == 0 {
			t.SkipNow()
		}
	})
	var want []string
	passed := 0
	for i := 1; passed < 40; i++ {
		want = append(want, fmt.Sprint(i))
		if i%5 == 0 {
			want = append(want, fmt.Sprint("end of ", i))
		}
		if i%3 > 0 && i%7 > 0 {
			passed++
		}
	}
	if !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
}

func TestValuesAreTheSameForASeed(t *testing.T) {
	draw := func(seed uint64) (list []insertion) {
		for v := range (fuzzmut.Gen[insertion]{Seed: seed}).Values() {
			if list = append(list, v); len(list) == 20 {
				break
			}
		}
		return list
	}
	equal := func(a, b insertion) bool {
		x, _ := fuzzmut.Encode(a)
		y, _ := fuzzmut.Encode(b)
		return string(x) == string(y)
	}
	if !slices.EqualFunc(draw(1), draw(1), equal) || slices.EqualFunc(draw(1), draw(2), equal) {
		t.Error("a seed does not decide on the values")
	}
}

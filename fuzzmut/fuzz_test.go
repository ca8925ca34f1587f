package fuzzmut_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

type record struct {
	Name string
	Tags map[string]int
	Next *record
}

func FuzzSeeds(f *testing.F) {
	whole := record{"a", map[string]int{"x": 1, "y": -70000}, &record{Name: "b"}}
	fuzzmut.Add(f, whole)
	fuzzmut.Add(f, map[string]int{"part": 1})
	var got []record
	f.Cleanup(func() {
		if len(got) == 2 && (got[0].Next == nil || got[0].Next.Name != "b" || got[0].Tags["y"] != -70000 || got[1].Tags["part"] != 1) {
			f.Errorf("got %+v", got)
		}
	})
	fuzzmut.Fuzz(f, func(t *testing.T, in record) {
		if strings.HasPrefix(t.Name(), "FuzzSeeds/seed#") {
			got = append(got, in)
		}
		data, err := fuzzmut.Encode(in)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := fuzzmut.Encode(fuzzmut.Decode[record](data)); err != nil || string(again) != string(data) {
			t.Errorf("%x is decoded and encoded as %x: %v", data, again, err)
		}
	})
}

func TestFailingInputsAreShown(t *testing.T) {
	out, passed := runHelper(t, "FuzzHelperPanic")
	if passed {
		t.Error("passes")
	}
	wantLines(t, out, "panic: large", "the input is", "struct{ n *big.Int }{n: big.NewInt(12)}")
}

func TestSeedsOfPartsAndDiscards(t *testing.T) {
	out, passed := runHelper(t, "FuzzHelperInsert")
	if !passed {
		t.Error("fails")
	}

	wantLines(t, out, "--- PASS: FuzzHelperInsert/seed#0", "--- PASS: FuzzHelperInsert/seed#1")
	out, passed = runHelper(t, "FuzzHelperSeed")
	if passed {
		t.Error("passes")
	}
	wantLines(t, out, "fuzzmut: seed 1s: a value of type time.Duration has no place in []string")
}

// Stock fuzzing finds the wrong insertion, and leaves an input that go test replays.
func TestStockFuzzing(t *testing.T) {
	cache := t.TempDir()
	out, passed := runHelper(t, "FuzzHelperInsert", "-test.fuzz=^FuzzHelperInsert$", "-test.fuzzcachedir="+cache,
		"-test.fuzztime=1000000x", "-test.parallel=1")
	if passed {
		t.Fatal("passes")
	}
	wantLines(t, out, "not ordered any more", "the input is", "insertion{", "Failing input written to")
}

// runOld runs FuzzHelperInsert on an input of another version.
func runOld(t *testing.T, data string) (out string, passed bool) {
	t.Helper()
	dir := t.TempDir()
	corpus := filepath.Join(dir, "testdata", "fuzz", "FuzzHelperInsert")
	if err := os.MkdirAll(corpus, 0o777); err != nil {
		t.Fatal(err)
	}
	entry := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", data)
	if err := os.WriteFile(filepath.Join(corpus, "old"), []byte(entry), 0o666); err != nil {
		t.Fatal(err)
	}
	return runHelperIn(t, dir, "FuzzHelperInsert")
}

func TestWhatFailsComesBeforeWhatIsOld(t *testing.T) {
	data, err := fuzzmut.Encode(insertion{X: 1, Tree: &tree{Key: 5, Left: &tree{Key: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	out, passed := runOld(t, string(data)+"old")
	if passed {
		t.Fatal("passes")
	}
	failure, input, old := strings.Index(out, "not ordered any more"), strings.Index(out, "the input is"), strings.Index(out, "the last 3 of")
	if failure < 0 || input < failure || old < input || strings.Count(out, "the last 3 of") != 1 {
		t.Errorf("the output is\n%s", out)
	}
}

func TestOldInputsAreReported(t *testing.T) {
	out, passed := runOld(t, "\x05\x00of another version")
	if !passed {
		t.Error("fails")
	}
	wantLines(t, out, "the last 18 of 20 bytes are not part of the value: the input may be for another version of fuzzmut_test.insertion")
}

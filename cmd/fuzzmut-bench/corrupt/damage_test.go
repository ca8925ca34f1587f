package corrupt

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sample = "# head\none = 1\ntwo 22\n\nthree: \"x\"\nlast"

// A damage is one that its seed draws again, leaves the sample as it was where that is a
// copy, and changes the file most of the time.
func TestDamages(t *testing.T) {
	for _, d := range damages {
		changed := 0
		for seed := range uint64(40) {
			do := func() []byte { return d.do(rand.New(rand.NewPCG(seed, 0)), []byte(sample)) }
			data := do()
			if !bytes.Equal(data, do()) {
				t.Errorf("%s of seed %d is another one the second time", d.name, seed)
			}
			if string(data) != sample {
				changed++
			}
		}
		if changed < 35 {
			t.Errorf("%s: %d of 40 files are as they were", d.name, 40-changed)
		}
	}
}

// What is drawn is what it is called.
func TestWhatDamagesDo(t *testing.T) {
	lines := func(data []byte) []string { return strings.SplitAfter(string(data), "\n") }
	subset := func(few, many []string) bool {
		for _, line := range many {
			if len(few) > 0 && few[0] == line {
				few = few[1:]
			}
		}
		return len(few) == 0
	}
	holds := map[string]func(data []byte) bool{
		"cut off": func(data []byte) bool { return len(data) < len(sample) && strings.HasPrefix(sample, string(data)) },
		"a line twice": func(data []byte) bool {
			return len(data) > len(sample) && subset(lines([]byte(sample))[:5], lines(data))
		},
		"a line lost": func(data []byte) bool {
			return len(data) < len(sample) && subset(lines(data), lines([]byte(sample))) || strings.HasPrefix(sample, string(data))
		},
		"invalid UTF-8": func(data []byte) bool {
			return bytes.Contains(data, []byte("\xff\xfe\xc0")) && len(data) == len(sample)+3
		},
		"line ends of Windows": func(data []byte) bool {
			return strings.ReplaceAll(string(data), "\r\n", "\n") == sample && !bytes.Contains(bytes.ReplaceAll(data, []byte("\r\n"), nil), []byte("\n"))
		},
		"zeros":         func(data []byte) bool { return len(data) == len(sample) && bytes.IndexByte(data, 0) >= 0 },
		"bytes lost":    func(data []byte) bool { n := len(sample) - len(data); return 1 <= n && n <= 16 },
		"written twice": func(data []byte) bool { return string(data) == sample+sample },
		"overwritten": func(data []byte) bool {
			rest, ok := strings.CutPrefix(string(data), "<<<<<<< HEAD\n")
			return ok && strings.HasSuffix(sample, rest)
		},
		"a byte order mark": func(data []byte) bool { return string(data) == "\ufeff"+sample },
		"a long line":       func(data []byte) bool { return len(data) == len(sample)+1<<20 },
		"deep nesting":      func(data []byte) bool { return bytes.Count(data, []byte("[")) == 100_000 },
		"a bit turned": func(data []byte) bool {
			differ := 0
			for i := range data {
				if x := data[i] ^ sample[i]; x != 0 && x&(x-1) == 0 {
					differ++
				}
			}
			return len(data) == len(sample) && differ == 1
		},
	}
	for _, d := range damages {
		is := holds[d.name]
		if is == nil {
			if d.name != "a wild number" { // which has its own test
				t.Errorf("%s: not tested", d.name)
			}
			continue
		}
		for seed := range uint64(30) {
			if data := d.do(rand.New(rand.NewPCG(seed, 1)), []byte(sample)); !is(data) {
				t.Errorf("%s of seed %d: %.80q", d.name, seed, data)
				break
			}
		}
	}
}

func TestWildNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	if got := string(wildNumber(r, []byte("no number"))); got != "no number" {
		t.Errorf("%q", got)
	}
	seen := make(map[string]bool)
	for range 300 {
		got := string(wildNumber(r, []byte("a12b3")))
		rest, first := strings.CutPrefix(got, "a12b")
		if !first {
			rest = strings.TrimSuffix(strings.TrimPrefix(got, "a"), "b3")
		}
		if rest == got || rest == "" || rest == "12" || rest == "3" {
			t.Fatalf("%q: another part has changed", got)
		}
		seen[rest] = true
	}
	if len(seen) != 9 {
		t.Errorf("%d wild numbers: %v", len(seen), seen)
	}
}

func TestSomeLine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := make(map[string]bool)
	for range 300 {
		from, to := someLine(r, []byte(sample))
		seen[sample[from:to]] = true
	}
	for _, line := range strings.SplitAfter(sample, "\n") {
		if !seen[line] {
			t.Errorf("%q is never drawn", line)
		}
		delete(seen, line)
	}
	if len(seen) > 0 {
		t.Errorf("no lines: %v", seen)
	}
}

func TestSplice(t *testing.T) {
	data := []byte("abcdef")
	for _, c := range []struct {
		from, to int
		by, want string
	}{{0, 0, "x", "xabcdef"}, {6, 6, "x", "abcdefx"}, {2, 4, "", "abef"}, {1, 3, "xyz", "axyzdef"}, {0, 6, "", ""}} {
		if got := string(splice(data, c.from, c.to, []byte(c.by))); got != c.want {
			t.Errorf("%d to %d by %q: %q, want %q", c.from, c.to, c.by, got, c.want)
		}
	}
	if string(data) != "abcdef" {
		t.Errorf("the data has changed: %q", data)
	}
}

func TestMissing(t *testing.T) {
	for _, c := range []struct{ words, taken, want string }{
		{"", "", ""},
		{"a b", "b a c", ""},
		{"a a", "a", `"a" was not taken in`},
		{"a a", "a a", ""},
		{"a b", "a", `"b" was not taken in`},
	} {
		if got := missing(strings.Fields(c.words), strings.Fields(c.taken)); got != c.want {
			t.Errorf("%q of %q: %s, want %s", c.taken, c.words, got, c.want)
		}
	}
}

func TestScalars(t *testing.T) {
	got := scalars([]byte(`{"b": [1, 0, null, "", "x"], "a": true, "c": {"d": false, "e": 1.5}} [2] {"torn`))
	if diff := cmp.Diff([]string{"true", "1", `"x"`, "1.5", "2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A tally counts each file once, and says of what is wrong which file it was.
func TestTally(t *testing.T) {
	n := 0
	k := Kind{Name: "toy", Sample: func() ([]byte, error) { return []byte("one\ntwo\n"), nil }}
	k.Read = func(dir string, data []byte) (string, error) {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("there is no directory: %v", err)
		}
		switch n++; {
		case n == 1: // the sample
			return "", nil
		case n%3 == 0:
			return "", errors.New("refused")
		case n%3 == 1:
			return "half", nil
		}
		return "", nil
	}
	tally, err := Check(k, 9, 7)
	if err != nil {
		t.Fatal(err)
	}
	if tally.Kind != "toy" || tally.Files != 9 || tally.Refused != 3 || tally.Whole != 3 || len(tally.Wrong) != 3 {
		t.Errorf("%+v", tally)
	}
	if want := fmt.Sprintf("%s, file 2 of seed 7: half", damages[2].name); tally.Wrong[0] != want {
		t.Errorf("%q, want %q", tally.Wrong[0], want)
	}
}

func TestASampleThatCantBeUsed(t *testing.T) {
	fault := errors.New("fault")
	for _, c := range []struct {
		name string
		kind Kind
		want string
	}{
		{"there is none", Kind{Sample: func() ([]byte, error) { return nil, fault }}, "toy: fault"},
		{"it is refused", Kind{Sample: func() ([]byte, error) { return []byte("x"), nil }, Read: func(string, []byte) (string, error) { return "", fault }}, "toy: the sample itself can't be read:  fault"},
		{"it is read by half", Kind{Sample: func() ([]byte, error) { return []byte("x"), nil }, Read: func(string, []byte) (string, error) { return "lost", nil }}, "toy: the sample itself can't be read: lost"},
	} {
		c.kind.Name = "toy"
		if tally, err := Check(c.kind, 5, 1); err == nil || !strings.HasPrefix(err.Error(), c.want) || tally.Files != 0 {
			t.Errorf("%s: %v, %+v; want %s", c.name, err, tally, c.want)
		}
	}
}

// The sample of a kind is the same each time, and all of it is taken in.
func TestSamples(t *testing.T) {
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			data, err := k.Sample()
			if err != nil {
				t.Fatal(err)
			}
			again, err := k.Sample()
			if err != nil || k.Name != "journal of verdicts" && !bytes.Equal(data, again) { // which names its run at random
				t.Errorf("the sample is another one each time: %v", err)
			}
			if lost, err := k.read(t.TempDir(), data); lost != "" || err != nil {
				t.Errorf("the sample: %q, %v", lost, err)
			}
		})
	}
}

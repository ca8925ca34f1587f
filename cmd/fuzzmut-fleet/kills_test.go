package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// logOf is a log with kills of mutants from 1, by inputs in turn.
func logOf(fuzz string, inputs ...string) []byte {
	log := []byte(logHead)
	for i, input := range inputs {
		log = (&record{Fuzz: fuzz, Kill: &recordKill{uint32(i + 1), input, "panic"}}).append(log)
	}
	return log
}

func TestKillsAreReadUpToADamagedRecord(t *testing.T) {
	a, b := strings.Repeat("a", 16), strings.Repeat("b", 16)
	log := logOf("FuzzA", a, b, "../../../../x", a)
	other := (&record{Fuzz: "FuzzB", Kill: &recordKill{9, a, "panic"}}).append(nil)
	damaged := slices.Clone(log)
	damaged[len(damaged)-3] ^= 1
	for name, c := range map[string]struct {
		log  []byte
		want int
	}{
		"whole":                {log, 3}, // the name of one is none
		"of another fuzz test": {append(slices.Clone(log), other...), 3},
		"damaged at the end":   {damaged, 2},
		"cut":                  {log[:len(log)-1], 2},
		"with a long record":   {append([]byte(logHead), 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0), 0},
		"of another kind":      {log[1:], 0},
		"empty":                {nil, 0},
	} {
		if got := readKills(c.log, "FuzzA"); len(got) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Of each mutant, the first input that was seen is in the bucket, and a slice begins with it.
func TestASliceOfALiveJobBeginsWithWhatIsKnown(t *testing.T) {
	module(t, "")
	_, joins := served(t, filepath.Join(t.TempDir(), "found"), "-live")
	st := storeOf(t, joins)
	one := target{"example.com/p", "FuzzA", binaryOf(nil)}
	p := &slice{Target: one}
	share := t.TempDir()
	w := &worker{store: st, job: job{Kind: kindFuzz, Targets: []target{{"example.com/p", "FuzzB", binaryOf(nil)}, one}, Live: true}}
	a, b, big, gone := strings.Repeat("a", 16), strings.Repeat("b", 16), strings.Repeat("c", 16), strings.Repeat("d", 16)
	write(filepath.Join(share, one.entryName(a)), "text of a")
	write(filepath.Join(share, one.entryName(b)), "text of b")
	write(filepath.Join(share, one.entryName(big)), strings.Repeat("x", killTextMost+1))
	name, other := one.Binary+"/one.log", strings.Repeat("0", 64)+"/two.log"
	write(filepath.Join(share, name), string(logOf("FuzzA", a, b, big, gone)))
	write(filepath.Join(share, other), string(logOf("FuzzA", b, b, b, b, b, b)))
	if err := w.putKills(t.Context(), p, share, []string{name, other, one.entryName(a)}, make(map[uint32]bool)); err != nil {
		t.Fatal(err)
	}
	// Another slice has killed the first mutant as well, and a fifth one.
	write(filepath.Join(share, name), string(logOf("FuzzA", b, b, big, gone, a)))
	if err := w.putKills(t.Context(), p, share, []string{name}, map[uint32]bool{2: true}); err != nil {
		t.Fatal(err)
	}
	// What others put there is left out, or checked where it is used.
	for key, text := range map[string]string{"7": "{", "x": `{"input":"` + a + `"}`, "8": `{"input":"../x"}`} {
		if err := put(t.Context(), st.kills, w.job.killsPrefix(one)+key, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	dir, except := t.TempDir(), make(map[string]bool)
	had, err := w.takeKills(t.Context(), p, dir, except)
	if err != nil || len(had) != 3 || !had[5] {
		t.Fatal(had, err)
	}
	log, err := os.ReadFile(filepath.Join(dir, one.Binary, killsFile))
	if err != nil {
		t.Fatal(err)
	}
	want := []recordKill{{1, a, "panic"}, {2, b, "panic"}, {5, a, "panic"}}
	if got := readKills(log, "FuzzA"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for input, want := range map[string]string{a: "text of a", b: "text of b"} {
		if text, err := os.ReadFile(filepath.Join(dir, one.entryName(input))); err != nil || string(text) != want {
			t.Errorf("%q, %v", text, err)
		}
	}
	if list, err := files(dir, except); err != nil || !slices.Equal(list, []string{"fuzzmut-share.json"}) {
		t.Errorf("what it begins with is left again: %q, %v", list, err)
	}
	// The next slice asks for what has come since then, and begins with all.
	prefix := w.job.killsPrefix(one)
	if more, last, err := st.killsAfter(t.Context(), prefix, w.heard[prefix].last); err != nil || len(more) > 0 || last != w.heard[prefix].last {
		t.Errorf("%v after all, %d, %v", more, last, err)
	}
	if err := st.create(t.Context(), prefix+"3", &killed{b, []byte("text of b"), "panic"}); err != nil {
		t.Fatal(err)
	}
	if more, _, err := st.killsAfter(t.Context(), prefix, w.heard[prefix].last); err != nil || len(more) != 1 || more[0].Mutant != 3 {
		t.Errorf("%v has come, %v", more, err)
	}
	for range 2 {
		dir = t.TempDir()
		if had, err := w.takeKills(t.Context(), p, dir, except); err != nil || len(had) != 4 || !had[1] || !had[3] || !exists(filepath.Join(dir, one.entryName(a))) {
			t.Error(had, err)
		}
	}
	// A job that is not live, and another fuzz test, have none of it.
	dir = t.TempDir()
	if had, err := w.takeKills(t.Context(), &slice{Target: w.job.Targets[0]}, dir, except); err != nil || len(had) > 0 || exists(filepath.Join(dir, one.Binary)) {
		t.Errorf("another fuzz test has kills, or %v", err)
	}
	w.job.Live = false
	if had, err := w.takeKills(t.Context(), p, dir, except); err != nil || len(had) > 0 || exists(filepath.Join(dir, one.Binary)) {
		t.Errorf("a job that is not live has kills, or %v", err)
	}
}

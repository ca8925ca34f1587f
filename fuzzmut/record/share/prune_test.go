package share

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// keep leaves an input of some words and returns its hash.
func keep(t *testing.T, d *Dir, kind, words string) string {
	t.Helper()
	in := corpus.Of(words)
	if _, err := d.Keep(kind, "example.com/p", "FuzzX", in); err != nil {
		t.Fatal(err)
	}
	return in.Hash()
}

// age has all files be as old.
func age(t *testing.T, d *Dir, by time.Duration) {
	t.Helper()
	then := time.Now().Add(-by)
	err := filepath.WalkDir(d.Path(), func(path string, e os.DirEntry, err error) error {
		if err == nil {
			err = os.Chtimes(path, then, then)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func prune(t *testing.T, d *Dir, lim Limits) *Pruned {
	t.Helper()
	done, err := d.Prune(time.Now(), lim)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// there lists the inputs of a kind, as words.
func there(t *testing.T, d *Dir, kind string) string {
	t.Helper()
	names, err := d.Names(kind, "example.com/p", "FuzzX")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, name := range names {
		in, err := d.Read(kind, "example.com/p", "FuzzX", name, nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, in.Values()[0].(string))
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func coverOf(input string, features ...uint32) Record {
	return Record{Fuzz: "FuzzX", Cover: &Cover{Input: input, Size: 40, Cost: 1, Features: features}}
}

func killBy(input string, mutant uint32) Record {
	return Record{Fuzz: "FuzzX", Kill: &Kill{Mutant: mutant, Input: input, Kind: "panic"}}
}

// facts are what logs say of kills and features, whoever shows them.
func facts(list []Record) string {
	set := make(map[string]bool)
	for _, r := range list {
		if r.Kill != nil {
			set[fmt.Sprint("kill ", r.Kill.Mutant)] = true
		}
		if r.Cover != nil {
			for _, f := range r.Cover.Features {
				set[fmt.Sprint("feature ", f)] = true
			}
		}
	}
	return strings.Join(keys(set), ", ")
}

func read(t *testing.T, d *Dir) []Record {
	t.Helper()
	list, err := d.NewReader(binary64, nil).Next()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// two has two processes leave something of a binary: b is worth less than others.
func two(t *testing.T) *Dir {
	d := open(t)
	a, b := keep(t, d, Entries, "aa"), keep(t, d, Entries, "b")
	c := keep(t, d, Entries, "c")
	keep(t, d, Entries, "nobody-tells")
	l := d.NewLog(binary64, "example.com/p")
	add(t, l, coverOf(a, 1, 2, 4_000_000_000), killBy(a, 1), coverOf(b, 1))
	add(t, d.NewLog(binary64, "example.com/p"), coverOf(c, 3), killBy(c, 16_000_000), killBy(hashA, 7), coverOf(a, 1, 2, 4_000_000_000))
	return d
}

func TestWhatOthersShowIsRemoved(t *testing.T) {
	d := two(t)
	before := facts(read(t, d))
	if done := prune(t, d, Limits{}); done.Redundant.Files+done.Joined.Files != 0 || there(t, d, Entries) != "aa b c nobody-tells" {
		t.Errorf("fresh files: %+v", done)
	}
	age(t, d, 2*time.Hour)
	done := prune(t, d, Limits{DryRun: true})
	if done.Redundant.Files != 1 || done.Joined.Files != 2 || there(t, d, Entries) != "aa b c nobody-tells" {
		t.Errorf("dry: %+v", done)
	}
	done = prune(t, d, Limits{})
	if got := there(t, d, Entries); got != "aa c nobody-tells" || done.Entries.Files != 4 || done.Redundant.Files != 1 {
		t.Errorf("%q stay, %+v", got, done)
	}
	if got := facts(read(t, d)); got != before {
		t.Errorf("known:\n%s\nbefore:\n%s", got, before)
	}
	logs, err := os.ReadDir(filepath.Join(d.Path(), binary64))
	if err != nil || len(logs) != 1 {
		t.Errorf("%d logs, %v", len(logs), err)
	}
	age(t, d, 2*time.Hour)
	if done := prune(t, d, Limits{}); done.Joined.Files+done.Redundant.Files != 0 {
		t.Errorf("again: %+v", done)
	}
}

// What one binary does not need, another may.
func TestWhatAnyBinaryNeedsStays(t *testing.T) {
	d := two(t)
	other := d.NewLog(strings.Repeat("cd", 32), "example.com/p")
	add(t, other, coverOf(corpus.Of("b").Hash(), 9))
	age(t, d, 2*time.Hour)
	prune(t, d, Limits{})
	if got := there(t, d, Entries); got != "aa b c nobody-tells" {
		t.Errorf("%q stay", got)
	}
	// Nobody has run the other one for long.
	for _, name := range []string{other.Name()} {
		then := time.Now().Add(-48 * time.Hour)
		if err := os.Chtimes(filepath.Join(other.dir, name), then, then); err != nil {
			age(t, d, 2*time.Hour) // it was joined
		}
	}
	age(t, d, 48*time.Hour)
	add(t, d.NewLog(binary64, "example.com/p"), killOf(3))
	done := prune(t, d, Limits{Age: 24 * time.Hour})
	if got := there(t, d, Entries); got != "aa c" || done.Dropped.Files != 1 || done.Old.Files != 1 || done.Redundant.Files != 1 {
		t.Errorf("%q stay, %+v", got, done)
	}
	if _, err := os.Stat(other.dir); err == nil {
		t.Error("an empty directory stays")
	}
}

func TestInputsAreBoundedInSize(t *testing.T) {
	d := two(t)
	big := keep(t, d, Entries, strings.Repeat("big", 1000))
	add(t, d.NewLog(binary64, "example.com/p"), coverOf(big, 77))
	age(t, d, 2*time.Hour)
	done := prune(t, d, Limits{Size: 100})
	// First goes what nobody tells of, then the largest.
	if got := there(t, d, Entries); got != "aa c" || done.Cut.Files != 2 || done.Redundant.Files != 1 {
		t.Errorf("%q stay, %+v", got, done)
	}
	if strings.Contains(facts(read(t, d)), "77") {
		t.Error("a log tells of what was removed")
	}
}

func TestAFewFailingInputsOfEachStackStay(t *testing.T) {
	d := open(t)
	l := d.NewLog(binary64, "example.com/p")
	for i := range 7 {
		name := keep(t, d, Failing, strings.Repeat("x", i+1))
		add(t, l, Record{Fuzz: "FuzzX", Fail: &Fail{Input: name, Key: "one"}})
	}
	add(t, l, Record{Fuzz: "FuzzX", Fail: &Fail{Input: keep(t, d, Failing, "other"), Key: "two"}})
	age(t, d, 2*time.Hour)
	prune(t, d, Limits{})
	if got := there(t, d, Failing); got != "other x xx xxx xxxx" {
		t.Errorf("%q stay", got)
	}
}

func TestDamagedFilesDoNotStopPrune(t *testing.T) {
	d := two(t)
	put(t, filepath.Join(d.Path(), binary64, "bad.log"), "garbage")
	put(t, filepath.Join(d.Path(), Entries, "example.com", "p", "FuzzX", hashB), "garbage")
	if err := os.MkdirAll(filepath.Join(d.Path(), Entries, tempPrefix+"1"), 0o777); err != nil {
		t.Fatal(err)
	}
	age(t, d, 2*time.Hour)
	done := prune(t, d, Limits{})
	if len(done.Damaged) != 1 || !strings.Contains(done.Damaged[0], "bad.log") || done.Redundant.Files != 1 {
		t.Errorf("%+v", done)
	}
	if _, err := os.Stat(filepath.Join(d.Path(), Entries, tempPrefix+"1")); err == nil {
		t.Error("what an interrupted write has left stays")
	}
}

// A process may go on that was silent for long.
func TestAProcessGoesOnAfterPrune(t *testing.T) {
	d := open(t)
	l := d.NewLog(binary64, "example.com/p")
	add(t, l, killOf(1))
	add(t, d.NewLog(binary64, "example.com/p"), killOf(2))
	age(t, d, 2*time.Hour)
	prune(t, d, Limits{})
	add(t, l, killOf(3))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got := facts(read(t, d)); got != "kill 1, kill 2, kill 3" {
		t.Errorf("%s", got)
	}
}

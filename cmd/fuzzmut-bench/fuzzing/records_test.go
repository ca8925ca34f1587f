package fuzzing

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Tables begin with what is compared with, and end with the default filter.
func TestTheOrderOfContenders(t *testing.T) {
	rs := recordsOf(
		runsOf("b", "adaptive", 1), runsOf("b", "split", 1), runsOf("a", stockQuick, 1), runsOf("a", "all", 1),
		runsOf("a", stock, 1), runsOf("c", seedsAlone, 1),
	)
	targets, contenders := rs.names()
	if want := []string{"a", "b", "c"}; !slices.Equal(targets, want) {
		t.Errorf("targets %q, want %q", targets, want)
	}
	if want := []string{seedsAlone, stock, stockQuick, "all", "split", "adaptive"}; !slices.Equal(contenders, want) {
		t.Errorf("contenders %q, want %q", contenders, want)
	}
}

// Filters are compared with the way of stock that kills more: the default one of two equal.
func TestTheBetterWayOfStock(t *testing.T) {
	rs := recordsOf(
		runsOf("a", stock, 4, 6), runsOf("a", stockQuick, 5, 5), runsOf("b", stock, 4), runsOf("b", stockQuick, 5, 4),
		runsOf("c", stockQuick, 3), runsOf("d", stock, 3),
	)
	for target, want := range map[string]string{"a": stock, "b": stockQuick, "c": stockQuick, "d": stock, "none": stock} {
		if got := rs.better(target); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}

// Runs without a result are in no figure.
func TestFailedRunsCountNowhere(t *testing.T) {
	failed := runsOf("a", "all", 90)[0]
	failed.Error, failed.Rep = "it broke", 2
	rs := recordsOf(runsOf("a", "all", 10, 20), []record{failed})
	if got := mean(rs.of("a", "all"), kills); got != 15 {
		t.Errorf("mean of kills %v, want 15", got)
	}
	if !rs.has(failed) {
		t.Error("the failed run is made again in the same process")
	}
}

// Neither stock nor the seeds are compared with stock.
func TestWhatIsComparedWithStock(t *testing.T) {
	base := runsOf("a", stock, 10, 11, 12)
	for _, c := range []struct {
		contender string
		base      []record
		compared  bool
	}{{"all", base, true}, {stockQuick, base, true}, {stock, base, false}, {seedsAlone, base, false}, {"all", nil, false}} {
		cells := against(runsOf("a", c.contender, 20, 21, 22), c.base, kills)
		if n := strings.Count(cells, "\t"); n != 1 {
			t.Errorf("%s: %d cells in %q, want 2", c.contender, n+1, cells)
		}
		if (cells != "\t") != c.compared {
			t.Errorf("%s is compared: %q", c.contender, cells)
		}
	}
	if cells := against(runsOf("a", "all", 20, 21, 22), base, kills); !strings.HasSuffix(cells, "\t1.00") {
		t.Errorf("all runs kill more, and the effect size is that of %q", cells)
	}
}

func TestDamagedFilesOfRecords(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text string
		runs       int
		line       string // of the error; "": there is none
	}{
		{"empty", "", 0, ""},
		{"half of the settings", `{"Time": "1s"`, 0, ""},
		{"no run", "{\"Time\": \"1s\"}\n", 0, ""},
		{"no settings", "what\n", 0, ":1: "},
		{"a line that is no run", "{\"Time\": \"1s\"}\n{\"Target\": \"a\"}\nwhat\n", 0, ":3: "},
		{"a failed run", "{\"Time\": \"1s\"}\n{\"Target\": \"a\"}\n{\"Target\": \"b\", \"Error\": \"no\"}\n", 1, ""},
	} {
		path := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"))
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		rs, err := readRecords(path)
		if c.line != "" {
			if err == nil || !strings.Contains(err.Error(), path+c.line) {
				t.Errorf("%s: the error does not name %s%s: %v", c.name, path, c.line, err)
			}
			continue
		}
		if err != nil || len(rs.list) != c.runs {
			t.Errorf("%s: %v, want %d runs", c.name, err, c.runs)
		}
	}
	if _, err := readRecords(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := RunFuzz([]string{"-print", "-o", filepath.Join(dir, "none")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("-print of a file that is not there: %v", err)
	}
}

// Without -resume the file begins again.
func TestRecordsBeginAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs")
	for _, n := range []int{3, 1} {
		rs, err := openRecords(path, settings{Time: "1s"}, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runsOf("a", stock, make([]int, n)...) {
			if err := rs.add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := rs.file.Close(); err != nil {
			t.Fatal(err)
		}
		if read, err := readRecords(path); err != nil || len(read.list) != n {
			t.Errorf("%v, want %d runs", err, n)
		}
	}
}

package fuzzing

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/worth"
)

// settings are what a comparison is made with. They are the first line of the
// file of records.
type settings struct {
	Time      string // of each run
	StockTime string // of each run of stock, if it is another
	Machine   string
}

// record is one run of one contender on one target, and what its corpus is worth.
type record struct {
	Target    string // directory and fuzz test: gjson.FuzzGet
	Contender string
	Rep       int

	Executions int64
	CPU, Wall  float64 // seconds, without builds
	Fuzzed     float64 // of Wall, without reading the corpus before and choosing from it after
	FuzzCPU    float64 // of CPU, until fuzzing ended
	Failing    int     // failing inputs, or buckets of them
	worth.Worth
	Written *written `json:",omitempty"` // of fuzzmut

	Error string `json:",omitempty"` // why there is no result
}

// written is the smaller corpus that fuzzmut writes in the end, as it reports it.
type written struct {
	Entries, Killed int
	worth.Replayed
}

// id tells runs apart.
func (r *record) id() string { return fmt.Sprintf("%s %s %d", r.Target, r.Contender, r.Rep) }

// records are the runs made so far, kept in a file with a line for each, so that a
// bench that was stopped can go on.
type records struct {
	settings settings

	mu   sync.Mutex
	list []record
	done map[string]bool
	file *os.File // nil if nothing is kept
	size int64    // of the file, as far as its lines are whole
}

// openRecords opens the file of records. With resume it goes on with what is
// there, which must have been made with the same settings.
func openRecords(path string, s settings, resume bool) (*records, error) {
	rs := &records{settings: s, done: make(map[string]bool)}
	if path == "" {
		return rs, nil
	}
	if resume {
		old, err := readRecords(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case old.settings != s:
			return nil, fmt.Errorf("%s was made with %+v, not %+v: leave -resume out, or name another file with -o", path, old.settings, s)
		default:
			old.file, err = os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, err
			}
			_, err = old.file.Seek(old.size, io.SeekStart)
			return old, errors.Join(err, old.file.Truncate(old.size))
		}
	}
	var err error
	if rs.file, err = os.Create(path); err != nil {
		return nil, err
	}
	return rs, rs.write(s)
}

// readRecords reads a file of records. Runs that failed are left out: they are to
// be made again. So is a last line that is not whole.
func readRecords(path string) (*records, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rs := &records{done: make(map[string]bool)}
	in := bufio.NewReader(bytes.NewReader(data))
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return rs, nil // the end, or half a line
		}
		rs.size += int64(len(line))
		var r record
		var to any = &r
		if n == 1 {
			to = &rs.settings
		}
		if err := json.Unmarshal(line, to); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if n > 1 && r.Error == "" {
			rs.list = append(rs.list, r)
			rs.done[r.id()] = true
		}
	}
}

// has reports whether a run has been made.
func (rs *records) has(r record) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.done[r.id()]
}

// add keeps a run.
func (rs *records) add(r record) error {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.list = append(rs.list, r)
	rs.done[r.id()] = true
	return rs.write(&r)
}

func (rs *records) write(v any) error {
	if rs.file == nil {
		return nil
	}
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = rs.file.Write(append(line, '\n'))
	return err
}

// of lists the runs of a contender on a target that have a result.
func (rs *records) of(target, contender string) []record {
	var list []record
	for _, r := range rs.list {
		if r.Target == target && r.Contender == contender && r.Error == "" {
			list = append(list, r)
		}
	}
	return list
}

// Package runlog writes and reads the log of a run: how coverage and kills grew
// with time and executions. It is a contract with scripts, described in
// cmd/fuzzmut/help/log.txt: lines of JSON, for each fuzz test one that describes the
// run, and then points.
package runlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Version is that of the format.
const Version = 1

// Run describes a run of one fuzz test.
type Run struct {
	Log      int    `json:"log"` // version of the format
	Package  string `json:"package"`
	Fuzz     string `json:"fuzz"`
	Filter   string `json:"filter"`
	Seed     uint64 `json:"seed"`
	FuzzTime string `json:"fuzztime"` // as -fuzztime takes it
	Parallel int    `json:"parallel"`
	Mutants  int    `json:"mutants"` // that can be run
	Blocks   int    `json:"blocks"`  // to cover
}

// Point is where a run stood.
type Point struct {
	Seconds          float64 `json:"seconds"` // since fuzzing began
	Executions       int64   `json:"executions"`
	MutantExecutions int64   `json:"mutant_executions"`
	Covered          int     `json:"covered"` // blocks
	Killed           int     `json:"killed"`  // mutants
	Corpus           int     `json:"corpus"`  // inputs in use
	Buckets          int     `json:"buckets"` // of failing inputs
}

// Writer writes a log, in whole lines.
type Writer struct {
	w io.Writer
}

// NewWriter returns a Writer on w, which is given one line at a time.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// Begin writes the line that describes a run.
func (w *Writer) Begin(r Run) error {
	r.Log = Version
	return w.line(r)
}

// Add writes a point of the run that has begun.
func (w *Writer) Add(p Point) error { return w.line(p) }

func (w *Writer) line(v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		_, err = w.w.Write(append(data, '\n'))
	}
	return err
}

// Series is a run with its points.
type Series struct {
	Run
	Points []Point
}

// Read reads a log. It is an error if there is no point in it. The error names the line
// and says what to do.
func Read(data []byte) ([]Series, error) {
	var list []Series
	n := 0
	for text := range bytes.Lines(data) {
		n++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		var err error
		if list, err = addLine(list, text); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if !slices.ContainsFunc(list, func(s Series) bool { return len(s.Points) > 0 }) {
		return nil, errors.New("the log is empty")
	}
	return list, nil
}

// addLine adds what a line says to the runs before it.
func addLine(list []Series, text []byte) ([]Series, error) {
	var line struct {
		Run
		Point
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	err := in.Decode(&line)
	if err == nil && in.InputOffset() < int64(len(text)) {
		err = errors.New("data after the line's object")
	}
	switch {
	case line.Log != 0 && line.Log != Version:
		return nil, fmt.Errorf("the log is of version %d, and this fuzzmut reads version %d", line.Log, Version)
	case err != nil:
		return nil, fmt.Errorf("not a log of fuzzmut: %w; remove the line if the run was interrupted there", err)
	case line.Log == Version && line.Point != Point{}:
		return nil, errors.New("a run and a point in one line: the log was changed; write it again")
	case line.Log == Version:
		return append(list, Series{Run: line.Run}), line.Run.check()
	case line.Run != Run{}:
		return nil, errors.New("a run without a version: the log was changed; write it again")
	case len(list) == 0:
		return nil, errors.New("not a log of fuzzmut: it does not begin with a run")
	}
	last := &list[len(list)-1]
	last.Points = append(last.Points, line.Point)
	return list, line.Point.check()
}

// No run comes near these: beyond them numbers can't be drawn, nor distinguished.
const (
	mostSeconds = 1e9
	mostCounted = 1e15
)

func (r *Run) check() error {
	return checkCounts(int64(r.Parallel), int64(r.Mutants), int64(r.Blocks))
}

func (p *Point) check() error {
	if p.Seconds < 0 || p.Seconds > mostSeconds {
		return fmt.Errorf("%g seconds is not possible: the log was changed; write it again", p.Seconds)
	}
	return checkCounts(p.Executions, p.MutantExecutions, int64(p.Covered), int64(p.Killed), int64(p.Corpus), int64(p.Buckets))
}

func checkCounts(counts ...int64) error {
	for _, n := range counts {
		if n < 0 || n > mostCounted {
			return fmt.Errorf("a count of %d is not possible: the log was changed; write it again", n)
		}
	}
	return nil
}

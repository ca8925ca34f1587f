package share

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
)

// Record is what a log says at one place. At most one of its facts is set; with none, it is of
// a kind that a later fuzzmut writes.
type Record struct {
	Fuzz string `json:"fuzz,omitempty"` // the fuzz test that a fact is about

	Begin   *Begin   `json:"begin,omitempty"`
	Kill    *Kill    `json:"kill,omitempty"`
	Cover   *Cover   `json:"cover,omitempty"`
	Fail    *Fail    `json:"fail,omitempty"`
	Verdict *Verdict `json:"verdict,omitempty"`
	Cells   *Cells   `json:"cells,omitempty"`
}

// Begin is the first record of a log.
type Begin struct {
	Package string `json:"package"` // import path of the package under test
}

// Kill says that an input kills a mutant.
type Kill struct {
	Mutant uint32 `json:"mutant"` // its number in the binary
	Input  string `json:"input"`  // its hash
	Kind   string `json:"kind"`   // as package oracle names it
}

// Cover says what an input shows of the original.
type Cover struct {
	Input    string   `json:"input"`
	Size     int      `json:"size"` // of its file, in bytes
	Cost     int64    `json:"cost"` // fuel
	Features []uint32 `json:"features"`
}

// Fail says that an input fails, and with which stack.
type Fail struct {
	Input string `json:"input"`
	Key   string `json:"key"`
}

// Verdict is what the tests of the package said of a mutant.
type Verdict struct {
	Package   string           `json:"package"` // import path of the mutant
	Mutant    string           `json:"mutant"`  // instrument.Mutant.ID
	Key       string           `json:"key"`     // hash of what it depends on, apart from the binary
	Verdict   verdicts.Verdict `json:"verdict"`
	Withdrawn bool             `json:"withdrawn,omitempty"` // the process has taken it back
}

// Cells says what one of several parts of the mutants makes of a failing input: all of the part
// have been tried.
type Cells struct {
	Input    string              `json:"input"`
	Part     int                 `json:"part"` // from 1
	Parts    int                 `json:"parts"`
	Fuel     int64               `json:"fuel"`     // that a run with a mutant may burn
	Identity string              `json:"identity"` // of the failure: failure.Identity
	Counters []uint32            `json:"counters"` // that the original hits
	Tried    []uint32            `json:"tried"`    // mutants, by their numbers in the binary
	Repaired []uint32            `json:"repaired"` // mutants with which the input passes
	Changed  []uint32            `json:"changed"`  // mutants with which it fails in another way
	Moved    map[uint32][]uint32 `json:"moved"`    // by repairing mutant, counters whose being hit changes
	Runs     int64               `json:"runs"`     // of mutants
}

// partsMost bounds the parts of the mutants.
const partsMost = 1 << 12

// head begins a log.
const head = "fuzzmut share log 1\n"

const (
	frameHead  = 8 // length and checksum, before each record
	recordMost = 1 << 20
	mutantMost = 1 << 24
	textMost   = 64 << 10 // of a key
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns a record as it stands in a log: the length of its text, a checksum of length
// and text, and the text.
func encode(r *Record) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if len(text) > recordMost {
		return nil, errTooLong
	}
	frame := make([]byte, frameHead, frameHead+len(text))
	binary.LittleEndian.PutUint32(frame, uint32(len(text)))
	binary.LittleEndian.PutUint32(frame[4:], checksum(frame[:4], text))
	return append(frame, text...), nil
}

var errTooLong = errors.New("a record of more than a megabyte")

func checksum(length, text []byte) uint32 {
	return crc32.Update(crc32.Checksum(length, castagnoli), castagnoli, text)
}

// parse reads the records of a part of a log that begins with one. It stops at a record that is
// not whole: its process may be writing it, or was ended meanwhile. n is the length of what was
// read. The error says what is wrong with the record that begins there.
func parse(data []byte) (list []Record, n int, err error) {
	for {
		rest := data[n:]
		if len(rest) < frameHead {
			return list, n, nil
		}
		length := binary.LittleEndian.Uint32(rest)
		if length == 0 && len(bytes.Trim(rest, "\x00")) == 0 {
			return list, n, nil // a file system may leave zeros where a write was lost
		}
		if length == 0 || length > recordMost {
			return list, n, fmt.Errorf("a record of %d bytes", length)
		}
		if len(rest) < frameHead+int(length) {
			return list, n, nil
		}
		text := rest[frameHead : frameHead+int(length)]
		if checksum(rest[:4], text) != binary.LittleEndian.Uint32(rest[4:]) {
			return list, n, errors.New("a wrong checksum")
		}
		var r Record
		if err := json.Unmarshal(text, &r); err != nil {
			return list, n, fmt.Errorf("no record: %w", err)
		}
		if err := r.check(); err != nil {
			return list, n, err
		}
		list, n = append(list, r), n+frameHead+int(length)
	}
}

// check makes sure that a record is one that could have been written.
func (r *Record) check() error {
	if r.Fuzz != "" && (strings.ContainsAny(r.Fuzz, `/\`) || !filepath.IsLocal(r.Fuzz)) {
		return errors.New("a name that no fuzz test has")
	}
	if r.Fuzz == "" && (r.Kill != nil || r.Cover != nil || r.Fail != nil || r.Cells != nil) {
		return errors.New("a fact of no fuzz test")
	}
	switch {
	case r.Begin != nil && (r.Begin.Package == "" || !filepath.IsLocal(filepath.FromSlash(r.Begin.Package))):
		return errors.New("a package that can't be")
	case r.Kill != nil && (r.Kill.Mutant == 0 || r.Kill.Mutant > mutantMost || !isInputHash(r.Kill.Input)):
		return errors.New("a kill that can't be")
	case r.Cover != nil && (!isInputHash(r.Cover.Input) || r.Cover.Size < 0 || r.Cover.Cost < 0):
		return errors.New("a coverage that can't be")
	case r.Fail != nil && (!isInputHash(r.Fail.Input) || len(r.Fail.Key) > textMost):
		return errors.New("a failure that can't be")
	case r.Verdict != nil:
		return r.Verdict.check()
	case r.Cells != nil:
		return r.Cells.check()
	}
	return nil
}

func (c *Cells) check() error {
	if !isInputHash(c.Input) || c.Part < 1 || c.Part > c.Parts || c.Parts > partsMost || c.Fuel < 1 || c.Runs < 0 || len(c.Identity) > textMost {
		return errors.New("cells that can't be")
	}
	wrong := func(m uint32) bool { return m == 0 || m > mutantMost }
	if slices.ContainsFunc(slices.Concat(c.Tried, c.Repaired, c.Changed), wrong) {
		return errors.New("cells of no mutant")
	}
	far := func(counter uint32) bool { return counter > mutantMost }
	for m, counters := range c.Moved {
		if !slices.Contains(c.Repaired, m) || slices.ContainsFunc(counters, far) {
			return errors.New("cells that repair nothing")
		}
	}
	if slices.ContainsFunc(c.Counters, far) {
		return errors.New("cells that cover what can't be")
	}
	return nil
}

func (v *Verdict) check() error {
	if v.Package == "" || v.Mutant == "" || v.Key == "" {
		return errors.New("a verdict on nothing")
	}
	return v.Verdict.Check()
}

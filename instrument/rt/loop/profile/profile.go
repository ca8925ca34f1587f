// Package profile finds out where processor time goes, by the profile of the runtime: also in code that burns
// no fuel, as what is not rewritten.
package profile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime/pprof"
)

// A Frame is a call on a stack.
type Frame struct {
	Function, File string
	Line           int
}

// A Sample is a stack, innermost call first, and how often it was seen.
type Sample struct {
	Frames []Frame
	Count  int64
}

// Of calls a function until it returns false, and returns the stacks that were seen, a hundred in a second of
// processor time. It fails if a profile is being taken already, or if the system has none.
func Of(run func() (goOn bool)) ([]Sample, error) {
	var zipped bytes.Buffer
	if err := pprof.StartCPUProfile(&zipped); err != nil {
		return nil, fmt.Errorf("no profile: %w", err)
	}
	func() {
		defer pprof.StopCPUProfile()
		for run() {
		}
	}()
	unzipped, err := gzip.NewReader(&zipped)
	if err != nil {
		return nil, fmt.Errorf("the profile: %w", err)
	}
	data, err := io.ReadAll(unzipped)
	if err != nil {
		return nil, fmt.Errorf("the profile: %w", err)
	}
	return parse(data)
}

// errForm says that a profile is not what it should be.
var errForm = errors.New("the profile can't be read")

// The fields of the messages of profile.proto that are read.
const (
	profileSample, profileLocation, profileFunction, profileString = 2, 4, 5, 6

	sampleLocation, sampleValue            = 1, 2
	locationID, locationLine               = 1, 4
	lineFunction, lineLine                 = 1, 2
	functionID, functionName, functionFile = 1, 2, 4
)

// tables are what samples refer to.
type tables struct {
	texts     []string
	functions map[uint64][2]uint64 // name and file, in texts
	lines     map[uint64][][2]uint64
}

// parse reads a profile.
func parse(data []byte) (list []Sample, err error) {
	t := tables{functions: make(map[uint64][2]uint64), lines: make(map[uint64][][2]uint64)}
	var samples [][]byte
	err = fields(data, func(field int, _ uint64, part []byte) error {
		switch field {
		case profileSample:
			samples = append(samples, part)
		case profileString:
			t.texts = append(t.texts, string(part))
		case profileFunction:
			return t.function(part)
		case profileLocation:
			return t.location(part)
		}
		return nil
	})
	for _, s := range samples {
		if err != nil {
			return nil, err
		}
		var sample Sample
		if sample, err = t.sample(s); sample.Count > 0 {
			list = append(list, sample)
		}
	}
	return list, err
}

func (t *tables) function(data []byte) error {
	var id uint64
	var names [2]uint64
	err := fields(data, func(field int, n uint64, _ []byte) error {
		switch field {
		case functionID:
			id = n
		case functionName:
			names[0] = n
		case functionFile:
			names[1] = n
		}
		return nil
	})
	t.functions[id] = names
	return err
}

// location takes in a place: the calls that are inlined there stand before the one that they are inlined in.
func (t *tables) location(data []byte) error {
	var id uint64
	var lines [][2]uint64
	err := fields(data, func(field int, n uint64, part []byte) error {
		switch field {
		case locationID:
			id = n
		case locationLine:
			var line [2]uint64
			err := fields(part, func(field int, n uint64, _ []byte) error {
				if field == lineFunction || field == lineLine {
					line[field-lineFunction] = n
				}
				return nil
			})
			lines = append(lines, line)
			return err
		}
		return nil
	})
	t.lines[id] = lines
	return err
}

func (t *tables) sample(data []byte) (s Sample, err error) {
	var ids, values []uint64
	err = fields(data, func(field int, n uint64, part []byte) (err error) {
		switch field {
		case sampleLocation:
			ids, err = numbers(ids, n, part)
		case sampleValue:
			values, err = numbers(values, n, part)
		}
		return err
	})
	if err != nil || len(values) == 0 {
		return s, err
	}
	s.Count = int64(values[0])
	for _, id := range ids {
		for _, line := range t.lines[id] {
			names := t.functions[line[0]]
			s.Frames = append(s.Frames, Frame{t.text(names[0]), t.text(names[1]), int(line[1])})
		}
	}
	return s, nil
}

func (t *tables) text(i uint64) string {
	if i < uint64(len(t.texts)) {
		return t.texts[i]
	}
	return ""
}

// numbers appends a repeated number: one, or several that are packed.
func numbers(list []uint64, n uint64, packed []byte) ([]uint64, error) {
	if packed == nil {
		return append(list, n), nil
	}
	for len(packed) > 0 {
		n, size := varint(packed)
		if size == 0 {
			return nil, errForm
		}
		list, packed = append(list, n), packed[size:]
	}
	return list, nil
}

// fields calls a function for each field of a message, with its number, or its bytes.
func fields(data []byte, each func(field int, n uint64, part []byte) error) error {
	const number, fixed64, sized, fixed32 = 0, 1, 2, 5
	for len(data) > 0 {
		key, size := varint(data)
		if size == 0 {
			return errForm
		}
		data = data[size:]
		var n uint64
		var part []byte
		switch key & 7 {
		case number, sized:
			if n, size = varint(data); size == 0 {
				return errForm
			}
			data = data[size:]
		case fixed64:
			n, part = 8, nil
		case fixed32:
			n, part = 4, nil
		default:
			return errForm
		}
		if key&7 != number {
			if n > uint64(len(data)) {
				return errForm
			}
			part, data = data[:n:n], data[n:]
		}
		if err := each(int(key>>3), n, part); err != nil {
			return err
		}
	}
	return nil
}

// varint reads a number, and returns how many bytes it has; 0: there is none.
func varint(data []byte) (n uint64, size int) {
	for i, b := range data[:min(len(data), 10)] {
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}

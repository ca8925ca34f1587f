// Package corrupt damages files of the kinds that fuzzmut reads, and checks what becomes
// of them: a damaged file is refused, or all that it says is taken in. Nothing is read by
// half, nothing panics.
package corrupt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
)

// A Tally counts what became of the damaged files of one kind.
type Tally struct {
	Kind    string
	Files   int
	Refused int      // with an error
	Whole   int      // taken in whole: the damage was none, or made another valid file
	Wrong   []string // panics, and what was taken in by half: the damage, and what is wrong
}

// Check damages the sample of a kind in n ways, which the seed draws, and has each read.
// It works in a temporary directory. The error is one of the sample, or the directory.
func Check(k Kind, n int, seed uint64) (Tally, error) {
	t := Tally{Kind: k.Name}
	sample, err := k.Sample()
	if err != nil {
		return t, fmt.Errorf("%s: %w", k.Name, err)
	}
	dir, err := os.MkdirTemp("", "corrupt-")
	if err != nil {
		return t, err
	}
	defer os.RemoveAll(dir)
	if lost, err := k.read(dir, sample); err != nil || lost != "" {
		return t, fmt.Errorf("%s: the sample itself can't be read: %s %w", k.Name, lost, err)
	}
	rnd := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		d := damages[i%len(damages)]
		data := d.do(rnd, bytes.Clone(sample))
		t.Files++
		switch lost, err := k.read(dir, data); {
		case lost != "":
			t.Wrong = append(t.Wrong, fmt.Sprintf("%s, file %d of seed %d: %s", d.name, i, seed, lost))
		case err != nil:
			t.Refused++
		default:
			t.Whole++
		}
	}
	return t, nil
}

// read reads data, and says what was lost of it: all, if reading panics.
func (k *Kind) read(dir string, data []byte) (lost string, err error) {
	defer func() {
		if v := recover(); v != nil {
			lost = fmt.Sprintf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return k.Read(dir, data)
}

// A damage is what can happen to a file.
type damage struct {
	name string
	do   func(r *rand.Rand, data []byte) []byte
}

var damages = []damage{
	{"cut off", func(r *rand.Rand, data []byte) []byte { return data[:r.IntN(len(data))] }},
	{"a bit turned", func(r *rand.Rand, data []byte) []byte {
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		return data
	}},
	{"a line twice", func(r *rand.Rand, data []byte) []byte {
		from, to := someLine(r, data)
		return splice(data, to, to, data[from:to])
	}},
	{"a line lost", func(r *rand.Rand, data []byte) []byte {
		from, to := someLine(r, data)
		return splice(data, from, to, nil)
	}},
	{"a wild number", wildNumber},
	{"invalid UTF-8", func(r *rand.Rand, data []byte) []byte {
		at := r.IntN(len(data))
		return splice(data, at, at, []byte("\xff\xfe\xc0"))
	}},
	{"line ends of Windows", func(_ *rand.Rand, data []byte) []byte { return bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) }},
	{"zeros", func(r *rand.Rand, data []byte) []byte {
		at := r.IntN(len(data))
		clear(data[at:min(len(data), at+1+r.IntN(64))])
		return data
	}},
	{"bytes lost", func(r *rand.Rand, data []byte) []byte {
		at := r.IntN(len(data))
		return splice(data, at, min(len(data), at+1+r.IntN(16)), nil)
	}},
	{"written twice", func(r *rand.Rand, data []byte) []byte { return append(data, data...) }},
	{"overwritten", func(r *rand.Rand, data []byte) []byte {
		return append([]byte("<<<<<<< HEAD\n"), data[r.IntN(len(data)):]...)
	}},
	{"a byte order mark", func(_ *rand.Rand, data []byte) []byte { return append([]byte("\ufeff"), data...) }},
	{"a long line", func(r *rand.Rand, data []byte) []byte {
		at, _ := someLine(r, data)
		return splice(data, at, at, bytes.Repeat([]byte("x"), 1<<20))
	}},
	{"deep nesting", func(r *rand.Rand, data []byte) []byte {
		at, _ := someLine(r, data)
		return splice(data, at, at, bytes.Repeat([]byte("["), 100_000))
	}},
}

// splice replaces a part of data.
func splice(data []byte, from, to int, by []byte) []byte {
	return bytes.Join([][]byte{data[:from], by, data[to:]}, nil)
}

// someLine returns where a line begins and ends, its line end included.
func someLine(r *rand.Rand, data []byte) (from, to int) {
	at := r.IntN(len(data))
	from = bytes.LastIndexByte(data[:at], '\n') + 1
	if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
		return from, at + n + 1
	}
	return from, len(data)
}

// wildNumber replaces a number by one that is too large, too small, or none.
func wildNumber(r *rand.Rand, data []byte) []byte {
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	var starts []int
	for i, c := range data {
		if isDigit(c) && (i == 0 || !isDigit(data[i-1])) {
			starts = append(starts, i)
		}
	}
	if len(starts) == 0 {
		return data
	}
	wild := []string{"9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e308", "-1", "2000000000", "99999999999999999999999999", "1e-400", "0x7f"}
	from := starts[r.IntN(len(starts))]
	to := from
	for to < len(data) && isDigit(data[to]) {
		to++
	}
	return splice(data, from, to, []byte(wild[r.IntN(len(wild))]))
}

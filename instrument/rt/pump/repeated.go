package pump

import (
	"bytes"
	"cmp"
	"slices"
)

// Bounds on what counts as repeated.
const (
	// unitMost bounds the length of a part that is looked for.
	unitMost = 64
	// repeatsLeast is how often a part stands in a row at least, and runLeast how many bytes that is.
	repeatsLeast, runLeast = 4, 16
	// runsMost bounds the rows of a text.
	runsMost = 4
	// pairTimes is how many times longer one row of a pair may be than the other, in repetitions.
	pairTimes = 2
)

// run is a row of equal parts in a text.
type run struct {
	from, to, unit int // offsets, and the length of a part
}

func (r run) times() int { return (r.to - r.from) / r.unit }

// Repeated cuts a text at parts that stand in it many times in a row: pairs of rows first, and
// then each row, the longest first. Numbers in the parts may differ, as those of a list do; those that are
// written with letters count from "a" on.
// covered is how many bytes of the text the rows take.
func Repeated(text []byte) (pumps []Pump, covered int) {
	plain := runs(text)
	short, at := withoutDigits(text)
	for _, r := range plain {
		covered += r.to - r.from
	}
	pumps = pairs(text, plain)
	for _, r := range plain {
		pumps = append(pumps, single(text, r))
	}
	numbered := 0
	if p, n := lettered(text); n > 0 {
		pumps, numbered = append(pumps, p), n
	}
	if len(short) == len(text) {
		return pumps, max(covered, numbered)
	}
	for _, r := range runs(short) {
		p, ok := counted(text, short, at, r)
		if ok {
			pumps, numbered = append(pumps, p), numbered+at[r.to]-at[r.from]
		}
	}
	return pumps, max(covered, numbered)
}

// runs lists the rows of a text, the longest first. None overlaps a longer one.
func runs(text []byte) (list []run) {
	var all []run
	for unit := 1; unit <= min(unitMost, len(text)/repeatsLeast); unit++ {
		from := 0
		for i := unit; i <= len(text); i++ {
			if i < len(text) && text[i] == text[i-unit] {
				continue
			}
			if r := (run{from, from + (i-from)/unit*unit, unit}); r.times() >= repeatsLeast && r.to-r.from >= runLeast {
				all = append(all, r)
			}
			from = i - unit + 1
		}
	}
	slices.SortStableFunc(all, func(a, b run) int { // of equal rows, those of the shorter part come first
		return cmp.Or(cmp.Compare((b.to-b.from)/runLeast, (a.to-a.from)/runLeast), cmp.Compare(a.unit, b.unit))
	})
	for _, r := range all {
		overlaps := func(have run) bool { return r.from < have.to && have.from < r.to }
		if len(list) < runsMost && !slices.ContainsFunc(list, overlaps) {
			list = append(list, r)
		}
	}
	return list
}

func single(text []byte, r run) Pump {
	p := Pump{Prefix: text[:r.from], First: text[r.from : r.from+r.unit], Suffix: text[r.to:]}
	return p.Clone()
}

// pairs cuts at two rows with about as many repetitions: what opens, and what closes.
func pairs(text []byte, list []run) (pumps []Pump) {
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.times() > pairTimes*b.times() || b.times() > pairTimes*a.times() {
				continue
			}
			first, second := a, b
			if second.from < first.from {
				first, second = second, first
			}
			p := Pump{
				Prefix: text[:first.from], First: text[first.from : first.from+first.unit], Middle: text[first.to:second.from],
				Second: text[second.from : second.from+second.unit], Suffix: text[second.to:],
			}
			pumps = append(pumps, p.Clone())
		}
	}
	return pumps
}

// lettered cuts at the longest row of parts that are numbered with letters, and returns how many
// bytes it takes; 0: there is none.
func lettered(text []byte) (p Pump, covered int) {
	for from := 0; from < len(text); from++ {
		if text[from] != 'a' {
			continue
		}
		for unit := 2; unit <= unitMost && from+2*unit < len(text); unit++ {
			if text[from+unit] != 'b' || text[from+2*unit] != 'c' {
				continue
			}
			q := Pump{Prefix: text[:from], First: text[from+1 : from+unit], Count: true, Letters: true}
			if to, times := q.counts(text, from); times >= repeatsLeast && to-from >= runLeast && to-from > covered {
				q.Suffix = text[to:]
				p, covered = q.Clone(), to-from
			}
		}
		if covered > (len(text)-from)/2 {
			break // what begins later is shorter, or not much longer
		}
	}
	return p, covered
}

// counts returns how often First stands in a text from an offset on, with a number before it each time,
// and where that ends.
func (p *Pump) counts(text []byte, from int) (to, times int) {
	var part []byte
	for to = from; ; times++ {
		part = append(p.number(part[:0], times), p.First...)
		if !bytes.HasPrefix(text[to:], part) {
			return to, times
		}
		to += len(part)
	}
}

// withoutDigits writes each number in a text as one digit. at has, for each byte of it and for
// its end, the offset in the text.
func withoutDigits(text []byte) (short []byte, at []int) {
	for i, c := range text {
		if isDigit(c) {
			if i > 0 && isDigit(text[i-1]) {
				continue
			}
			c = '0'
		}
		short, at = append(short, c), append(at, i)
	}
	return short, append(at, len(text))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// counted cuts at a row of parts that have one number each.
func counted(text, short []byte, at []int, r run) (Pump, bool) {
	unit := short[r.from : r.from+r.unit]
	digit := bytes.IndexByte(unit, '0')
	if digit < 0 || bytes.Count(unit, []byte("0")) != 1 {
		return Pump{}, false
	}
	p := Pump{
		Prefix: text[:at[r.from]], First: slices.Delete(bytes.Clone(unit), digit, digit+1), Suffix: text[at[r.to]:],
		Count: true, FirstAt: digit,
	}
	return p.Clone(), p.Valid()
}

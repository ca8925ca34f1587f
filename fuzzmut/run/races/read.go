package races

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Race is a pair of places in the user's code at which two goroutines access the same memory, in
// no order.
type Race struct {
	Places   [2]string // "pkg.Func file:line", the smaller first
	Accesses [2]string // "read", "write" and the like, of the same order
}

// Key names the pair.
func (r *Race) Key() string { return "race\n" + r.Places[0] + "\n" + r.Places[1] }

// Outcome is the race as a failure.
func (r *Race) Outcome() wire.Outcome {
	_, second, _ := strings.Cut(r.Places[1], " ")
	return wire.Outcome{
		Kind:    wire.Race,
		Message: fmt.Sprintf("%s and %s of the same memory by two goroutines, the other at %s", r.Accesses[0], r.Accesses[1], base(second)),
		Frames:  r.Places[:],
	}
}

// base is a position without its directories.
func base(pos string) string { return pos[strings.LastIndexAny(pos, `/\`)+1:] }

const (
	reportBegin = "WARNING: DATA RACE\n"
	reportEnd   = "=================="
)

// complete returns how much of a text has no report that is not yet whole.
func complete(text string) int {
	if last := strings.LastIndex(text, reportBegin); last >= 0 && !strings.Contains(text[last:], reportEnd) {
		return last
	}
	return len(text)
}

// read returns the races in what the race detector has written, in its order. An access has the place
// of its innermost frame in one of the packages; a race without one on both sides is left out.
func read(text string, packages []string) (list []Race) {
	for {
		_, rest, ok := strings.Cut(text, reportBegin)
		if !ok {
			return list
		}
		report, after, ok := strings.Cut(rest, reportEnd)
		if !ok {
			return list
		}
		if r, ok := readOne(report, packages); ok {
			list = append(list, r)
		}
		text = after
	}
}

// readOne reads one report.
func readOne(report string, packages []string) (r Race, ok bool) {
	var accesses, places []string
	for block := range strings.SplitSeq(report, "\n\n") {
		head, stack, _ := strings.Cut(strings.TrimLeft(block, "\n"), "\n")
		what, _, isAccess := strings.Cut(head, " at 0x")
		if !isAccess {
			continue
		}
		place := innermost(stack, packages)
		if place == "" {
			return r, false
		}
		what = strings.ToLower(strings.TrimSpace(what))
		accesses, places = append(accesses, strings.TrimPrefix(what, "previous ")), append(places, place)
	}
	if len(places) != 2 {
		return r, false
	}
	if cmp.Compare(places[0], places[1]) > 0 {
		places[0], places[1] = places[1], places[0]
		accesses[0], accesses[1] = accesses[1], accesses[0]
	}
	return Race{Places: [2]string(places), Accesses: [2]string(accesses)}, true
}

// innermost returns the first frame of a stack that is in one of the packages; "" for none.
func innermost(stack string, packages []string) string {
	function := ""
	for line := range strings.SplitSeq(stack, "\n") {
		line, isPlace := strings.CutPrefix(line, "      ")
		if !isPlace {
			function = strings.TrimSuffix(strings.TrimSpace(line), "()")
			continue
		}
		pos, _, _ := strings.Cut(line, " +0x")
		if failure.InPackages(function, packages) {
			return function + " " + pos
		}
	}
	return ""
}

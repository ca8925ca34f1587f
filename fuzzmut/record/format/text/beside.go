package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// beside is what one fuzz test of a result has in common with the others: a mutant that lives
// with it is listed once in the result, and not at all if another one kills it.
type beside struct {
	*report.Together
	listed map[[2]string]*report.FuzzTest // the first under which a mutant stands
	of     *report.FuzzTest               // which is written
}

func besides(tests []report.FuzzTest) *beside {
	return &beside{Together: report.TakeTogether(tests), listed: make(map[[2]string]*report.FuzzTest)}
}

// elsewhere counts mutants that live with a fuzz test and are not listed there.
type elsewhere struct {
	killed    tally // survivors that others kill
	survive   tally // survivors that are listed before
	uncovered tally // those that it does not cover and that are listed before
	covered   int   // those that it does not cover, and others do
}

// A tally counts mutants, and names fuzz tests.
type tally struct {
	n     int
	names []string
}

func (c *tally) add(name string) {
	if c.n++; !slices.Contains(c.names, name) {
		c.names = append(c.names, name)
	}
}

// toList divides mutants of the fuzz test into those that are listed with it, with the killed ones, and those that
// are not.
func (b *beside) toList(ms []report.Mutant) (list []report.Mutant, rest elsewhere) {
	for i, seen := range b.Beside(ms) {
		m, killed, listed := &ms[i], seen.Status == report.Killed, true
		before := b.listed[m.Key()]
		switch survives := m.Survives(); {
		case !survives && !unreached(m):
		case survives && killed:
			rest.killed.add(b.Killer(b.of, m))
		case !survives && b.Reached(m):
			rest.covered++
			listed = killed
		case before == nil || before == b.of:
			b.listed[m.Key()] = b.of
		case survives:
			rest.survive.add(b.of.Qualified(before.Package, before.Name))
			listed = false
		default:
			rest.uncovered.add(b.of.Qualified(before.Package, before.Name))
			listed = false
		}
		if listed {
			list = append(list, seen)
		}
	}
	return list, rest
}

// survivors counts the survivors that are not listed; "" if there are none. more says whether some are.
func (e *elsewhere) survivors(more bool) string {
	var parts []string
	for _, c := range []struct {
		*tally
		one, many string
	}{
		{&e.survive, "survives here as well as in", "survive here as well as in"},
		{&e.killed, "is killed by", "are killed by"},
	} {
		if c.n == 0 {
			continue
		}
		count := report.Group(int64(c.n))
		if more {
			count = report.Plural(c.n, "more")
		}
		parts = append(parts, fmt.Sprintf("%s %s %s", count, report.Verb(c.n, c.one, c.many), shortList(c.names)))
	}
	return strings.Join(parts, "; ")
}

// notCovered counts the mutants that are not listed among those that are not covered. more says whether some are.
func (e *elsewhere) notCovered(more bool) (parts []string) {
	add := func(n int, which string) {
		if n == 0 {
			return
		}
		noun := "mutant"
		if more {
			noun = "more"
		}
		more = true
		parts = append(parts, report.Plural(n, noun)+" that "+which)
	}
	add(e.covered, "other fuzz tests cover")
	add(e.uncovered.n, shortList(e.uncovered.names)+report.Verb(len(e.uncovered.names), " does", " do")+" not cover either")
	return parts
}

// unreached says whether no known input reaches a mutant.
func unreached(m *report.Mutant) bool {
	return m.Status == report.NotCovered && m.KilledByLeftOut == ""
}

// noticed says which other test notices a survivor that is listed nevertheless; "" if that is not known.
func (t *text) noticed(m *report.Mutant) string {
	if m.OtherTests.Status == "" && t.beside != nil {
		if by := t.beside.Killer(t.beside.of, m); by != "" {
			return byOthers(&report.Others{Status: report.Killed, KilledBy: by})
		}
	}
	return byOthers(&m.OtherTests)
}

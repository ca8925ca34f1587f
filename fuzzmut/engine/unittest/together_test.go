package unittest

import (
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// Mutants that have passed together are in no group again, nor are those of one line.
func TestGroupsMeetOnce(t *testing.T) {
	var list []instrument.Mutant
	for i := range 90 {
		list = append(list, instrument.Mutant{Status: instrument.StatusLive, File: "p.go", Line: i / 3})
	}
	c := &confirmer{suite: newTestSuite(&Options{}, list...)}
	var open []*member
	for i := range list {
		m := &member{item: &item{}, met: make(map[*member]bool)}
		m.verdict.Mutant = uint32(i + 1)
		open = append(open, m)
	}
	for round := range 2 {
		groups, lonely := c.grouped(open)
		if len(groups) > 30 || len(lonely) > 5 {
			t.Errorf("round %d: %d groups, and %d of %d in none", round, len(groups), len(lonely), len(open))
		}
		for _, g := range groups {
			for i, a := range g.members {
				g.fired.Add(int(a.verdict.Mutant))
				for _, b := range g.members[:i] {
					if a.met[b] || c.sameLine(a, b) {
						t.Errorf("round %d: mutants %d and %d are together", round, a.verdict.Mutant, b.verdict.Mutant)
					}
				}
			}
			g.passes = true
			g.count()
		}
	}
	if n := len(slices.DeleteFunc(open, (*member).believed)); n > 5 {
		t.Errorf("%d mutants have not passed twice", n)
	}
}

// A long test says of mutants in groups what it says of each alone, also of two that undo
// each other's change, and takes fewer processes.
func TestMutantsTogether(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Up(n int) int {
	return n + 1
}

func Down(n int) int {
	return n - 1
}

func Weak(a, b int) (n int) {
`+strings.Repeat("\tn += a - b\n", 40)+`
	return n
}
-- p_test.go --
package p

import (
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	Up(1)
	Down(1)
	Weak(7, 3)
}

func TestLong(t *testing.T) {
	time.Sleep(150 * time.Millisecond)
	if Down(Up(5)) != 5 {
		t.Error("wrong")
	}
	Weak(7, 3)
}
`), "math")
	res := b.run(t)
	b.Isolated = true
	isolated := b.run(t)
	count := make(map[string]int)
	for i, v := range isolated.Verdicts {
		if got := res.Verdicts[i]; got.show() != v.show() {
			t.Errorf("%s: %s, isolated %s", b.Program.Mutants[v.Mutant-1].Description, got.show(), v.show())
		}
		count[v.show()]++
		if !res.Verdicts[i].Fresh {
			count["together"]++
		}
	}
	if n := count["survived"]; count["killed assertion TestLong"] != 2 || n < 40 || count["together"]*10 < n*9 {
		t.Errorf("%v", count)
	}
	if res.Processes*3 > isolated.Processes*2 {
		t.Errorf("%d processes, isolated %d", res.Processes, isolated.Processes)
	}
}

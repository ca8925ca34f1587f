package shared

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
)

// account counts what a fuzz test takes from the directory, leaves there, and refuses. It is
// guarded by Member.mu.
type account struct {
	taken, left report.SharedAmount
	refused     map[refusal]int
	tried       map[uint32]string // by mutant, the input that was said to kill it, and was run
	over        int               // inputs that were not taken at the last look: there are too many

	entries, failing int   // files that are there for the fuzz test
	bytes            int64 // of the entries
}

// refusal is why something is not taken or not left.
type refusal struct{ what, reason string }

// failingLeft is how many failing inputs are left for a fuzz test, whoever leaves them.
const failingLeft = 4 * failingMost

var (
	damagedFile  = refusal{"input", "not taken: the file is damaged"}
	otherTypes   = refusal{"input", "not taken: the fuzz target takes other types"}
	tooMany      = refusal{"input", "not taken: a run takes 20,000, or 256 MiB"}
	tooLarge     = refusal{"input", "not left: larger than a megabyte"}
	noRoom       = refusal{"input", "not left: the directory has as many as a run takes; fuzzmut corpus prune makes room"}
	notWritten   = refusal{"input", "not left: it could not be written"}
	noSuchMutant = refusal{"kill", "not taken: there is no such mutant"}
	noInput      = refusal{"kill", "not taken: the input is not there"}
	notConfirmed = refusal{"kill", "not taken: the mutant is not killed here"}
	logsFull     = refusal{"kill", "not left: the logs have as much as a run reads"}
)

// refuse counts what is not taken or left.
func (m *Member) refuse(r refusal, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuseLocked(r, n)
}

func (m *Member) refuseLocked(r refusal, n int) {
	if n > 0 {
		m.account.refused[r] += n
	}
}

// roomFor reports whether the directory may get another input of a kind.
func (m *Member) roomFor(kind string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := &m.account
	if kind == share.Failing && a.failing < failingLeft || kind == share.Entries && a.entries < inputsMost && a.bytes < bytesMost {
		return true
	}
	m.refuseLocked(noRoom, 1)
	return false
}

// leaves counts an input that was not there before.
func (a *account) leaves(kind string, in *corpus.Input) {
	if kind == share.Failing {
		a.failing, a.left.Failing = a.failing+1, a.left.Failing+1
		return
	}
	a.entries, a.bytes, a.left.Inputs = a.entries+1, a.bytes+int64(in.Size()), a.left.Inputs+1
}

// Report is what went through the directory so far; the zero value: none is shared.
func (m *Member) Report() report.Shared {
	if m == nil {
		return report.Shared{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a := &m.account
	r := report.Shared{Place: m.dir.Path(), Binary: m.binary, Taken: a.taken, Left: a.left, Refused: []report.SharedRefusal{}}
	counts := make(map[refusal]int)
	for why, n := range a.refused {
		counts[why] = n
	}
	counts[tooMany] = a.over
	counts[notWritten] = len(m.queue)
	kills := m.trial.Engine.Kills
	for mutant, name := range a.tried {
		k, dead := kills.First(mutant)
		switch {
		case dead && k.Input != nil && k.Input.Hash() == name:
			r.Taken.Kills++
		case !dead:
			counts[notConfirmed]++
		}
	}
	for mutant := range m.hints {
		if _, dead := kills.First(mutant); !dead && a.tried[mutant] == "" {
			counts[noInput]++
		}
	}
	for why, n := range counts {
		if n > 0 {
			r.Refused = append(r.Refused, report.SharedRefusal{What: why.what, Number: n, Reason: why.reason})
		}
	}
	slices.SortFunc(r.Refused, func(x, y report.SharedRefusal) int {
		return cmp.Or(cmp.Compare(x.What, y.What), cmp.Compare(x.Reason, y.Reason))
	})
	return r
}

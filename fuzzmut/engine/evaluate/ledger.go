package evaluate

import (
	"maps"
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/bitset"
)

// A Ledger remembers which mutants were run on which inputs and lived. Queries that share
// one do not run such a pair again. It may be used by several goroutines at a time; its lock
// is a leaf. A nil Ledger is empty and stays so.
type Ledger struct {
	mu   sync.Mutex
	rows map[string]*ledgerRow // by key of the input
	runs []int64               // by mutant: inputs that it lived on, in rows or elsewhere

	damaging map[uint32]bool // mutants that damage the process they are run in
}

// ledgerRow is what is known of one input.
type ledgerRow struct {
	infected, lived bitset.Set // mutants; those that were not run on it are among the infected
}

// NewLedger returns an empty ledger.
func (e *Evaluator) NewLedger() *Ledger {
	return &Ledger{rows: make(map[string]*ledgerRow), runs: make([]int64, e.mutants()+1), damaging: make(map[uint32]bool)}
}

// Elsewhere notes that a mutant lived on a number of inputs that the ledger does not have.
func (l *Ledger) Elsewhere(m uint32, inputs int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs[m] += inputs
}

// Row returns the mutants that an input is known to infect, and those that lived on it.
func (l *Ledger) Row(input *corpus.Input) (infected, lived bitset.Set) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.rows[input.Key()]; r != nil {
		return slices.Clone(r.infected), slices.Clone(r.lived)
	}
	return nil, nil
}

// Runs returns on how many inputs each mutant lived, by number.
func (l *Ledger) Runs() []int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.runs)
}

// Damages returns, as of now, which mutants were seen to damage the process that they were run
// in.
func (l *Ledger) Damages() func(m uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	damaging := maps.Clone(l.damaging)
	return func(m uint32) bool { return damaging[m] }
}

// damage notes that a mutant damages the process that it is run in.
func (l *Ledger) damage(m uint32) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.damaging[m] = true
}

// Lived reports whether a mutant was run on an input and lived.
func (l *Ledger) Lived(input *corpus.Input, m uint32) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rows[input.Key()]
	return r != nil && r.lived.Has(int(m))
}

// enter notes that an input infects mutants, and which of them were run on it and lived.
func (l *Ledger) enter(input *corpus.Input, infected, lived []uint32) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rows[input.Key()]
	if r == nil {
		r = &ledgerRow{}
		l.rows[input.Key()] = r
	}
	for _, m := range infected {
		r.infected.Add(int(m))
	}
	for _, m := range lived {
		if !r.lived.Has(int(m)) {
			r.lived.Add(int(m))
			l.runs[m]++
		}
	}
}

// done lists the mutants for which which holds that lived on an input, ascending.
func (l *Ledger) done(input *corpus.Input, which func(m uint32) bool) (list []uint32) {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.rows[input.Key()]; r != nil {
		for m := range r.lived.All() {
			if which(uint32(m)) {
				list = append(list, uint32(m))
			}
		}
	}
	return list
}

// ran returns on how many inputs each mutant lived.
func (l *Ledger) ran(m uint32) int64 {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.runs[m]
}

// open reports whether there is a mutant for which which holds, which an input is known to
// infect, which was not run on it, and which has lived on fewer inputs than most; 0: on any
// number.
func (l *Ledger) open(input *corpus.Input, most int64, which func(m uint32) bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rows[input.Key()]
	if r == nil {
		return false
	}
	for m := range r.infected.All() {
		if !r.lived.Has(m) && (most == 0 || l.runs[m] < most) && which(uint32(m)) {
			return true
		}
	}
	return false
}

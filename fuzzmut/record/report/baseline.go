package report

import "slices"

// Values of Mutant.Baseline.
const (
	Accepted = "accepted"
	New      = "new"
)

// Baseline says how the mutants that no fuzz test kills compare with the list of
// those that somebody has accepted.
type Baseline struct {
	File        string  `json:"file"`
	NewOnly     bool    `json:"new_only"`    // New alone decides the result
	Accepted    int     `json:"accepted"`    // mutants that live and are on the list
	Unexplained int     `json:"unexplained"` // of those, without a reason
	New         int     `json:"new"`         // mutants that live and are not on the list
	Stale       []Stale `json:"stale"`       // on the list without need
	Written     bool    `json:"written"`     // the list was brought up to date since
}

// Stale is a mutant on the list of accepted ones that does not belong there any
// more.
type Stale struct {
	Package string `json:"package"`
	ID      string `json:"id"`
	Status  string `json:"status"` // that of the mutant, or Gone
}

// Gone is the status of a mutant that no longer exists: its function has changed.
const Gone = "gone"

// Living returns the mutants that none of the fuzz tests kills, in the order of
// the source, each as the fuzz test that came farthest with it left it, and the
// statuses of the others.
func Living(tests []FuzzTest) (living []Mutant, others map[[2]string]string) {
	best := make(map[[2]string]*Mutant)
	var keys [][2]string
	for i := range tests {
		for j := range tests[i].Mutants {
			m := &tests[i].Mutants[j]
			key := m.Key()
			have := best[key]
			if have == nil {
				keys = append(keys, key)
			}
			if have == nil || weight[m.Status] > weight[have.Status] {
				best[key] = m
			}
		}
	}
	others = make(map[[2]string]string)
	for _, key := range keys {
		if m := best[key]; m.Status == Survived || m.Status == NotCovered {
			living = append(living, *m)
		} else {
			others[key] = m.Status
		}
	}
	slices.SortFunc(living, func(a, b Mutant) int { return ByPosition(&a, &b) })
	return living, others
}

// Key names a mutant among those of all fuzz tests.
func (m *Mutant) Key() [2]string { return [2]string{m.Package, m.ID} }

// Mark notes with the mutants that no fuzz test kills whether they are accepted,
// and counts them.
func (r *Report) Mark(accepted func(*Mutant) bool) {
	living, _ := Living(r.Tests)
	fate := make(map[[2]string]string)
	for i := range living {
		m := &living[i]
		if fate[m.Key()] = New; accepted(m) {
			fate[m.Key()] = Accepted
			r.Baseline.Accepted++
		} else {
			r.Baseline.New++
		}
	}
	for i := range r.Tests {
		for j := range r.Tests[i].Mutants {
			m := &r.Tests[i].Mutants[j]
			m.Baseline = fate[m.Key()]
		}
	}
}

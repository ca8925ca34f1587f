package report

import "slices"

// Together has what fuzz tests of one result do with mutants. One that lives with a fuzz test may
// be killed by another.
type Together struct {
	several           bool
	killers, reachers map[[2]string]*FuzzTest // the first that do
}

// TakeTogether looks at all fuzz tests of a result. An input for which -corpus-size leaves no
// room kills, too: nobody has to look for one. But a fuzz test whose corpus kills goes before that.
func TakeTogether(tests []FuzzTest) *Together {
	t := &Together{several: len(tests) > 1, killers: make(map[[2]string]*FuzzTest), reachers: make(map[[2]string]*FuzzTest)}
	enter := func(into map[[2]string]*FuzzTest, belongs func(*Mutant) bool) {
		for i := range tests {
			for j := range tests[i].Mutants {
				if m := &tests[i].Mutants[j]; belongs(m) && into[m.Key()] == nil {
					into[m.Key()] = &tests[i]
				}
			}
		}
	}
	enter(t.killers, func(m *Mutant) bool { return m.Status == Killed })
	enter(t.killers, func(m *Mutant) bool { return m.KilledByLeftOut != "" })
	enter(t.reachers, func(m *Mutant) bool { return m.Status == Killed || m.Survives() || m.KilledByLeftOut != "" })
	return t
}

// Killer names the fuzz test that kills a mutant, from the point of view of another one; "" if
// none does.
func (t *Together) Killer(of *FuzzTest, m *Mutant) string { return of.named(t.killers[m.Key()]) }

// Reached says whether inputs of any fuzz test reach a mutant.
func (t *Together) Reached(m *Mutant) bool { return t.reachers[m.Key()] != nil }

// Beside returns mutants of one of the fuzz tests as they are to a reader who knows what the
// others do: killed, if one of them kills it.
func (t *Together) Beside(ms []Mutant) []Mutant {
	if !t.several {
		return ms
	}
	ms = slices.Clone(ms)
	for i := range ms {
		if t.killers[ms[i].Key()] != nil {
			ms[i].Status = Killed
		}
	}
	Classify(ms)
	return ms
}

// AskOthers enters into the survivors of fuzz tests what other tests say of them. A mutant
// that another of the fuzz tests kills is noticed by that; of the others, say tells it.
func AskOthers(tests []FuzzTest, say func(of *FuzzTest, m *Mutant) Others) {
	together := TakeTogether(tests)
	for i := range tests {
		f := &tests[i]
		for j := range f.Mutants {
			m := &f.Mutants[j]
			if !m.Survives() {
				continue
			}
			if by := together.Killer(f, m); by != "" {
				m.OtherTests = Others{Status: Killed, KilledBy: by}
			} else {
				m.OtherTests = say(f, m)
			}
			f.OtherTests.count(&m.OtherTests)
		}
	}
}

// named is what another fuzz test is called from the point of view of one; "" for none.
func (f *FuzzTest) named(other *FuzzTest) string {
	if other == nil {
		return ""
	}
	return f.Qualified(other.Package, other.Name)
}

// Qualified names a test from the point of view of a fuzz test.
func (f *FuzzTest) Qualified(pkg, test string) string {
	if test == "" || pkg == f.Package {
		return test
	}
	return pkg + "." + test
}

// KilledByTest is what to say of a mutant that a test of a package kills, by its name.
func (f *FuzzTest) KilledByTest(pkg, test string) Others {
	return Others{Status: Killed, KilledBy: f.Qualified(pkg, test)}
}

func (o *OtherTests) count(of *Others) {
	switch {
	case of.Unnoticed():
		o.Unnoticed++
	case of.Status == Killed:
		o.Noticed++
	default:
		o.NotTried++
	}
}

package report

// AskOthers enters into the survivors of fuzz tests what other tests say of them. A mutant
// that another of the fuzz tests kills is noticed by that; of the others, say tells it.
func AskOthers(tests []FuzzTest, say func(of *FuzzTest, m *Mutant) Others) {
	killers := make(map[[2]string]*FuzzTest)
	for i := range tests {
		for j := range tests[i].Mutants {
			if m := &tests[i].Mutants[j]; m.Status == Killed && killers[m.key()] == nil {
				killers[m.key()] = &tests[i]
			}
		}
	}
	for i := range tests {
		f := &tests[i]
		for j := range f.Mutants {
			m := &f.Mutants[j]
			if !m.Survives() {
				continue
			}
			if by := killers[m.key()]; by != nil {
				m.OtherTests = Others{Status: Killed, KilledBy: f.qualified(by.Package, by.Name)}
			} else {
				m.OtherTests = say(f, m)
			}
			f.OtherTests.count(&m.OtherTests)
		}
	}
}

// qualified names a test from the point of view of a fuzz test.
func (f *FuzzTest) qualified(pkg, test string) string {
	if test == "" || pkg == f.Package {
		return test
	}
	return pkg + "." + test
}

// KilledByTest is what to say of a mutant that a test of a package kills, by its name.
func (f *FuzzTest) KilledByTest(pkg, test string) Others {
	return Others{Status: Killed, KilledBy: f.qualified(pkg, test)}
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

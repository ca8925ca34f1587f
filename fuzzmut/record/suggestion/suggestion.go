// Package suggestion is the result of a search for tests: cases that kill mutants which the
// unit tests of a package miss.
package suggestion

import "slices"

// FormatVersion is the version of the JSON format.
const FormatVersion = 1

// A Report is what was found for all packages.
type Report struct {
	Version  int       `json:"version"` // of this format
	Seed     uint64    `json:"seed"`
	Packages []Package `json:"packages"`
	Warnings []string  `json:"warnings,omitempty"`
}

// A Package is a package with its tests.
type Package struct {
	Package string `json:"package"`
	// Mutants counts those that can be switched on after the package is initialized. Its unit
	// tests kill Killed of them, NotJudged were not run with the tests, and the rest survives.
	Mutants   int `json:"mutants"`
	Killed    int `json:"killed"`
	NotJudged int `json:"not_judged"`
	Survivors int `json:"survivors"`
	Closed    int `json:"closed"` // survivors that the cases kill
	// Searches are the fuzz tests with which inputs were looked for.
	Searches []Search `json:"searches"`
	Cases    []Case   `json:"cases"` // those that close most come first
	// Left are survivors for which a search found an input, and no case was made, by the
	// reason; NotSearched is code with survivors that no search could reach.
	Left        []Note   `json:"left"`
	NotSearched []Note   `json:"not_searched"`
	Seconds     float64  `json:"seconds"`
	Written     []string `json:"written,omitempty"` // files
	Interrupted bool     `json:"interrupted,omitempty"`
}

// A Search is one fuzz test, derived for a function.
type Search struct {
	Fuzz     string  `json:"fuzz_test"`
	Function string  `json:"function"`
	Execs    int64   `json:"execs"`
	Found    int     `json:"found"` // survivors that an input was found for
	Seconds  float64 `json:"seconds"`
}

// A Case is a call that a test can make, with what it returns now.
type Case struct {
	Test     string   `json:"test"` // that it is part of, if it is written
	Function string   `json:"function"`
	Call     string   `json:"call"`   // as Go source
	Result   string   `json:"result"` // several are separated by commas; errors by what they say
	Closes   []Mutant `json:"closes"`
}

// A Mutant is one that a case kills.
type Mutant struct {
	ID          string `json:"id"`
	File        string `json:"file"` // relative to its module, with slashes
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Operator    string `json:"operator"`
	Description string `json:"description"`
	// Reached says that the unit tests run its code.
	Reached bool   `json:"reached_by_tests"`
	Seen    string `json:"seen"` // what the case shows with the mutant
}

// A Note says why something is left out.
type Note struct {
	What    string `json:"what"`
	Reason  string `json:"reason"`
	Mutants int    `json:"mutants"` // that it is about; 0: not counted
}

// Canonical returns a copy for programs: see report.Result.
func (r *Report) Canonical() any {
	out := *r
	out.Version = FormatVersion
	out.Packages = present(slices.Clone(out.Packages))
	for i := range out.Packages {
		p := &out.Packages[i]
		p.Searches, p.Left, p.NotSearched = present(p.Searches), present(p.Left), present(p.NotSearched)
		p.Cases = present(slices.Clone(p.Cases))
		for k := range p.Cases {
			p.Cases[k].Closes = present(p.Cases[k].Closes)
		}
	}
	return &out
}

// present makes an empty list of none.
func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Totals adds up packages.
func (r *Report) Totals() (t Package) {
	for i := range r.Packages {
		p := &r.Packages[i]
		t.Mutants += p.Mutants
		t.Killed += p.Killed
		t.NotJudged += p.NotJudged
		t.Survivors += p.Survivors
		t.Closed += p.Closed
		t.Cases = append(t.Cases, p.Cases...)
		t.Written = append(t.Written, p.Written...)
	}
	return t
}

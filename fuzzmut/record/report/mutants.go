package report

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// FromProgram returns the mutants of p as nothing has been run yet: those that
// can be run are Pending. Mutants[i] of the program is element i of the result.
func FromProgram(p *instrument.Program) []Mutant {
	out := make([]Mutant, len(p.Mutants))
	for i := range p.Mutants {
		m := &p.Mutants[i]
		out[i] = Mutant{
			ID:          m.ID,
			Operator:    m.Operator,
			Package:     m.Package,
			Function:    m.Func,
			File:        RelativeFile(p.Test.ModuleDir, m.File),
			Root:        p.Test.ModuleDir,
			Line:        m.Line,
			Column:      m.Column,
			Original:    m.Original,
			Replacement: readable(m),
			Description: m.Description,
			Doubt:       m.Doubt,
			Status:      Pending,
			Reason:      m.Reason,
		}
		if m.Status != instrument.StatusLive {
			out[i].Status = string(m.Status)
		}
	}
	return out
}

// resultName matches a name that rewritten code has for a result, which no other code of the package has.
var resultName = regexp.MustCompile(`\bfuzzmutR\d*_(\d*)\b`)

// readable is what a mutant puts in place, with short names for the results that it passes on: r0 for the first one. All
// code that can see such a name stands in what is put in place, so any is right that does not occur there.
func readable(m *instrument.Mutant) string {
	return resultName.ReplaceAllStringFunc(m.Replacement, func(name string) string {
		short := "r" + resultName.FindStringSubmatch(name)[1]
		if regexp.MustCompile(`\b` + short + `\b`).MatchString(m.Replacement) {
			return name
		}
		return short
	})
}

// Change says in one line what a mutant replaces by what.
func Change(m *Mutant) string {
	return inline(m.Original) + " → " + inline(m.Replacement)
}

// Uninteresting says whether a mutant is left out since only logs, metrics and traces depend
// on its code.
func (m *Mutant) Uninteresting() bool {
	return m.Status == Skipped && strings.HasPrefix(m.Reason, instrument.Uninteresting)
}

// inlineLength bounds source that is quoted within a line, in runes.
const inlineLength = 48

// inline shortens source to what fits into a line.
func inline(src string) string {
	src = strings.Join(strings.Fields(src), " ")
	if src == "" {
		return "(nothing)"
	}
	if r := []rune(src); len(r) > inlineLength {
		return string(r[:inlineLength-1]) + "…"
	}
	return src
}

// SkipsOf returns the code that p leaves without mutants.
func SkipsOf(p *instrument.Program) []Skip {
	out := make([]Skip, len(p.Skips))
	for i, s := range p.Skips {
		out[i] = Skip{Package: s.Package, File: RelativeFile(p.Test.ModuleDir, s.File), Line: s.Line, What: s.What, Reason: s.Reason}
	}
	return out
}

// RelativeFile returns file relative to the module's root, with slashes, if it
// lies below it, and as it is otherwise. moduleDir may be "".
func RelativeFile(moduleDir, file string) string {
	if moduleDir == "" {
		return file
	}
	rel, err := filepath.Rel(moduleDir, file)
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return filepath.ToSlash(rel)
}

// MutantDiff returns m as a unified diff of the user's source, which it reads.
func MutantDiff(p *instrument.Program, m *instrument.Mutant) (string, error) {
	src, err := os.ReadFile(m.File)
	if err != nil {
		return "", fmt.Errorf("show mutant %s: %w", m.ID, err)
	}
	if m.Offset < 0 || m.Offset > m.End || m.End > len(src) || string(src[m.Offset:m.End]) != m.Original {
		return "", fmt.Errorf("show mutant %s: %s has changed since it was loaded; run fuzzmut again", m.ID, m.File)
	}
	name := strings.TrimPrefix(filepath.ToSlash(RelativeFile(p.Test.ModuleDir, m.File)), "/")
	return UnifiedDiff(name, src, m.Offset, m.End, readable(m)), nil
}

// ByPosition orders mutants as a reader of the source meets them. It is total
// for different mutants: their IDs differ.
func ByPosition(a, b *Mutant) int {
	return cmp.Or(
		cmp.Compare(a.Package, b.Package),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Operator, b.Operator),
		cmp.Compare(a.ID, b.ID),
	)
}

// Classify fills in the class of the mutants that live, and whether they are in
// code that is observed: a function is if one of its mutants was killed.
func Classify(ms []Mutant) {
	seen := make(map[string]bool)
	for i := range ms {
		if ms[i].Status == Killed || ms[i].KilledByLeftOut != "" {
			seen[ms[i].declaration()] = true
		}
	}
	for i := range ms {
		m := &ms[i]
		m.Class, m.Observed = "", false
		switch {
		case m.Status == NotCovered:
			m.Class = NotReached
		case m.Status != Survived:
			continue
		case m.Infected > 0, m.Start.Infected:
			m.Class = NotSeen
		case m.Reached > 0, m.Start.Reached:
			m.Class = NotInfected
		}
		m.Observed = seen[m.declaration()]
	}
}

// declaration names the function that m is in. Initializers have no names, and go
// by their lines.
func (m *Mutant) declaration() string {
	if m.Function == "" {
		return fmt.Sprintf("%s %s:%d", m.Package, m.File, m.Line)
	}
	return m.Package + "." + m.Function
}

// TakesAway says whether a mutant is without a statement of the original. It counts as infected wherever that would run:
// whether it changes anything is not compared.
func (m *Mutant) TakesAway() bool { return operator.TakesAway(m.Operator) }

package bugs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// Localiser holds what localization goes by, and the repairs as they are listed.
type Localiser struct {
	sort     *Sorting
	spectrum triage.Spectrum
	mutants  []uint32 // by number in the spectrum
	places   []place  // statements that mutants are at, by number
	Listed   []report.Repair
	at       map[uint32]int // by mutant, the index into listed
	Guards   map[int]bool   // by index into listed
}

type place struct {
	file      string
	line, end int
}

func NewLocaliser(t *Sorting) *Localiser {
	l := &Localiser{sort: t, at: make(map[uint32]int), Guards: make(map[int]bool)}
	s := &l.spectrum
	s.Failures, s.Passing = len(t.Cases), len(t.Passing)
	l.enterInputs(l.enterMutants())
	s.PassingCover = l.passingCover()
	guards := guardOperators()
	for i, m := range l.mutants {
		if s.Mutants[i].Repairs.Len() > 0 {
			l.at[m] = len(l.Listed)
			l.Guards[len(l.Listed)] = guards[t.trial.Package.Program.Mutants[m-1].Operator]
			l.Listed = append(l.Listed, l.describeRepair(m, s.Mutants[i].Repairs.Len()))
		}
	}
	return l
}

// enterMutants enters the mutants into the spectrum, each with its statement and with what
// it breaks, and returns their numbers in it.
func (l *Localiser) enterMutants() (numbers map[uint32]int) {
	t, s := l.sort, &l.spectrum
	for m := range t.mutants {
		l.mutants = append(l.mutants, m)
	}
	slices.Sort(l.mutants)
	numbers = make(map[uint32]int)
	statements := make(map[place]int)
	for i, m := range l.mutants {
		numbers[m] = i
		mutant := &t.trial.Package.Program.Mutants[m-1]
		at := place{mutant.File, mutant.Line, mutant.Line}
		n, ok := statements[at]
		if !ok {
			n = len(l.places)
			statements[at] = n
			l.places = append(l.places, at)
		}
		e := t.mutants[m]
		effect := triage.Effect{Statement: n, Breaks: e.breaks, Moved: make(map[int]bitset.Set)}
		if e.reason != "" {
			effect.Breaks = max(1, e.breaks)
		}
		s.Mutants = append(s.Mutants, effect)
	}
	return numbers
}

// enterInputs enters what mutants, by their numbers in the spectrum, make of the failing
// inputs, and what these cover.
func (l *Localiser) enterInputs(numbers map[uint32]int) {
	t, s := l.sort, &l.spectrum
	for i, at := range t.Cases {
		r := &t.Inputs[at].Repairs
		for _, m := range r.Repaired {
			e := &s.Mutants[numbers[m]]
			e.Repairs.Add(i)
			var moved bitset.Set
			for _, b := range r.Moved[m] {
				moved.Add(int(b))
			}
			e.Moved[i] = moved
		}
		for _, m := range r.Changed {
			s.Mutants[numbers[m]].Changes.Add(i)
		}
		var covered bitset.Set
		for _, b := range r.Counters {
			covered.Add(int(b))
		}
		s.Covered = append(s.Covered, covered)
	}
}

// guardOperators are the names of the operators that are guards.
func guardOperators() map[string]bool {
	names := make(map[string]bool)
	for _, op := range operator.All() {
		if op.Group == operator.GroupGuards {
			names[op.Name] = true
		}
	}
	return names
}

// passingCover counts, by block, the passing inputs that cover it.
func (l *Localiser) passingCover() []int {
	counts := make([]int, len(l.sort.trial.Package.Program.Blocks))
	for i := range l.sort.Inputs {
		f := &l.sort.Inputs[i]
		if f.Status != report.Passes {
			continue
		}
		last := -1
		for _, feature := range f.Result.Features {
			if b := feature.Block(); b != last && b < len(counts) {
				counts[b]++
				last = b
			}
		}
	}
	return counts
}

func (l *Localiser) describeRepair(m uint32, inputs int) report.Repair {
	mutant, e := &l.sort.trial.Package.Program.Mutants[m-1], l.sort.mutants[m]
	return report.Repair{
		ID: mutant.ID, Operator: mutant.Operator, File: report.RelativeFile(l.sort.trial.Package.Program.Test.ModuleDir, mutant.File),
		Line: mutant.Line, EndLine: mutant.Line + strings.Count(mutant.Original, "\n"), Function: mutant.Func,
		Description: mutant.Description, Inputs: inputs, Breaks: e.breaks, Test: e.test, Untried: e.untried,
		NowPass: e.nowPass, StillFail: e.stillFail,
		Unreached: e.reason == "" && !e.tested && !e.untried && !l.passed(mutant),
		Counts:    e.reason == "", Reason: e.reason,
	}
}

// passed reports whether an input that passes covers the innermost block around a mutant. Where there is no such
// block, any input may.
func (l *Localiser) passed(m *instrument.Mutant) bool {
	innermost, covered := 0, len(l.sort.Passing) > 0
	for i, n := range l.spectrum.PassingCover {
		b := &l.sort.trial.Package.Program.Blocks[i]
		if b.File != m.File || m.Line < max(b.Line, innermost) || b.EndLine < m.Line {
			continue
		}
		covered = n > 0 || b.Line == innermost && covered
		innermost = b.Line
	}
	return covered
}

// Indices lists mutants by their places in the list of repairs.
func (l *Localiser) Indices(mutants []uint32) []int {
	var list []int
	for _, m := range mutants {
		if i, ok := l.at[m]; ok {
			list = append(list, i)
		}
	}
	return list
}

// Repairs ranks the repairs of a bucket: first by how many tests of the package that fail pass with it, since it
// is likely that the bug fails these; then by the mean over its inputs of r_f (§3), 0
// for those that do not pass with it; then those that the package's own tests have
// been run with come first, and then those at the frames of the failure, the innermost
// before the others.
func (l *Localiser) Repairs(items []int) []report.RankedRepair {
	scores, here := make(map[int]float64), make(map[int]int)
	for _, item := range items {
		for _, s := range l.spectrum.Repair(item, l.sort.Sorted.Causal) {
			scores[s.Number] += s.Score
			here[s.Number]++
		}
	}
	frames := l.sort.Inputs[l.sort.Cases[items[0]]].Frames()
	var list []report.RankedRepair
	near := make(map[int][]int) // by repair: how many calls and lines it is from the failure
	for number, sum := range scores {
		at, deep := l.at[l.mutants[number]], l.depth(l.mutants[number], frames)
		near[at] = []int{deep, l.lines(l.mutants[number], frames, deep)}
		list = append(list, report.RankedRepair{Repair: at, Score: sum / float64(len(items)), Here: here[number]})
	}
	slices.SortFunc(list, func(a, b report.RankedRepair) int {
		return cmp.Or(cmp.Compare(l.nowPass(b), l.nowPass(a)), cmp.Compare(b.Score, a.Score), l.compareUntried(a, b), slices.Compare(near[a.Repair], near[b.Repair]), cmp.Compare(a.Repair, b.Repair))
	})
	return list
}

// Bounds puts repairs of costly inputs into the order in which to read them: bounds of loops and of
// depth first, and of several repairs at one line the first alone.
func (l *Localiser) Bounds(ranked []report.RankedRepair) (list []report.RankedRepair) {
	seen := make(map[place]bool)
	for _, bounds := range []bool{true, false} {
		for _, r := range ranked {
			at := &l.Listed[r.Repair]
			isBound := at.Operator == operator.LoopGuard || at.Operator == operator.DepthGuard
			if line := (place{at.File, at.Line, at.Line}); isBound == bounds && !seen[line] {
				seen[line] = true
				list = append(list, r)
			}
		}
	}
	return list
}

// nowPass counts the tests of the package that fail, and pass with a repair.
func (l *Localiser) nowPass(r report.RankedRepair) int { return len(l.Listed[r.Repair].NowPass) }

// compareUntried puts repairs first with which the package's own tests have been run.
func (l *Localiser) compareUntried(a, b report.RankedRepair) int {
	switch x, y := l.Listed[a.Repair].Untried, l.Listed[b.Repair].Untried; {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// Noisy ranks mutants that repair inputs of a bucket but break something: those first that repair at
// least half of the inputs, of these those nearest to the failure, by function, then those that break
// least, and then by line. Those in no function of the stack come after these, if they repair at least half:
// what breaks few inputs there may be in what has made a wrong value. What breaks a test alone is first of them.
func (l *Localiser) Noisy(items []int) []report.RankedRepair {
	among, isFew := bitset.Of(items...), l.few(items)
	frames := l.sort.Inputs[l.sort.Cases[items[0]]].Frames()
	var list []report.RankedRepair
	order := make(map[int][]int) // by repair, what it is ranked by, the lowest first
	for number := range l.spectrum.Mutants {
		e, m := &l.spectrum.Mutants[number], l.mutants[number]
		here := e.Repairs.Shared(among)
		deep, few := l.depth(m, frames), isFew(here)
		elsewhere := deep == len(frames) && len(frames) > 0
		if here == 0 || e.Breaks == 0 || elsewhere && few {
			continue
		}
		at, rank, breaks := l.at[m], 0, e.Breaks
		if few {
			rank = 1
		}
		if elsewhere {
			breaks = l.sort.mutants[m].breaks
		}
		order[at] = []int{rank, deep, breaks, l.lines(m, frames, deep), -here, at}
		list = append(list, report.RankedRepair{Repair: at, Score: float64(here) / float64(len(items)), Here: here, Elsewhere: elsewhere})
	}
	slices.SortFunc(list, func(a, b report.RankedRepair) int { return slices.Compare(order[a.Repair], order[b.Repair]) })
	return list
}

// lines is how many lines a mutant is away from the one at which a frame stands; 0 if there
// is no such frame.
func (l *Localiser) lines(m uint32, frames []string, frame int) int {
	if frame >= len(frames) {
		return 0
	}
	_, line := trial.PositionOf(frames[frame])
	away := line - l.sort.trial.Package.Program.Mutants[m-1].Line
	return max(away, -away)
}

// depth is the number of the first of the frames that is in the function of a
// mutant; what is in none of them comes last.
func (l *Localiser) depth(m uint32, frames []string) int {
	mutant := &l.sort.trial.Package.Program.Mutants[m-1]
	if mutant.FuncIndex < 0 {
		return len(frames)
	}
	fn := &l.sort.trial.Package.Program.Funcs[mutant.FuncIndex]
	for i, f := range frames {
		if file, line := trial.PositionOf(f); file == fn.File && fn.Line <= line && line <= fn.EndLine {
			return i
		}
	}
	return len(frames)
}

// ShowDiff fills in the diff of a repair that is shown.
func (l *Localiser) ShowDiff(at int) {
	r := &l.Listed[at]
	if r.Diff != "" {
		return
	}
	if diff, err := report.MutantDiff(l.sort.trial.Package.Program, &l.sort.trial.Package.Program.Mutants[l.mutantOf(at)-1]); err == nil {
		r.Diff = diff
	}
}

// mutantOf is the mutant of a repair, by its place in the list of repairs.
func (l *Localiser) mutantOf(at int) uint32 {
	i := slices.IndexFunc(l.mutants, func(m uint32) bool { n, ok := l.at[m]; return ok && n == at })
	return l.mutants[i]
}

// Suspects lists the lines that localizers suspect for a bucket, at most a number of them for each.
func (l *Localiser) Suspects(items []int, most int) []report.Place {
	among := bitset.Of(items...)
	s := &l.spectrum
	var list []report.Place
	add := func(name string, suspects []triage.Suspect, where func(number int) place) {
		n := 0
		for _, suspect := range suspects {
			at := where(suspect.Number)
			if suspect.Score <= 0 || n == most {
				break
			}
			list = append(list, report.Place{
				Localiser: name, File: report.RelativeFile(l.sort.trial.Package.Program.Test.ModuleDir, at.file), Line: at.line, EndLine: at.end, Score: suspect.Score,
			})
			n++
		}
	}
	statement := func(n int) place { return l.places[n] }
	add("coverage", s.Coverage(items[0]), l.block)
	add("muse", s.MUSE(among), statement)
	add("museum", s.MUSEUM(among), statement)
	add("metallaxis", s.Metallaxis(among), statement)
	add("ochiai", s.Ochiai(among), l.block)
	return list
}

// block is the place of a block.
func (l *Localiser) block(number int) place {
	if number >= len(l.sort.trial.Package.Program.Blocks) {
		return place{}
	}
	b := &l.sort.trial.Package.Program.Blocks[number]
	return place{b.File, b.Line, b.EndLine}
}

package fuzzing

import (
	"sync/atomic"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/budget"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/study"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Bounds on what studying takes.
const (
	studyFirst = 4_000 // see budget
	studyShare = 5
	maxDepth   = 8 // of studies that begin in studies
	maxLooks   = 8 // edits of a goal whose effect is looked at, in a study
)

// studies are of entries that are new to the corpus: it has the operands of their
// comparisons recorded, and tries the inputs that follow from them. It lives as long
// as the worker.
type studies struct {
	rec   study.Recorder
	once  study.Recorder  // of the run that tells what differs from run to run
	noisy map[uint32]bool // sites whose operands do
	// deadly are inputs that are not run again, by wire.HashOf: each has ended a process.
	deadly map[uint64]bool
	busy   atomic.Bool // operands are being taken in
	goals  *study.Goals
	all    []int32 // functions
	queue  []int   // entries to study, the next one last
	done   []int   // entries studied since the last report

	open  []*entryStudy // the one in progress last; each of the others led to the next
	found int           // inputs new to the corpus that studying led to

	budget budget.Budget
}

// entryStudy is the study of one entry, or of an input that is a step towards one: first
// what its operands say, then what changing its bytes tells about those.
type entryStudy struct {
	entry  int // -1 for none
	vals   []any
	list   []study.Comparison
	edits  []study.Edit
	prober *study.Prober // nil before the first edits are used up
	probed int           // probes so far
	last   bool          // edits are the last
	looks  map[study.Goal]int
}

func newStudies(functions int) *studies {
	s := &studies{goals: study.NewGoals(), noisy: make(map[uint32]bool), deadly: make(map[uint64]bool), budget: budget.New(studyFirst, studyShare)}
	for f := range functions {
		s.all = append(s.all, int32(f))
	}
	return s
}

// assign takes entries to study, before those that are waiting.
func (s *studies) assign(entries []int) {
	for i := len(entries) - 1; i >= 0; i-- {
		s.queue = append(s.queue, entries[i])
	}
}

// spare takes inputs that are not to be run again.
func (s *studies) spare(deadly []uint64) {
	for _, h := range deadly {
		s.deadly[h] = true
	}
}

// isDeadly says whether a process has ended on an input: so would this one, and what is left of the study
// would not be tried again.
func (s *studies) isDeadly(vals []any) bool {
	return len(s.deadly) > 0 && s.deadly[wire.HashOf(wire.Encode(vals))]
}

// report returns the entries that have been studied since it was last asked.
func (s *studies) report() []int {
	done := s.done
	s.done = nil
	return done
}

// study runs one input for the sake of the entry under study. It reports false if
// there is none to be run. What it brings does not count: each entry is studied once only.
func (r *round) study() (ran bool, err error) {
	s := r.studies
	for (len(s.open) > 0 || len(s.queue) > 0) && s.budget.Left(r.inputs, r.Exec.Spent) {
		if len(s.open) == 0 {
			id := s.queue[len(s.queue)-1]
			s.queue = s.queue[:len(s.queue)-1]
			if vals, ok := r.entries[id]; ok {
				r.begin(id, vals)
			} else {
				s.done = append(s.done, id)
			}
			continue
		}
		l := s.open[len(s.open)-1]
		switch {
		case len(l.edits) > 0:
			e := l.edits[0]
			l.edits = l.edits[1:]
			if !s.goals.Met(e.Goal) || r.search.wants(e.Mutant) {
				defer s.budget.Book(&r.Exec.Spent)(true)
				return true, r.attempt(l, e)
			}
		case l.last:
			s.end(l)
		case l.prober == nil:
			l.prober = study.NewProber(l.vals, l.list, s.goals)
		case l.probed < len(l.prober.Probes()):
			l.probed++
			defer s.budget.Book(&r.Exec.Spent)(true)
			return true, r.probe(l, l.probed-1)
		default:
			l.edits, l.last = l.prober.Edits(r.MaxLen), true
		}
	}
	return false, nil
}

func (s *studies) end(l *entryStudy) {
	s.open = s.open[:len(s.open)-1]
	if l.entry >= 0 {
		s.done = append(s.done, l.entry)
	}
}

// begin has the comparisons of an input recorded.
func (r *round) begin(entry int, vals []any) {
	s := r.studies
	l := &entryStudy{entry: entry, vals: vals, looks: make(map[study.Goal]int)}
	s.open = append(s.open, l)
	if entry >= 0 {
		r.recordOnce(vals)
	}
	if ex := r.record(vals, s.all); ex.Kind.Failed() {
		s.end(l)
		return
	}
	l.list = s.rec.Comparisons()
	s.goals.See(l.list)
	if r.Values.Breeds() {
		r.Values.Compared(l.list)
		l.edits = study.PlanValues(r.Values.Bytes(vals), l.list, s.goals, r.search.wants, r.Values)
		l.last = true // to change bytes one by one tells little about values
		return
	}
	l.edits = study.Plan(vals, l.list, s.goals, r.search.wants, r.MaxLen)
	for _, t := range study.Tokens(vals, l.list) {
		r.mutator.AddToken([]byte(t))
	}
}

// attempt runs an edited input. Sometimes nothing but the comparison that it is made
// for has changed, which does not show in the coverage where several make one
// condition. Then the input is a step towards a new entry, and is studied in turn.
func (r *round) attempt(l *entryStudy, e study.Edit) error {
	s := r.studies
	found := s.found
	vals := e.Apply(l.vals)
	if s.isDeadly(vals) {
		return nil
	}
	if err := r.run(exec.Clone(vals), true); err != nil || s.found > found {
		return err
	}
	if l.looks[e.Goal]++; l.looks[e.Goal] > maxLooks || len(s.open) > maxDepth {
		return nil
	}
	funcs := s.all
	if e.Mutant > 0 {
		if f := r.Exec.FuncOf(e.Mutant); f >= 0 {
			funcs = []int32{f}
		}
	}
	if ex := r.record(vals, funcs); ex.Kind.Failed() {
		return nil
	}
	list := s.rec.Comparisons()
	if len(r.search.wanted) > 0 {
		if err := r.try(exec.Clone(vals), true); err != nil {
			return err
		}
	}
	if s.goals.See(list) {
		r.begin(-1, vals)
	}
	return nil
}

// probe runs an input for its comparisons.
func (r *round) probe(l *entryStudy, n int) error {
	s := r.studies
	vals := l.prober.Probes()[n].Apply(l.vals)
	if s.isDeadly(vals) {
		return nil
	}
	r.Conn.Shared.NextInput()
	r.Cov.Clear()
	ex := r.record(vals, s.all)
	if ex.Kind.Failed() || r.Cov.Novel() > 0 || len(r.search.wanted) > 0 {
		return r.try(vals, true)
	}
	list := s.rec.Comparisons()
	s.goals.See(list)
	l.prober.See(n, list)
	return nil
}

// onOperands is called by the runtime while the target runs, and so calls nothing that
// may be a part of it. Of a target that compares in several goroutines at a time it
// misses some.
func (r *round) onOperands(o *fuzzmutrt.Operands) {
	s := r.studies
	if !s.noisy[o.Site] && s.busy.CompareAndSwap(false, true) {
		s.rec.Record(o)
		r.search.record(o)
		s.busy.Store(false)
	}
}

// recordOnce runs the original on an entry for nothing but what the comparisons of the next
// run are held against. Operands that depend on the clock would lead the search by chance:
// an input on which the process had to wait seems to be nearer to a limit.
func (r *round) recordOnce(vals []any) {
	s := r.studies
	r.setInput(vals)
	s.once.Reset()
	fuzzmutrt.OperandsHook = func(o *fuzzmutrt.Operands) {
		if !s.noisy[o.Site] && s.busy.CompareAndSwap(false, true) {
			s.once.Record(o)
			s.busy.Store(false)
		}
	}
	r.Exec.Compared(exec.Clone(vals), s.all, r.suspect)
	r.Muts.CountExec()
}

// record runs the original on an input for the comparisons of the functions.
func (r *round) record(vals []any, funcs []int32) exec.Execution {
	s := r.studies
	r.setInput(vals)
	s.rec.Reset()
	r.search.wanted = r.search.wanted[:0]
	fuzzmutrt.OperandsHook = r.onOperands
	ex := r.Exec.Compared(exec.Clone(vals), funcs, r.suspect)
	r.Muts.CountExec()
	for _, site := range s.rec.Noisy(&s.once) {
		s.noisy[site] = true
		s.rec.Forget(site)
		r.search.forget(site)
	}
	s.once.Reset()
	r.search.take(vals)
	return ex
}

package fuzzing

import (
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/filter"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// round is one request's worth of fuzzing.
type round struct {
	*Fuzzer
	filter  filter.Filter
	slow    int64  // fuel above which an input has to cover a new block
	order   uint64 // of maps, in the next input's first run
	child   []any  // reused; the byte slices in it are not
	parents parents
	brought int64          // by the input in progress
	fresh   []wire.Feature // that the input in progress is the first to have
	log     inputLog
	rest    time.Time // until then no mutants run; zero: they do

	given  [][]byte // inputs from elsewhere that are left
	paced  bool     // they are samples
	tried  int      // of those
	trying bool     // the input in progress is one of them
}

// inputLog keeps the inputs of a round.
type inputLog struct {
	room int // in bytes; 0: none are wanted
	list [][]byte
	size int
	lost int
}

func (l *inputLog) add(vals []any) {
	if l.room == 0 {
		return
	}
	input := wire.Encode(vals)
	if l.size+len(input) > l.room {
		l.lost++
		return
	}
	l.size += len(input)
	l.list = append(l.list, input)
}

func (f *Fuzzer) newRound(req *wire.Fuzz) *round {
	r := &round{Fuzzer: f, slow: req.Slow, order: req.Seed, log: inputLog{room: req.Log}, given: req.Try, paced: req.Paced}
	f.rng.SetState(havoc.NewRand(req.Seed).State())
	r.filter = filter.New(req.Filter, req.K, f.Muts, f.rng, f.adaptive)
	for _, p := range req.Parents {
		if vals, ok := f.entries[p.ID]; ok {
			r.parents.add(entry{id: p.ID, vals: vals}, uint64(p.Weight))
		}
	}
	if len(r.parents.list) == 0 {
		r.parents.add(entry{id: noID, vals: f.Target.Zero()}, 1)
	}
	if _, bounds := r.filter.(*filter.Adaptive); bounds && req.Rest > 0 {
		r.rest = time.Now().Add(req.Rest)
	}
	f.search.idle = req.Filter == "none"
	f.studies.assign(req.Study)
	f.studies.spare(req.Deadly)
	f.studies.found = 0
	return r
}

// rests reports whether no mutants run now. Inputs that are kept for their coverage wait for them.
func (r *round) rests() bool {
	if !r.rest.IsZero() && !time.Now().Before(r.rest) {
		r.rest = time.Time{}
	}
	return !r.rest.IsZero()
}

// hotRound is how long a round goes on when studying has found an entry, which is to
// be studied in turn.
const hotRound = 64

// over reports whether the round ends after n inputs, though there is more to do.
func (r *round) over(n int64) bool {
	return r.Conn.Shared.Stopping() || r.studies.found > 0 && n >= hotRound
}

// tryEvery is the part of a round's inputs, as one in that number, that come from elsewhere
// as long as there are some.
const tryEvery = 3

// tryGiven runs an input from elsewhere. It is looked at closer in any case: somebody has kept
// it. No search would find it again: if it breaks the connection, that has to be known here.
func (r *round) tryGiven() error {
	vals, err := r.Target.Given(r.given[0])
	if err != nil {
		return err
	}
	r.given = r.given[1:]
	r.tried++
	r.trying = true
	err = r.run(vals, false)
	r.trying = false
	if err != nil {
		return err
	}
	return r.Conn.Check()
}

// turn runs input number n of a round, and looks for inputs that cost too much if that is due.
func (r *round) turn(n int64) error {
	err := r.input(n)
	if err == nil && r.costs.Due() {
		err = r.costs.Hunt(r.failed)
	}
	return err
}

// input runs input number n of a round, and books for the pace of samples what that costs and
// brings.
func (r *round) input(n int64) error {
	r.inputs++
	spent, news := r.Exec.Spent, r.news
	if r.isGiven(n) {
		err := r.tryGiven()
		if r.paced {
			r.pace.bookGiven(r.Exec.Spent-spent, r.news-news)
		}
		return err
	}
	err := r.bred()
	r.pace.bred.add(r.Exec.Spent-spent, r.news-news)
	return err
}

// isGiven reports whether input number n is one from elsewhere.
func (r *round) isGiven(n int64) bool {
	switch {
	case len(r.given) == 0, r.rests():
		return false // mutants are run on each of them
	case r.paced:
		return r.pace.due()
	}
	return n%tryEvery == 0
}

// bred runs an input that studying an entry or the search for infections has led to, or else a
// child of some parent, and books what that costs and brings.
func (r *round) bred() error {
	if !r.Values.Breeds() || r.Values.Mixed() {
		if ran, err := r.study(); ran || err != nil {
			return err
		}
		if ran, err := r.chase(); ran || err != nil {
			return err
		}
	}
	if ran, err := r.runWaiting(); ran || err != nil {
		return err
	}
	at := r.parents.choose(r.rng)
	spent := r.Exec.Spent
	r.brought = 0
	err := r.step(r.parents.list[at].vals)
	spent = r.Exec.Spent - spent
	r.parents.book(at, spent, r.brought)
	r.thrift = min(r.thrift+spent/shrinkShare, shrinkSaved)
	return err
}

func (r *round) other() []any { return r.parents.list[r.rng.Intn(len(r.parents.list))].vals }

// step breeds one input and runs it.
func (r *round) step(parent []any) error {
	if r.Values.Breeds() {
		return r.breed(parent)
	}
	r.child = r.mutator.Mutate(r.child, parent, r.other)
	return r.run(r.child, false)
}

// run runs an input that nobody has run before. The target may keep and change its
// bytes.
func (r *round) run(vals []any, studying bool) error {
	r.search.wanted = r.search.wanted[:0]
	r.Conn.Shared.NextInput()
	if studying && r.Values.Breeds() {
		vals = []any{r.Values.Canon(r.Values.Bytes(vals), r.MaxLen)}
	}
	r.setInput(vals)
	r.log.add(vals)
	return r.try(vals, studying)
}

// try runs the input that the mapping holds, and takes it through the steps that it is
// worth: coverage, a traced run and mutants, a smaller input, the report, and what the
// strategy learns of it. Most inputs end at the first: they cover nothing new, and the
// filter does not want them.
func (r *round) try(vals []any, studying bool) error {
	goroutines := r.Exec.Goroutines()
	ex := r.execute(vals)
	if ex.Kind.Failed() {
		return r.failed(ex)
	}
	if r.Exec.Left(goroutines) {
		if leaks, err := r.failures.takeLeak(r.order, r.suspect, ex.Burned); leaks || err != nil {
			return err
		}
	}
	if err := r.price(ex.Burned); err != nil {
		return err
	}
	novel := r.novelty(&ex)
	hunting, later := r.filter.Trace(novel)
	hunting = (hunting || len(r.search.wanted) > 0 || r.trying && !r.search.idle) && !r.rests()
	if novel == 0 && !hunting {
		r.filter.Spent(ex.Burned, 0, 0)
		return nil
	}
	f, err := r.find(ex, novel)
	if err != nil {
		return err
	}
	if hunting {
		err = r.hunt(f)
	} else {
		r.filter.Spent(ex.Burned, 0, 0)
	}
	if err != nil {
		return err
	}
	if f.worthKeeping() {
		if err := r.keep(f, studying, later && !hunting); err != nil {
			return err
		}
	}
	if f.damage != nil {
		return r.damaged(f.vals, f.damage)
	}
	return r.teach(f)
}

// price keeps the input in progress for the search for costly ones, if it has burned much for
// its length.
func (r *round) price(burned int64) error {
	class, dear := r.costs.Price(r.Conn.Shared.InputSize(), burned)
	if !dear {
		return nil
	}
	vals, err := current(r.Conn, r.Target)
	if err == nil {
		r.costs.Dear(class, vals)
	}
	return err
}

// execute runs the original, and notes what that says to who breeds values.
func (r *round) execute(vals []any) exec.Execution {
	r.fresh = nil
	r.Cov.Clear()
	r.order++ // what fails with maps in one order may pass in others
	ex := r.Exec.Ordered(r.order, func() exec.Execution { return r.Exec.Original(vals, r.suspect) })
	r.Muts.CountExec()
	if r.Values != nil {
		r.Values.Count(ex)
		r.strategy.observe(ex, r.Cov)
	}
	return ex
}

// novelty counts the features that the execution is the first to have, as far as they
// are worth something.
func (r *round) novelty(ex *exec.Execution) int {
	novel := r.Cov.Novel()
	if novel > 0 && ex.Burned > r.slow && !r.Cov.NovelBlock() {
		return 0 // a loop that turns more often: there is no end to that
	}
	return novel
}

// failed handles an input on which the original fails.
func (r *round) failed(ex exec.Execution) error {
	return r.failures.take(ex, r.order, r.suspect)
}

package fuzzmut

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// An F is a *testing.F. It is an interface for what stands for one: the copies of fuzz
// tests that fuzzmut corpus verify -write-test makes have a *testing.T below.
type F interface {
	testing.TB
	Add(args ...any)
	Fuzz(target any)
}

// Add adds a seed to a fuzz test of [Fuzz], before it is called: a value of the type
// of its inputs, or of a part of them, which is then put where it belongs. A seed
// that belongs nowhere fails the fuzz test.
func Add[T any](f F, seed T) {
	f.Helper()
	seedsMu.Lock()
	defer seedsMu.Unlock()
	if seeds[f] == nil {
		f.Cleanup(func() { takeSeeds(f) })
	}
	seeds[f] = append(seeds[f], reflect.ValueOf(&seed).Elem())
}

// seeds wait for Fuzz, which knows the type of the inputs.
var (
	seedsMu sync.Mutex
	seeds   = make(map[F][]reflect.Value)
)

func takeSeeds(f F) []reflect.Value {
	seedsMu.Lock()
	defer seedsMu.Unlock()
	list := seeds[f]
	delete(seeds, f)
	return list
}

// Fuzz makes f a fuzz test of fn for inputs of type T, in place of f.Fuzz. An input
// that fails is logged as Go source.
func Fuzz[T any](f F, fn func(t *testing.T, in T)) {
	f.Helper()
	c, err := codecOf[T]()
	if err != nil {
		f.Fatalf("fuzzmut: %v", err)
	}
	for _, seed := range takeSeeds(f) {
		data, err := seedBytes(c, seed, reflect.TypeFor[T]())
		if err != nil {
			f.Fatalf("fuzzmut: seed %v: %v", seed, err)
		}
		f.Add(data)
	}
	pkg := callerPackage(1)
	planned := func(x *term.Term) string { return source[T](c, x, pkg) }
	fuzzTerms(f, c.Type(), reflect.TypeFor[T]().String(), planned, func(t *testing.T, x *term.Term, shown *func() string) {
		*shown = func() string { return planned(x) }
		fn(t, valueOf[T](c, x))
	})
}

// fuzzTerms makes f a fuzz test whose inputs are terms of a type with a name for
// messages. Run tests one of them, and sets before what shows it as Go source. Planned shows one that is not run.
func fuzzTerms(f F, typ *term.Type, name string, planned func(x *term.Term) string, run func(t *testing.T, x *term.Term, shown *func() string)) {
	f.Helper()
	var tally tally
	f.Cleanup(func() { tally.report(f) })
	offer(f, typ, name, &tally)
	f.Fuzz(func(t *testing.T, data []byte) {
		x, used := term.Decode(typ, data)
		if show == showPlanned {
			t.Logf("the input is\n%s", planned(x))
			return
		}
		returned := false
		var shown func() string
		defer func() {
			tally.count(t)
			if show != "" || t.Failed() || !returned && !t.Skipped() {
				t.Logf("the input is\n%s", shown())
			}
			// What fails comes first: it is what failures are distinguished by.
			if rest := len(data) - used; rest > 0 {
				t.Logf("fuzzmut: the last %d of %d bytes are not part of the value: the input may be for another version of %s", rest, len(data), name)
			}
		}()
		run(t, x, &shown)
		returned = true
	})
}

// show has the value of every input logged, for fuzzmut -tyche, or where it is showPlanned that of every input that
// is not run, since it does not end.
var show = os.Getenv("FUZZMUT_SHOW")

const showPlanned = "planned"

// seedBytes encodes a seed for inputs of type t.
func seedBytes(c *derive.Codec, seed reflect.Value, t reflect.Type) ([]byte, error) {
	x, err := func() (*term.Term, error) {
		if seed.Type() == t {
			return c.Get(seed.Addr().UnsafePointer())
		}
		return c.Part(seed)
	}()
	if err != nil {
		return nil, err
	}
	return term.Encode(x)
}

// Assume ends the test of an input for which the property says nothing: it is
// discarded, which is no failure. In an operation of a [Machine] it ends that one, which
// is left out of the sequence: call it there before the state is changed.
func Assume(t testing.TB, holds bool) {
	if holds {
		return
	}
	t.Helper()
	if s, ok := t.(*step); ok {
		s.leave()
	}
	discard(t, callSite(1))
}

// discard ends the test of an input, and notes what discarded it: a place, or the name of a
// constructor that has made nothing.
func discard(t testing.TB, by string) {
	t.Helper()
	if a, ok := t.(*attempt); ok {
		a.skips(by)
	}
	discards.Store(t, by)
	t.SkipNow()
}

// discards has where tests in progress were discarded, by testing.TB, if they do not note it.
var discards sync.Map

// takeDiscard returns where the test of an input was discarded, if it was.
func takeDiscard(t testing.TB) (site string, ok bool) {
	if a, ok := t.(*attempt); ok {
		place := a.skip()
		if place == nil {
			return "", false
		}
		return *place, *place != ""
	}
	v, ok := discards.LoadAndDelete(t)
	if !ok {
		return "", false
	}
	return v.(string), true
}

// tally counts what became of inputs.
type tally struct {
	mu       sync.Mutex
	inputs   int
	discards map[string]int // by place
	sum      int            // of them
	last     string         // where the last input was discarded; "" if it was not
}

func (c *tally) count(t testing.TB) {
	site, discarded := takeDiscard(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inputs++
	c.last = site
	if discarded {
		if c.discards == nil {
			c.discards = make(map[string]int)
		}
		c.discards[site]++
		c.sum++
	}
}

// pass counts an input that was not discarded, where nobody else counts.
func (c *tally) pass() {
	c.inputs++
	if c.last != "" {
		c.last = ""
	}
}

func (c *tally) lastSite() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// discarded counts the discards.
func (c *tally) discarded() int { return c.sum }

// String says how many inputs were discarded, and where.
func (c *tally) String() string {
	var sites []string
	for site := range c.discards {
		sites = append(sites, site)
	}
	slices.Sort(sites)
	for i, site := range sites {
		by := "Assume at " + site
		if !strings.Contains(site, ":") {
			by = "the constructor " + site
		}
		sites[i] = fmt.Sprintf("%d by %s", c.discards[site], by)
	}
	return fmt.Sprintf("%d of %d inputs were discarded: %s", c.discarded(), c.inputs, strings.Join(sites, ", "))
}

func (c *tally) report(f F) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.discarded() > 0 {
		f.Logf("fuzzmut: %s", c)
	}
}

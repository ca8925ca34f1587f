package planted

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
	"github.com/fuzzmut/fuzzmut/testdata/hunt"
)

// passes tests a property without a bug.
func passes[I any](check func(*I) hunt.Outcome) func(testing.TB, I) {
	return func(t testing.TB, in I) {
		o := check(&in)
		fuzzmut.Assume(t, o != hunt.Discarded)
		if o == hunt.Failed {
			t.Errorf("it fails without a bug")
		}
	}
}

// Without a bug all values pass: a failure shows a bug.
func TestNothingFailsWithoutABug(t *testing.T) {
	t.Run("btree", func(t *testing.T) { fuzzmut.Gen[[]BTreeOp]{}.Check(t, passes(BTrees(0))) })
	t.Run("deque", func(t *testing.T) { fuzzmut.Gen[[]DequeOp]{}.Check(t, passes(Deques(0))) })
	t.Run("cache", func(t *testing.T) { fuzzmut.Gen[[]CacheOp]{}.Check(t, passes(Caches(0))) })
	t.Run("match", func(t *testing.T) { fuzzmut.Gen[Pattern]{}.Check(t, passes(Matches(0))) })
	t.Run("json", func(t *testing.T) { fuzzmut.Gen[JSON]{}.Check(t, passes(Encodings(0))) })
}

// found says whether some values fail with a bug.
func found[I any](check func(*I) hunt.Outcome) bool {
	n := 0
	for in := range (fuzzmut.Gen[I]{Seed: 1}).Values() {
		if n++; check(&in) == hunt.Failed {
			return true
		}
		if n > 100_000 {
			return false
		}
	}
	return false
}

func TestEachBugShows(t *testing.T) {
	for bug := 1; bug <= Bugs; bug++ {
		for name, shows := range map[string]bool{
			"btree": found(BTrees(bug)), "deque": found(Deques(bug)), "cache": found(Caches(bug)), "match": found(Matches(bug)), "json": found(Encodings(bug)),
		} {
			if !shows {
				t.Errorf("bug %d of %s is not found", bug, name)
			}
		}
	}
}

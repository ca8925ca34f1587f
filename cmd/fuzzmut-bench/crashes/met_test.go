package crashes

import (
	"maps"
	"slices"
	"testing"
)

func TestBugsOfBuckets(t *testing.T) {
	for _, c := range []struct {
		name           string
		buckets        [][]string
		byBug          map[string]int
		mixed, without int
	}{
		{"each its own", [][]string{{"a"}, {"b"}}, map[string]int{"a": 1, "b": 1}, 0, 0},
		{"split", [][]string{{"a"}, {"a"}}, map[string]int{"a": 2}, 0, 0},
		{"mixed", [][]string{{"a", "b"}, {"b"}}, map[string]int{"a": 1, "b": 2}, 1, 0},
		{"what nobody knows", [][]string{{"? panic"}, {"? panic", "a"}}, map[string]int{"a": 1}, 0, 1},
		{"what can't be told apart", [][]string{{"a/b"}}, map[string]int{"a/b": 1}, 0, 0},
	} {
		m := &met{}
		for _, bugs := range c.buckets {
			m.buckets = append(m.buckets, metBucket{bugs: bugs})
		}
		byBug, mixed, without := m.known()
		if !maps.Equal(byBug, c.byBug) || mixed != c.mixed || without != c.without {
			t.Errorf("%s: %v, %d mixed, %d without", c.name, byBug, mixed, without)
		}
	}
}

// Where one of the bugs has its own input, an input that may show either of
// two does not count.
func TestJoinedNamesAreSeparated(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"a/b", "a"}, []string{"a"}},
		{[]string{"a/b", "c"}, []string{"a/b", "c"}},
		{[]string{"? panic: a/b", "a"}, []string{"? panic: a/b", "a"}},
	} {
		bugs := make(map[string]bool)
		for _, n := range c.names {
			bugs[n] = true
		}
		if got := separated(bugs); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}

package engine

import "testing"

// What was new later than half of the way is what the end was reached with, but for what the
// first half had brought.
func TestProgressOfTheLastHalf(t *testing.T) {
	for name, c := range map[string]struct {
		steps []step // the first is the beginning
		now   int64
		want  int
	}{
		"nothing was counted":     {nil, 10, 0},
		"only the beginning":      {[]step{{moment{}, 7}}, 10, 0},
		"all in the first half":   {[]step{{moment{}, 7}, {moment{issued: 3}, 9}, {moment{issued: 5}, 12}}, 10, 0},
		"some in the second half": {[]step{{moment{}, 7}, {moment{issued: 3}, 9}, {moment{issued: 6}, 12}, {moment{issued: 9}, 13}}, 10, 4},
		"all in the second half":  {[]step{{moment{}, 7}, {moment{issued: 6}, 9}, {moment{issued: 9}, 10}}, 10, 3},
	} {
		p := progress{}
		for _, s := range c.steps {
			p.note(s.moment, s.news)
		}
		if got := p.since(func(m moment) bool { return m.issued*2 <= c.now }); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

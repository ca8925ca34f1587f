//go:build unix

package campaign

import (
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// With -until fuzzing ends once nothing new has come for that long, in executions or by the
// clock, and the result gives that as the reason. What is found begins the wait again.
func TestFuzzingEndsWhereNothingNewComes(t *testing.T) {
	for _, c := range []struct {
		name          string
		budget, until project.FuzzTime
		ended         string // how the reason begins; "" if the budget is used up
	}{
		{"executions", project.FuzzTime{Duration: time.Hour}, project.FuzzTime{Execs: 500}, "nothing new in 500 executions: ended after "},
		{"one execution", project.FuzzTime{Duration: time.Hour}, project.FuzzTime{Execs: 1}, "nothing new in 1 execution: ended after "},
		{"by the clock", project.FuzzTime{Duration: time.Hour}, project.FuzzTime{Duration: time.Millisecond}, "nothing new for 1ms: ended after "},
		{"both counted", project.FuzzTime{Execs: 1_000_000}, project.FuzzTime{Execs: 500}, "nothing new in 500 executions: ended after "},
		{"a rate", project.FuzzTime{Duration: time.Hour}, project.FuzzTime{Execs: 500}, "fewer than 2 new kills, blocks and failures in the last 500x: ended after "},
		{"longer than the budget", project.FuzzTime{Execs: 400}, project.FuzzTime{Execs: 500}, ""},
		{"no end but the budget's", project.FuzzTime{Execs: 400}, project.FuzzTime{}, ""},
	} {
		s := campaignOf(t, Options{}, "k3 >k1+f8 >k2")
		s.Trial.Project.Options.FuzzTime, s.Trial.Project.Options.Until = c.budget, project.Until{FuzzTime: c.until}
		if c.name == "a rate" {
			s.Trial.Project.Options.Until.News = 2
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := s.Result()
		if !strings.HasPrefix(r.Ended, c.ended) || (r.Ended == "") != (c.ended == "") {
			t.Errorf("%s: %q, want %q", c.name, r.Ended, c.ended)
		}
		// What a study of the entry finds is found before, where there is the patience for it.
		if patient := c.until.Execs != 1 && c.until.Duration == 0; r.Interrupted || patient && r.Score.Killed != 3 {
			t.Errorf("%s: %d are killed, interrupted %v", c.name, r.Score.Killed, r.Interrupted)
		}
	}
}

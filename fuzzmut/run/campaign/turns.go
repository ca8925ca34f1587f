package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// Open does what comes before fuzzing, for a search in turns.
func (c *Campaign) Open(ctx context.Context) error {
	err := c.saving(ctx, c.open)
	c.rest()
	return err
}

// Turn fuzzes for Options.FuzzTime.
func (c *Campaign) Turn(ctx context.Context, t project.Turn) project.Progress {
	c.resume()
	defer c.rest()
	c.turns++
	c.failed = c.saving(ctx, func(ctx context.Context) error {
		c.part(ctx, c.why(t))
		return c.failed
	})
	if c.search == nil { // a panic was sooner
		return project.Progress{Used: t.Used, Done: true}
	}
	done := c.failed != nil || c.end != engine.Exhausted || c.nothingLeft()
	if done && c.failed == nil {
		c.Trial.Note("%s", c.early(c.end))
	}
	return project.Progress{Used: c.used(), Recent: c.search.Recent(), Done: done}
}

// Close does what comes after fuzzing. After an interrupt it has one part in among of the time
// for that.
func (c *Campaign) Close(ctx context.Context, among int) error {
	c.resume()
	defer c.End()
	c.among = among
	return c.saving(ctx, c.settle)
}

// rest begins a pause, which does not count.
func (c *Campaign) rest() {
	trial, log := c.Trial.Pause(), c.log.pause()
	c.resume = func() { trial(); log() }
}

// used is what the search has used of its budget.
func (c *Campaign) used() project.FuzzTime {
	t, inputs := c.search.Spent()
	if c.Trial.Project.Options.Total.Execs > 0 {
		return project.FuzzTime{Execs: inputs}
	}
	return project.FuzzTime{Duration: t}
}

// nothingLeft reports whether a search that may end early has covered all there is, where
// there are no mutants to kill.
func (c *Campaign) nothingLeft() bool {
	st := c.Trial.Engine.Status()
	return c.Trial.Project.UntilKilled && st.Mutants == 0 && st.Covered == st.Blocks
}

// why says what a turn is for.
func (c *Campaign) why(t project.Turn) string {
	if c.turns == 1 {
		return c.begins()
	}
	why := fmt.Sprintf("the most for its time of %d fuzz tests", t.Number)
	if t.Number == 1 {
		why = "and no other fuzz test is left"
	}
	return fmt.Sprintf("fuzzing for %v more after %v: %s in the last half of that, %s", c.Trial.Project.Options.FuzzTime, readable(t.Used), finds(t.Recent), why)
}

// finds counts what fuzzing is for.
func finds(n int) string {
	switch n {
	case 0:
		return "nothing new"
	case 1:
		return "1 new kill, block or failure"
	}
	return fmt.Sprintf("%d new kills, blocks or failures", n)
}

// readable rounds what a person reads.
func readable(t project.FuzzTime) project.FuzzTime {
	t.Duration = t.Duration.Round(time.Second / 10)
	return t
}

// had says what a search in turns had of the budget; "" if it had all of it.
func (c *Campaign) had() string {
	if c.nothingLeft() {
		return fmt.Sprintf("every block is covered, and there are no mutants: ended after %.1f s; what is left of -total %v is for other fuzz tests", c.fuzzed.Seconds(), c.Trial.Project.Options.Total)
	}
	used, total := readable(c.used()), c.Trial.Project.Options.Total
	if used == total {
		return ""
	}
	return fmt.Sprintf("had %v of -total %v in %s; %s in the last half of that", used, total, report.Plural(c.turns, "turn"), finds(c.search.Recent()))
}

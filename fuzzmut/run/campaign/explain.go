package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// explainTime bounds the time after fuzzing in which it is found out what has ended processes.
const explainTime = 2 * time.Second

// explain finds out what has ended the processes that there was no time for while fuzzing.
func (c *Campaign) explain(ctx context.Context) error {
	if c.search == nil || c.search.PutOff() == 0 || ctx.Err() != nil {
		return nil
	}
	c.Trial.Phase("finding out what ended %s", report.Plural(c.search.PutOff(), "process"))
	stop := c.Trial.Watch()
	defer stop()
	within, cancel := context.WithTimeout(ctx, explainTime)
	defer cancel()
	left, err := c.search.Explain(within)
	c.keepSuspects(left)
	return err
}

// keepSuspects keeps inputs that may have ended a process where triage finds them.
func (c *Campaign) keepSuspects(list []*corpus.Input) {
	if len(list) == 0 {
		return
	}
	all := true
	for _, input := range list {
		all = c.keepCrasher(input) && all
	}
	kept := ""
	if all {
		kept = "; fuzzmut triage runs them"
	}
	c.Trial.Warn(fmt.Sprintf("%s %s run when a process ended, and there was no time to run them again%s",
		report.Plural(len(list), "input"), report.Verb(len(list), "was", "were"), kept))
}

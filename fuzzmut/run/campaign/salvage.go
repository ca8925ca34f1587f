package campaign

import (
	"context"
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
)

// salvage writes what was found before a panic, as an interrupt does. If that panics as
// well, entries are chosen by what was seen when they were found. It ends in any case: a
// lock may never be released.
func (c *Campaign) salvage(ctx context.Context) error {
	if c.result != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	saved := make(chan error, 1)
	go func() {
		err := panics.Do(func() error {
			if len(findings(c.Trial)) == 0 {
				return nil
			}
			return c.Settle(ctx)
		})
		if panics.Is(err) {
			err = panics.Do(func() error {
				_, _, err := writeCorpus(c.Trial, unchecked(c.Trial, findings(c.Trial)))
				return err
			})
		}
		saved <- err
	}()
	select {
	case err := <-saved:
		return err
	case <-time.After(c.grace() * 2):
		return errors.New("the new inputs could not be written; they are in Go's fuzz cache, and the next run uses them")
	}
}

// Package schedule reads schedules with github.com/robfig/cron.
package schedule

import (
	"time"

	"github.com/robfig/cron/v3"
)

// Next returns the second, counted since 1970, at which a schedule is due after another.
func Next(spec string, seconds uint32) (int64, error) {
	schedule, err := cron.ParseStandard(spec)
	if err != nil {
		return 0, err
	}
	return schedule.Next(time.Unix(int64(seconds), 0).UTC()).Unix(), nil
}

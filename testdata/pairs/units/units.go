// Package units shows durations and reads limits with github.com/docker/go-units.
package units

import (
	"time"

	"github.com/docker/go-units"
)

// Age shows for how long something has been running.
func Age(seconds int64) string {
	return units.HumanDuration(time.Duration(seconds%1_000_000_000) * time.Second)
}

// Limit reads the limits of a process.
func Limit(text string) (soft, hard int64, err error) {
	limit, err := units.ParseUlimit(text)
	if err != nil {
		return 0, 0, err
	}
	return limit.Soft, limit.Hard, nil
}

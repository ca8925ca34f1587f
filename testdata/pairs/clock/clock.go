// Package clock writes times with github.com/itchyny/timefmt-go.
package clock

import (
	"time"

	"github.com/itchyny/timefmt-go"
)

// Format writes a time, in seconds since 1970, in the form of strftime.
func Format(seconds int64, format string) string {
	return timefmt.Format(time.Unix(seconds, 0).UTC(), format)
}

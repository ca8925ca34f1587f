// Package span reads durations with github.com/xhit/go-str2duration.
package span

import (
	"time"

	"github.com/xhit/go-str2duration/v2"
)

// Read reads a duration that may have days and weeks.
func Read(text string) (time.Duration, error) {
	return str2duration.ParseDuration(text)
}

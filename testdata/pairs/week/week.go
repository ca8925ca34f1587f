// Package week shows times with github.com/lestrrat-go/strftime.
package week

import (
	"time"

	"github.com/lestrrat-go/strftime"
)

// Format shows a time of the years 1970 to 2100 in a format.
func Format(format string, seconds uint32) (string, error) {
	return strftime.Format(format, time.Unix(int64(seconds), 0).UTC())
}

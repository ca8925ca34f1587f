// Package period reads ISO 8601 durations with github.com/sosodev/duration.
package period

import "github.com/sosodev/duration"

// Seconds returns a duration in seconds.
func Seconds(text string) (float64, error) {
	d, err := duration.Parse(text)
	if err != nil {
		return 0, err
	}
	return d.ToTimeDuration().Seconds(), nil
}

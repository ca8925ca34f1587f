// Package when reads times with github.com/jinzhu/now.
package when

import (
	"time"

	"github.com/jinzhu/now"
)

// Parse reads a time in one of the forms that the module knows. What a text lacks is of the
// first of May 2021.
func Parse(text string) (string, error) {
	t, err := now.New(time.Date(2021, 5, 1, 12, 30, 45, 0, time.UTC)).Parse(text)
	if err != nil {
		return "", err
	}
	return t.Format(time.RFC3339Nano), nil
}

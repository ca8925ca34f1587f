// Package env reads variables with github.com/subosito/gotenv.
package env

import (
	"strings"

	"github.com/subosito/gotenv"
)

// Parse returns the variables of a text.
func Parse(text string) map[string]string {
	return gotenv.Parse(strings.NewReader(text))
}

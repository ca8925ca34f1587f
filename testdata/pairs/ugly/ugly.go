// Package ugly takes the space out of JSON with github.com/tidwall/pretty.
package ugly

import "github.com/tidwall/pretty"

// Compact returns JSON without space.
func Compact(json string) string {
	return string(pretty.UglyInPlace([]byte(json)))
}

// Package edit changes JSON with github.com/tidwall/sjson.
package edit

import "github.com/tidwall/sjson"

// SetNumber sets a number in JSON.
func SetNumber(json, path string, number float64) (string, error) {
	return sjson.Set(json, path, number)
}

// Package members reads objects with github.com/tidwall/gjson.
package members

import "github.com/tidwall/gjson"

// Find returns what a path finds in a document.
func Find(json, path string) string {
	return gjson.Get(json, path).Raw
}

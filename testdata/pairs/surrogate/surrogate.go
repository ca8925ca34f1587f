// Package surrogate reads JSON strings with github.com/tidwall/gjson.
package surrogate

import "github.com/tidwall/gjson"

// Name returns the member "name" of an object.
func Name(json string) string {
	return gjson.Get(json, "name").String()
}

// Package jsonquote writes JSON strings with github.com/tidwall/gjson.
package jsonquote

import "github.com/tidwall/gjson"

// Quote returns a text as a JSON string.
func Quote(text string) string {
	return string(gjson.AppendJSONString(nil, text))
}

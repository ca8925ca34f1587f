// Package jsonc takes comments out of JSON with github.com/tidwall/jsonc.
package jsonc

import "github.com/tidwall/jsonc"

// Plain is JSON without its comments and trailing commas.
func Plain(doc string) string { return string(jsonc.ToJSON([]byte(doc))) }

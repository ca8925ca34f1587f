// Package pointer reads JSON pointers with github.com/go-openapi/jsonpointer.
package pointer

import "github.com/go-openapi/jsonpointer"

// Steps returns the names on the way of a pointer.
func Steps(text string) ([]string, error) {
	p, err := jsonpointer.New(text)
	if err != nil {
		return nil, err
	}
	return p.DecodedTokens(), nil
}

// Escape returns a name as a part of a pointer, and the name that it stands for.
func Escape(name string) (escaped, plain string) {
	escaped = jsonpointer.Escape(name)
	return escaped, jsonpointer.Unescape(name)
}

// Package remove edits JSON with github.com/buger/jsonparser.
package remove

import "github.com/buger/jsonparser"

// Member returns an object without one of its members.
func Member(object, name string) string {
	return string(jsonparser.Delete([]byte(object), name))
}

// Number returns a member of an object that is a number.
func Number(object, name string) (int64, error) {
	return jsonparser.GetInt([]byte(object), name)
}

// Package record writes records with github.com/go-logfmt/logfmt.
package record

import "github.com/go-logfmt/logfmt"

// Line returns a record of one key and its value.
//
//fuzzmut:target
func Line(key, value string) (string, error) {
	line, err := logfmt.MarshalKeyvals(key, value)
	return string(line), err
}

// Package list reads lists of settings with gopkg.in/ini.v1.
package list

import "gopkg.in/ini.v1"

// Split returns the parts of a value between commas.
func Split(value string) []string {
	key, err := ini.Empty().Section("").NewKey("key", value)
	if err != nil {
		return nil
	}
	return key.Strings(",")
}

// Package acronym makes names with github.com/iancoleman/strcase.
package acronym

import "github.com/iancoleman/strcase"

// Camel returns a name with capitals, and one that begins with a small letter.
func Camel(name string) (upper, lower string) {
	return strcase.ToCamel(name), strcase.ToLowerCamel(name)
}

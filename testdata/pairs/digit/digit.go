// Package digit makes names with github.com/stoewer/go-strcase.
package digit

import "github.com/stoewer/go-strcase"

// Camel returns a name with capitals, and one that begins with a small letter.
func Camel(name string) (upper, lower string) {
	return strcase.UpperCamelCase(name), strcase.LowerCamelCase(name)
}

// Package initials writes names with github.com/ettle/strcase.
package initials

import "github.com/ettle/strcase"

// Camel writes a name in camel case, with Go's initialisms.
func Camel(name string) string { return strcase.ToGoCamel(name) }

// Kebab writes a name in small letters with dashes.
func Kebab(name string) string { return strcase.ToKebab(name) }

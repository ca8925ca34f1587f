// Package camel makes names with github.com/huandu/xstrings.
package camel

import "github.com/huandu/xstrings"

// Camel joins the words of a name.
//
//fuzzmut:target
func Camel(name string) string {
	return xstrings.ToCamelCase(name)
}

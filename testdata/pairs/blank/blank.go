// Package blank makes labels with github.com/gobuffalo/flect.
package blank

import "github.com/gobuffalo/flect"

// Label returns a name as a label.
//
//fuzzmut:target
func Label(name string) string {
	return flect.Humanize(name)
}

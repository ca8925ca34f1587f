// Package cast reads numbers with github.com/spf13/cast.
package cast

import "github.com/spf13/cast"

// Size reads a number that is not negative.
func Size(text string) (uint64, error) {
	return cast.ToUint64E(text)
}

// Package size reads sizes with github.com/docker/go-units.
package size

import "github.com/docker/go-units"

// Read returns a size in bytes, with decimal and with binary units.
//
//fuzzmut:target
func Read(text string) (decimal, binary int64, err error) {
	if decimal, err = units.FromHumanSize(text); err != nil {
		return 0, 0, err
	}
	binary, err = units.RAMInBytes(text)
	return decimal, binary, err
}

// Package props reads settings with github.com/magiconair/properties.
package props

import "github.com/magiconair/properties"

// Value returns the value of a key, with the values of others put in.
func Value(text, key string) (string, error) {
	p, err := properties.LoadString(text)
	if err != nil {
		return "", err
	}
	return p.GetString(key, "none"), nil
}

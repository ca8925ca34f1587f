// Package color mixes colors with github.com/lucasb-eyer/go-colorful.
package color

import "github.com/lucasb-eyer/go-colorful"

// Mix returns the color between two others, in two spaces.
func Mix(from, to string, part float64) (hsv, hcl string, err error) {
	a, err := colorful.Hex(from)
	if err != nil {
		return "", "", err
	}
	b, err := colorful.Hex(to)
	if err != nil {
		return "", "", err
	}
	return a.BlendHsv(b, part).Hex(), a.BlendHcl(b, part).Hex(), nil
}

// Package version checks versions with github.com/hashicorp/go-version.
package version

import "github.com/hashicorp/go-version"

// Satisfies says whether a version satisfies constraints.
//
//fuzzmut:target
func Satisfies(text, constraints string) (bool, error) {
	v, err := version.NewVersion(text)
	if err != nil {
		return false, err
	}
	c, err := version.NewConstraint(constraints)
	if err != nil {
		return false, err
	}
	return c.Check(v), nil
}

// Compare says which of two versions is the later one.
//
//fuzzmut:target
func Compare(a, b string) (int, error) {
	x, err := version.NewVersion(a)
	if err != nil {
		return 0, err
	}
	y, err := version.NewVersion(b)
	if err != nil {
		return 0, err
	}
	return x.Compare(y), nil
}

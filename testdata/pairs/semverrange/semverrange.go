// Package semverrange checks constraints with github.com/Masterminds/semver.
package semverrange

import "github.com/Masterminds/semver/v3"

// Satisfies says whether a version satisfies a constraint.
func Satisfies(constraint, version string) (bool, error) {
	c, err := semver.NewConstraint(constraint)
	if err != nil {
		return false, err
	}
	v, err := semver.NewVersion(version)
	if err != nil {
		return false, err
	}
	return c.Check(v), nil
}

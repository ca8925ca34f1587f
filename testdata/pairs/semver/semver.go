// Package semver compares versions with github.com/Masterminds/semver.
package semver

import "github.com/Masterminds/semver/v3"

// Strict returns the parts of a version.
func Strict(version string) (major, minor, patch uint64, pre, meta string, err error) {
	return parts(semver.StrictNewVersion(version))
}

// Loose returns the parts of a version that may lack some.
func Loose(version string) (major, minor, patch uint64, pre, meta string, err error) {
	return parts(semver.NewVersion(version))
}

func parts(v *semver.Version, err error) (major, minor, patch uint64, pre, meta string, _ error) {
	if err != nil {
		return 0, 0, 0, "", "", err
	}
	return v.Major(), v.Minor(), v.Patch(), v.Prerelease(), v.Metadata(), nil
}

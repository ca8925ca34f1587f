// Package version has versions of three numbers and a pre-release.
package version

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Version is a version.
type Version struct {
	Major, Minor, Patch uint64
	Pre                 string // of 1.2.3-pre; "" is a release
}

// ErrSyntax is for what is no version.
var ErrSyntax = errors.New("version: syntax error")

// Parse reads a version: 1.2.3 or 1.2.3-pre.
func Parse(s string) (Version, error) {
	s, pre, _ := strings.Cut(s, "-")
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return Version{}, ErrSyntax
	}
	var numbers [3]uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 64)
		if err != nil || len(p) > 1 && p[0] == '0' {
			return Version{}, ErrSyntax
		}
		numbers[i] = n
	}
	return Version{numbers[0], numbers[1], numbers[2], pre}, nil
}

// String is what Parse reads.
func (v Version) String() string {
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
	if v.Pre != "" {
		s += "-" + v.Pre
	}
	return s
}

// Compare returns a number below 0 if v is before w, above 0 if it is after it, else 0.
func (v Version) Compare(w Version) int {
	for _, pair := range [][2]uint64{{v.Major, w.Major}, {v.Minor, w.Minor}, {v.Patch, w.Patch}} {
		if pair[0] != pair[1] {
			return sign(pair[0] > pair[1])
		}
	}
	if v.Pre == w.Pre {
		return 0
	}
	if v.Pre == "" || w.Pre == "" {
		return sign(v.Pre == "")
	}
	return strings.Compare(v.Pre, w.Pre)
}

// sign is 1 or -1.
func sign(after bool) int {
	if after {
		return 1
	}
	return -1
}

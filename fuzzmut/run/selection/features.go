package selection

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
)

// ParseFeatures reads "kills,coverage", "kills" or "coverage".
func ParseFeatures(s string) (f matrix.Features, err error) {
	for word := range strings.SplitSeq(s, ",") {
		switch strings.TrimSpace(word) {
		case "kills":
			f |= matrix.Kills
		case "coverage":
			f |= matrix.Coverage
		default:
			return 0, fmt.Errorf("entries can't be kept for %q; write kills, coverage or kills,coverage", word)
		}
	}
	return f, nil
}

// DescribeFeatures returns what ParseFeatures reads.
func DescribeFeatures(f matrix.Features) string {
	switch f {
	case matrix.Kills:
		return "kills"
	case matrix.Coverage:
		return "coverage"
	}
	return "kills,coverage"
}

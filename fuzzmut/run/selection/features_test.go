package selection

import (
	"testing"
)

func TestFeaturesAreReadAsTheyAreWritten(t *testing.T) {
	for _, s := range []string{"kills,coverage", "kills", "coverage"} {
		f, err := ParseFeatures(s)
		if err != nil || DescribeFeatures(f) != s {
			t.Errorf("%s: %s, %v", s, DescribeFeatures(f), err)
		}
	}
	if f, err := ParseFeatures("coverage, kills"); err != nil || DescribeFeatures(f) != "kills,coverage" {
		t.Errorf("in another order: %v, %v", f, err)
	}
	for _, s := range []string{"", "kills,", "speed"} {
		if _, err := ParseFeatures(s); err == nil {
			t.Errorf("%q is read", s)
		}
	}
}

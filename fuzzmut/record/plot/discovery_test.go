package plot

import (
	"bytes"
	"strings"
	"testing"
)

func TestDrawDiscovery(t *testing.T) {
	draw := func() string {
		var b bytes.Buffer
		list := []Discovery{{"FuzzA", []int{1, 1, 2, 3}}, {"FuzzB & C", []int{2, 2}}, {"FuzzNone", nil}}
		if err := DrawDiscovery(&b, list); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	svg := draw()
	wellFormed(t, []byte(svg))
	for _, want := range []string{">bugs seen<", ">inputs looked at<", "FuzzA, the best possible", "FuzzB &amp; C"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is not in the picture", want)
		}
	}
	if n := strings.Count(svg, `fill="none" stroke=`); strings.Contains(svg, "FuzzNone") || n < 4 {
		t.Errorf("%d curves", n)
	}
	if draw() != svg {
		t.Error("the same curves are drawn in two ways")
	}
	if err := DrawDiscovery(new(bytes.Buffer), []Discovery{{"FuzzNone", nil}}); err == nil {
		t.Error("nothing is drawn without a complaint")
	}
}

package sides

import (
	"strings"
	"testing"
)

func TestAround(t *testing.T) {
	same := strings.Repeat("é", 100)
	for _, c := range []struct{ name, a, b, x, y string }{
		{"short ones", "ab", "ac", "ab", "ac"},
		{"none", "", "", "", ""},
		{"one is long", "x", "y" + same, "x", "y" + same[:2*19] + "…"},
		{"the first characters differ", "a" + same, "b" + same, "a" + same[:2*19] + "…", "b" + same[:2*19] + "…"},
		{"the last ones do", same + "1", same + "2", "…ééééé1", "…ééééé2"},
		{"there is more after them", same + "1" + same, same + "2", "…ééééé1" + same[:2*14] + "…", "…ééééé2"},
		{"one ends before", same, same + "more", "…ééééé", "…ééééémore"},
		{"what differs is just within", same[:2*15] + "1" + same, same[:2*15] + "2" + same, same[:2*15] + "1" + same[:2*4] + "…", same[:2*15] + "2" + same[:2*4] + "…"},
		{"or just beyond", same[:2*16] + "1" + same, same[:2*16] + "2" + same, "…ééééé1" + same[:2*14] + "…", "…ééééé2" + same[:2*14] + "…"},
		{"both are the same", same, same, "…ééééé", "…ééééé"},
	} {
		if x, y := Around(c.a, c.b, 20); x != c.x || y != c.y {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, x, y, c.x, c.y)
		}
	}
}

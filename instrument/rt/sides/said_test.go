package sides

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ said, call, got, want string }{
		{"F(1) = 2, want 3", "F(1) = ", "2", "3"},
		{`F("a = b") = "x = y", "1", want "x = z", "1"`, `F("a = b") = `, `"x = y", "1"`, `"x = z", "1"`},
		{"F(1): part 0 is 7, want 8", "F(1): part 0 is ", "7", "8"},
		{"got 7, want 8", "", "", ""},
		{"F(T{B: true, S: 1}) = false, x, want true, x", "F(T{B: true, S: 1}) = ", "false, x", "true, x"},
		{`F(')', "a: ", it's) is 7, want 8`, `F(')', "a: ", it's) is `, "7", "8"},
		{`F(T{B: true, S: "a…) = false, "x", want true, "x"`, `F(T{B: true, S: "a…) = `, `false, "x"`, `true, "x"`},
		{"F([: 7) = 8, want 7", "F([: ", "7) = 8", "7"},
		{"F() got [7], want [8]", "F() got ", "[7]", "[8]"},
		{"it failed: why", "", "", ""},
		{"F(1) = , want ", "F(1) = ", "", ""},
	} {
		call, got, want, ok := Of(c.said)
		if call != c.call || got != c.got || want != c.want || ok != (c.call != "") {
			t.Errorf("%q: %q, %q, %q, %t", c.said, call, got, want, ok)
		}
	}
}

func TestSaid(t *testing.T) {
	same := strings.Repeat("a", 50)
	for _, c := range []struct{ name, said, want string }{
		{"short", "F(1) = 2, want 3", "F(1) = 2, want 3"},
		{"no comparison", "it failed: " + same, "it failed: " + same},
		{"they differ from the beginning on", "F(1) = 1" + same + ", want 2" + same, "F(1) = 1aaaaaaaaaaaa…, want 2aaaaaaaaaaaa…"},
		{"they differ late", "F(1) = " + same + "1" + same + ", want " + same + "2", "F(1) = …aaa1aaaaaaaaa…, want …aaa2"},
		{"the call is long", "F(" + same + ") = " + same + "1, want " + same + "2", "F(aaaaaaaaaaaaaaaaaa…) = …a1, want …a2"},
		{"only the call is", "F(" + same + ") = 1, want 2", "F(aaaaaaaaaaaaaaaaaaaaaaaaa…) = 1, want 2"},
		{"no call", "the result is 1" + same + ", want 2", "the result is 1aaaaaaaa…, want 2"},
	} {
		if got := Said(c.said, 40); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

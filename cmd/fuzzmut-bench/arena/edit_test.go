package arena

import "testing"

func TestEdit(t *testing.T) {
	const src = "a > b\n\tc > d\n"
	for _, c := range []struct {
		line, column          int
		original, replacement string
		want                  string // "" if it can't be made
	}{
		{1, 3, ">", ">=", "a >= b\n\tc > d\n"},
		{2, 2, "c > d", "true", "a > b\n\ttrue\n"},
		{2, 3, "c", "d", ""},
		{3, 1, "", "x", src + "x"},
		{4, 1, "", "x", ""},
		{2, 9, "", "x", ""},
	} {
		got, err := Edit([]byte(src), c.line, c.column, c.original, c.replacement)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%d:%d %q to %q: %q, %v; want %q", c.line, c.column, c.original, c.replacement, got, err, c.want)
		}
	}
}

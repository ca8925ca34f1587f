package derive

import (
	"fmt"
	"strings"
)

// tag is what a struct field says about its values:
//
//   - the field keeps its zero value
//     nonnil       of a pointer, slice, map or interface
//     min=, max=   of numbers, and of the lengths of strings, slices and maps
//     oneof=a|b    the values of a number or string
//     elem.…       the same for elements, values of a map, and what a pointer points to
//     key.…        and for the keys of a map
//     partial      fields below it that can't be drawn keep their zero value: see below
type tag struct {
	skip, nonnil bool
	utf8         bool
	min, max     string
	oneof        []string
	elem, key    string
}

// parseTag reads a tag. Only the named options may occur in it.
func parseTag(s string, allowed ...string) (tag, error) {
	var t tag
	if s == "" {
		return t, nil
	}
	var elem, key []string
	for item := range strings.SplitSeq(s, ",") {
		item = strings.TrimSpace(item)
		name, value, _ := strings.Cut(item, "=")
		if inner, ok := strings.CutPrefix(item, "elem."); ok {
			name, elem = "elem", append(elem, inner)
		} else if inner, ok := strings.CutPrefix(item, "key."); ok {
			name, key = "key", append(key, inner)
		}
		found := false
		for _, a := range allowed {
			found = found || a == name
		}
		if !found {
			return tag{}, fmt.Errorf("has the tag `fuzz:%q`; %q does not apply to its type, which takes %s", s, item, options(allowed))
		}
		switch name {
		case "-":
			t.skip = true
		case "nonnil":
			t.nonnil = true
		case "utf8":
			t.utf8 = true
		case "min":
			t.min = value
		case "max":
			t.max = value
		case "oneof":
			t.oneof = strings.Split(value, "|")
		}
	}
	t.elem, t.key = strings.Join(elem, ","), strings.Join(key, ",")
	return t, nil
}

func options(allowed []string) string {
	if len(allowed) == 0 {
		return "none"
	}
	return strings.Join(allowed, ", ")
}

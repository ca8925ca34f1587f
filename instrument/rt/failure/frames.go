package failure

import "strings"

// InPackages reports whether a function, as the runtime names it, belongs to one
// of the packages or to a package below: to the user's code, whose frames tell
// failures apart.
func InPackages(function string, packages []string) bool {
	for _, p := range packages {
		rest, ok := strings.CutPrefix(function, p)
		if ok && rest != "" && (rest[0] == '.' || rest[0] == '/' || rest[0] == '_') {
			return true
		}
	}
	return false
}

// enclosing returns the declared function that a function literal, or the body of a
// loop over a function, is in. They go by numbers, and a rewritten function has each
// of them twice.
func enclosing(function string) string {
	function = function[:numbered(function, ".func", 0)]
	name := strings.LastIndexByte(function, '/') + 1 // an import path may hold -range1
	name += max(0, strings.IndexByte(function[name:], '.'))
	return function[:numbered(function, "-range", name)]
}

// numbered returns where infix with a number after it begins in s, from an offset on;
// the length of s if it is not there.
func numbered(s, infix string, from int) int {
	for i := from; ; i += len(infix) {
		n := strings.Index(s[i:], infix)
		if n < 0 {
			return len(s)
		}
		i += n
		if rest := s[i+len(infix):]; rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return i
		}
	}
}

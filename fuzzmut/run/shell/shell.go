// Package shell quotes words for the commands that messages and reports show.
package shell

import (
	"strings"
)

// Quote quotes a word for a POSIX shell if it needs that. Of a flag only the
// value is quoted, as people do.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	name, value, isFlag := strings.Cut(word, "=")
	if !isFlag || !strings.HasPrefix(name, "-") || Quote(name) != name {
		name, value = "", word
	} else {
		name += "="
	}
	return name + "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

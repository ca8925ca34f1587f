package text

import (
	"strings"
)

// shortDiff cuts a unified diff down to the changed lines and one line of
// context on either side: what fits into a list of survivors.
func shortDiff(diff string) []string {
	var body []string
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "@@ ") {
			continue
		}
		body = append(body, line)
	}
	changed := func(i int) bool {
		return i >= 0 && i < len(body) && body[i] != "" && body[i][0] != ' '
	}
	var out []string
	for i, line := range body {
		if changed(i-1) || changed(i) || changed(i+1) {
			out = append(out, line)
		}
	}
	return out
}

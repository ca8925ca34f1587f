package text

import (
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// runMost bounds the lines in a row that a change takes out or puts in, and runShown is how
// many of a longer run are shown.
const (
	runMost  = 8
	runShown = 5
)

// shortDiff cuts a unified diff down to the changed lines and one line of context on either
// side: what fits into a list of survivors. Of long runs of changed lines it leaves the first,
// and of long lines what is around the change, unless all are asked for. A line that is put in and is blank is what is left
// of a statement.
func shortDiff(diff string, all bool) (out []string) {
	var body []string
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "@@ ") {
			continue
		}
		body = append(body, line)
	}
	if !all {
		body = report.ShortLines(body)
	}
	mark := func(i int) byte {
		if i < 0 || i >= len(body) || body[i] == "" {
			return ' '
		}
		return body[i][0]
	}
	for i := 0; i < len(body); {
		if mark(i) == ' ' {
			if mark(i-1) != ' ' || mark(i+1) != ' ' {
				out = append(out, body[i])
			}
			i++
			continue
		}
		end := i + 1
		for mark(end) == mark(i) {
			end++
		}
		run := body[i:end]
		switch {
		case len(run) == 1 && strings.TrimSpace(run[0]) == "+" && mark(i-1) == '-':
			run = nil
		case len(run) > runMost && !all:
			out = append(out, run[:runShown]...)
			run = []string{fmt.Sprintf("... %d lines more", len(run)-runShown)}
		}
		out = append(out, run...)
		i = end
	}
	return out
}

package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/rt/sides"
)

// diffContext is the number of unchanged lines shown around a change.
const diffContext = 3

// UnifiedDiff returns the change that replaces src[start:end] by replacement, as
// a unified diff that git apply and patch -p1 take. name is the file's path
// with slashes, relative to where the diff is to be applied. The result is ""
// if nothing changes.
func UnifiedDiff(name string, src []byte, start, end int, replacement string) string {
	// Whole lines around the range, so that a replacement of part of a line is
	// a replacement of that line.
	from := bytes.LastIndexByte(src[:start], '\n') + 1
	to := len(src)
	if i := bytes.IndexByte(src[end:], '\n'); i >= 0 {
		to = end + i + 1
	}
	lines := splitLines(string(src))
	first := bytes.Count(src[:from], []byte("\n"))
	old := splitLines(string(src[from:to]))
	changed := splitLines(string(src[from:start]) + replacement + string(src[end:to]))

	// What both have in common at either end did not change.
	for len(old) > 0 && len(changed) > 0 && old[0] == changed[0] {
		old, changed = old[1:], changed[1:]
		first++
	}
	for len(old) > 0 && len(changed) > 0 && old[len(old)-1] == changed[len(changed)-1] {
		old, changed = old[:len(old)-1], changed[:len(changed)-1]
	}
	if len(old) == 0 && len(changed) == 0 {
		return ""
	}

	before := lines[max(0, first-diffContext):first]
	rest := lines[first+len(old):]
	after := rest[:min(diffContext, len(rest))]

	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", name, name)
	around := len(before) + len(after)
	fmt.Fprintf(&b, "@@ -%s +%s @@\n",
		hunkRange(first-len(before), len(old)+around), hunkRange(first-len(before), len(changed)+around))
	writeLines(&b, ' ', before)
	writeLines(&b, '-', old)
	writeLines(&b, '+', changed)
	writeLines(&b, ' ', after)
	return b.String()
}

// hunkRange formats a range of count lines after the first skipped lines. An
// empty range is named by the line before it.
func hunkRange(skipped, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", skipped)
	}
	return fmt.Sprintf("%d,%d", skipped+1, count)
}

// splitLines cuts s after each newline; only the last line may lack one.
func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func writeLines(b *strings.Builder, mark byte, lines []string) {
	for _, line := range lines {
		b.WriteByte(mark)
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// lineMost is how much of a line ShortLines leaves, in characters.
const lineMost = 200

// ShortLines cuts the long lines of a unified diff, each with its sign. Where as many lines are put in as are taken out,
// each is cut with its other side, around the first difference.
func ShortLines(lines []string) []string {
	out := make([]string, len(lines))
	for i := 0; i < len(lines); {
		taken := signed(lines[i:], '-')
		put := signed(lines[i+taken:], '+')
		next := i + max(1, taken+put)
		for k := i; k < next; k++ {
			out[k] = shortLine(lines[k])
		}
		for k := i; taken == put && k < i+taken; k++ {
			was, is := sides.Around(lines[k][1:], lines[k+taken][1:], lineMost)
			out[k], out[k+taken] = "-"+was, "+"+is
		}
		i = next
	}
	return out
}

// signed is how many of the first lines have a sign.
func signed(lines []string, sign byte) (n int) {
	for n < len(lines) && lines[n] != "" && lines[n][0] == sign {
		n++
	}
	return n
}

// shortLine cuts a line that has no other side.
func shortLine(line string) string {
	if r := []rune(line); len(r) > lineMost+1 {
		return string(r[:lineMost+1]) + "…"
	}
	return line
}

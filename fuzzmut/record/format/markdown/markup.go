package markdown

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/visible"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// nameMost is where a name or a reason within a line is cut.
const nameMost = 200

// block is a fence with a title; a long one is folded.
func block(language, title string, lines []string) string {
	kept, more := fit(lines, linesOfBlock, mostOfBlock)
	f := fence(language, withMore(kept, more))
	if n := len(kept) + more; n > unfolded {
		return folded("<code>"+html.EscapeString(short(title))+"</code> ("+report.Plural(n, "line")+")", f)
	}
	return span(title) + "\n\n" + f
}

// folded is what a reader opens first. The title is HTML.
func folded(title, content string) string {
	return "<details><summary>" + title + "</summary>\n\n" + content + "</details>\n\n"
}

// fence is lines as they are.
func fence(language string, lines []string) string {
	content := visible.Text(strings.Join(lines, "\n"))
	marks := strings.Repeat("`", max(3, 1+longestRun(content)))
	return marks + language + "\n" + content + "\n" + marks + "\n\n"
}

// span is a text as it is, within a line.
func span(s string) string {
	s = short(s)
	marks := strings.Repeat("`", 1+longestRun(s))
	if s == "" || s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " "
	}
	return marks + s + marks
}

// short is a text in one line, cut where it is too long for one.
func short(s string) string {
	return cut(visible.Text(strings.NewReplacer("\n", " ", "\t", " ").Replace(s)), nameMost)
}

// longestRun is the length of the longest run of backticks.
func longestRun(s string) (longest int) {
	run := 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// fit takes as many lines as the bounds allow, and says how many more there are. Long lines
// are cut.
func fit(lines []string, mostLines, mostBytes int) (kept []string, more int) {
	for i, line := range lines {
		for part := range strings.SplitSeq(line, "\n") {
			part = cut(visible.Text(part), lineMost)
			if mostBytes -= len(part) + 1; len(kept) == mostLines || mostBytes < 0 {
				return kept, len(lines) - i
			}
			kept = append(kept, part)
		}
	}
	return kept, 0
}

// withMore adds a line that says how many more lines there are.
func withMore(lines []string, more int) []string {
	if more == 0 {
		return lines
	}
	return append(lines, "... "+report.Plural(more, "more line"))
}

// cut shortens a text to a number of bytes, and says how many are left out.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s... %d bytes more", s[:end], len(s)-end)
}

package markdown

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/notice"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

const (
	// noticesShown is how many notices a page begins with.
	noticesShown = 10
	// mostOfWarnings is after how many bytes there are no more warnings.
	mostOfWarnings = 2 << 10
)

// Summary writes any result as Markdown, in most bytes at most: that of diff as a page; of others
// the last line of the text as a heading, warnings, the notices that matter most, and the text,
// which is for people, in a fence. Lines of it that do not fit are left out at the end, but for the
// last one, which sums up.
func Summary(w io.Writer, r report.Result, text string, most int) error {
	if b, ok := r.(*behavior.Report); ok {
		return Format{}.Write(w, b)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	last := lines[len(lines)-1]
	if v, ok := r.(*report.Verification); ok && nothing(v) {
		sentence := said(capital(last))
		if before, after, ok := strings.Cut(capital(last), v.Next); ok && v.Next != "" {
			sentence = before + span(v.Next) + after
		}
		_, err := io.WriteString(w, sentence+"\n\n")
		return err
	}
	head := "## " + said(capital(last)) + "\n\n" + warnings(lines) + noticesOf(r, most/4)
	kept, more := fit(lines[:len(lines)-1], len(lines), most-len(head)-len(last)-mostOfEnd)
	if more > 0 {
		kept = withMore(kept, more)
	}
	whole := fence("text", append(kept, last))
	switch {
	case len(lines) == 1:
		whole = ""
	case len(lines) > unfolded:
		whole = folded("The whole result", whole)
	}
	_, err := io.WriteString(w, head+whole)
	return err
}

// nothing reports whether there are no golden values, which is no section of a page.
func nothing(v *report.Verification) bool {
	return !slices.ContainsFunc(v.Tests, func(t report.VerifiedTest) bool { return !t.None })
}

// warnings are the lines of a text that begin with the word.
func warnings(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		after, ok := strings.CutPrefix(line, "warning: ")
		if !ok || b.Len() > mostOfWarnings {
			continue
		}
		fmt.Fprintf(&b, "**Warning:** %s\n\n", said(after))
		var details []string
		for _, d := range lines[i+1:] {
			if !strings.HasPrefix(d, "  ") {
				break
			}
			details = append(details, strings.TrimSpace(d))
		}
		if len(details) > 0 {
			b.WriteString(few("text", details))
		}
	}
	return b.String()
}

// noticesOf shows the notices that matter most, in about most bytes at most.
func noticesOf(r report.Result, most int) string {
	list := notice.Of(r)
	var b strings.Builder
	for i := range list {
		s := noticed(i+1, &list[i])
		if i == noticesShown || b.Len()+len(s) > most {
			fmt.Fprintf(&b, "%s below.\n\n", report.Plural(len(list)-i, "more finding"))
			break
		}
		b.WriteString(s)
	}
	return b.String()
}

// noticed is one notice: where it is, what it says, and the lines of the change.
func noticed(number int, n *notice.Notice) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %d. ", number)
	if place := n.Place(); place != "" {
		b.WriteString(span(place) + ": ")
	}
	first, rest, _ := strings.Cut(n.Text, "\n")
	b.WriteString(said(first) + "\n\n")
	if n.Change != "" {
		b.WriteString(few("diff", strings.Split(n.Change, "\n")))
	}
	var others []string
	command := ""
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\n")
		if c, ok := strings.CutPrefix(line, "reproduce: "); ok {
			command = c
		} else {
			others = append(others, line)
		}
	}
	switch {
	case len(others) == 1:
		b.WriteString(said(others[0]) + "\n\n")
	case len(others) > 1:
		b.WriteString(few("text", others))
	}
	if command != "" {
		b.WriteString(shell(command))
	}
	return b.String()
}

// words are text in which no sign is markup, a link, or a mention.
var words = regexp.MustCompile(`^[A-Za-z0-9 ,.;:'%()]*$`)

func plain(s string) bool {
	return words.MatchString(s) && !strings.Contains(strings.ToLower(s), "www.")
}

// said is a sentence of fuzzmut's own. Its first words, and sentences at its end, stay as they are; names among the
// first words, what others have a part in, and what a mutant does are spans.
func said(s string) string {
	if rest, ok := strings.CutPrefix(s, notice.Unnoticed); ok {
		return notice.Unnoticed + codeFirst(rest)
	}
	if plain(s) {
		return s
	}
	between := ": "
	before, code, ok := strings.Cut(s, between)
	if !ok {
		between = "; "
		before, code, ok = strings.Cut(s, between)
	}
	switch {
	case !ok:
		return spanned(s)
	case plain(code):
		return spanned(before) + between + code
	}
	return spanned(before) + between + codeFirst(code)
}

// codeFirst is code as a span, and the sentence after it.
func codeFirst(code string) string {
	after := ""
	if i := strings.Index(code, ". "); i >= 0 && plain(code[i:]) {
		code, after = code[:i], code[i:]
	} else if strings.HasSuffix(code, ".") {
		code, after = code[:len(code)-1], "."
	}
	return span(code) + after
}

// spanned are words. Those that may be markup are spans: one span has all that stand together, and a
// quotation is not divided.
func spanned(s string) string {
	var parts, run []string
	flush := func() {
		if code := strings.Join(run, " "); code != "" {
			name := strings.TrimRight(code, ",.;:")
			parts = append(parts, span(name)+code[len(name):])
		}
		run = nil
	}
	open := false
	for word := range strings.FieldsSeq(short(s)) {
		if plain(word) && !open {
			flush()
			parts = append(parts, word)
			continue
		}
		run = append(run, word)
		open = open != (strings.Count(word, `"`)%2 == 1)
	}
	flush()
	return strings.Join(parts, " ")
}

// few is a fence of as many lines as are shown unasked.
func few(language string, lines []string) string {
	kept, more := fit(lines, unfolded, mostOfBlock)
	return fence(language, withMore(kept, more))
}

// capital begins a line with a capital letter, unless it begins with a name.
func capital(line string) string {
	word, _, _ := strings.Cut(line, " ")
	if line == "" || strings.ContainsAny(word, ":/.") {
		return line
	}
	return strings.ToUpper(line[:1]) + line[1:]
}

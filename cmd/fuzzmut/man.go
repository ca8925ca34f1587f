package main

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// manPage returns the manual as a man page, in the macros of package man of roff: the names of
// the commands, and all topics. The date and the version are those of the build, if it has any.
func manPage(info *debug.BuildInfo) string {
	version, date := info.Main.Version, ""
	for _, s := range info.Settings {
		if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			date = at.UTC().Format(time.DateOnly)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, ".TH FUZZMUT 1 \"%s\" \"fuzzmut %s\"\n", date, roffArgument(version))
	b.WriteString(".SH NAME\nfuzzmut \\- fuzzing and mutation testing of Go packages\n")
	b.WriteString(".SH SYNOPSIS\n")
	var lines []string
	for _, c := range commands() {
		for _, line := range c.usage(c.name) {
			lines = append(lines, ".B "+roffText(line.line)+"\n")
		}
	}
	b.WriteString(strings.Join(lines, ".br\n"))
	b.WriteString(".SH DESCRIPTION\n")
	roffBody(&b, helpFile("introduction"))
	for _, t := range topics() {
		heading, body, _ := strings.Cut(t.text(), "\n")
		fmt.Fprintf(&b, ".SH %s\n", roffText(strings.ToUpper(strings.TrimPrefix(heading, "# "))))
		roffBody(&b, body)
	}
	return b.String()
}

// roffBody writes a text of the manual: lines after a tab stay as they are, and others are
// filled to the width of the page.
func roffBody(b *strings.Builder, text string) {
	verbatim, first := false, true
	for block := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		for i, line := range strings.Split(block, "\n") {
			rest, indented := strings.CutPrefix(line, "\t")
			switch {
			case indented && !verbatim && first:
				b.WriteString(".RS 4\n.nf\n")
			case indented && !verbatim:
				b.WriteString(".PP\n.RS 4\n.nf\n")
			case !indented && verbatim:
				b.WriteString(".fi\n.RE\n.PP\n")
			case indented && i == 0:
				b.WriteString("\n") // between two blocks of such lines
			case i == 0 && !first:
				b.WriteString(".PP\n")
			}
			verbatim, first = indented, false
			b.WriteString(roffText(strings.ReplaceAll(rest, "\t", "        ")) + "\n")
		}
	}
	if verbatim {
		b.WriteString(".fi\n.RE\n")
	}
}

// roffEscapes are the characters that roff would take for something else, or show as others.
var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "→", `\(->`)

// roffText escapes a line of text.
func roffText(line string) string {
	line = roffEscapes.Replace(line)
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}

// roffArgument escapes an argument in quotes.
func roffArgument(text string) string {
	return strings.ReplaceAll(roffText(text), `"`, `\(dq`)
}

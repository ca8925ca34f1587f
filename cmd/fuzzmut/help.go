package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
)

//go:embed doc.go
var docSource string

// manual returns the text of this package's documentation.
func manual() string {
	_, text, _ := strings.Cut(docSource, "/*\n")
	text, _, _ = strings.Cut(text, "\n*/")
	return text + "\n"
}

// A section is a part of the manual below a heading.
type section struct {
	topic string // "exit-codes" for the heading "Exit codes"
	text  string // the heading and all up to the next one
}

// sections returns the parts of the manual in their order, but for what stands
// before the first heading.
func sections() []section {
	var out []section
	for line := range strings.Lines(manual()) {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			topic := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), " ", "-")
			out = append(out, section{topic: topic})
		}
		if len(out) > 0 {
			out[len(out)-1].text += line
		}
	}
	return out
}

// help prints the manual, or its section on a topic.
func (t *tool) help(args []string) error {
	if len(args) > 1 {
		return usageError("fuzzmut help takes one topic")
	}
	if len(args) == 0 {
		_, err := io.WriteString(t.stdout, manual())
		return err
	}
	topics := ""
	for _, s := range sections() {
		if s.topic == args[0] {
			_, err := fmt.Fprint(t.stdout, s.text)
			return err
		}
		topics += " " + s.topic
	}
	return usageError("no help on %q; the topics are%s", args[0], topics)
}

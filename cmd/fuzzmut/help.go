package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

//go:embed doc.go
var docSource string

// documentation returns the text of this package's documentation.
func documentation() string {
	_, text, _ := strings.Cut(docSource, "/*\n")
	text, _, _ = strings.Cut(text, "\n*/")
	return text + "\n"
}

// operatorsHeading is that of the section which the operators add themselves to.
const operatorsHeading = "# Operators\n"

// manual returns the documentation, completed by what the operators say of
// themselves.
func manual() string {
	text := documentation()
	before, section, ok := strings.Cut(text, operatorsHeading)
	if !ok {
		return text
	}
	body, after, ok := strings.Cut(section, "\n# ")
	if ok {
		after = "\n# " + after
	}
	return before + operatorsHeading + body + operatorTable() + after
}

// groupTitles introduce the groups of operators in the manual, in this order.
var groupTitles = []struct {
	group operator.Group
	title string
}{
	{operator.GroupDefault, "In the group default:"},
	{operator.GroupStrong, "In the group strong, besides:"},
	{operator.GroupAll, "In the group all, besides:"},
	{operator.GroupGuards, "In the group guards, which is in no other:"},
	{operator.GroupNone, "In no group:"},
}

// operatorTable describes all operators, group by group.
func operatorTable() string {
	var b strings.Builder
	for _, g := range groupTitles {
		title := "\n" + g.title + "\n\n"
		for _, op := range operator.All() {
			if op.Group != g.group {
				continue
			}
			fmt.Fprintf(&b, "%s\t%s: %s\n\t\t%s\n", title, op.Name, op.Doc, op.Example)
			title = ""
		}
	}
	return b.String()
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

// commandTopics are the topics that tell most about the commands.
var commandTopics = map[string]string{
	"fuzz": "flags", "mutants": "flags", "score": "flags", "test": "tests", "merge": "shards", "minimize": "minimising", "export": "merging", "plot": "log", "help": "usage", "version": "usage",
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
	topic := args[0]
	if about, ok := commandTopics[topic]; ok {
		topic = about
	}
	topics := ""
	for _, s := range sections() {
		if s.topic == topic {
			_, err := fmt.Fprint(t.stdout, s.text)
			return err
		}
		topics += " " + s.topic
	}
	return usageError("no help on %q; the topics are%s", args[0], topics)
}

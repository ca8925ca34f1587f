package main

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// helpFiles holds the manual: help/introduction.txt, and a file for each topic.
//
//go:embed help/*.txt
var helpFiles embed.FS

// A topic is a section of the manual: the file help/NAME.txt, which begins with the
// topic's heading.
type topic struct {
	name     string        // the heading in lower case and with hyphens
	generate func() string // what the program adds to the file; nil: nothing
}

// topics lists the sections of the manual in their order. The text of usage lists
// them, too, and a test compares the two.
func topics() []topic {
	return []topic{
		{name: "usage"},
		{name: "flags"},
		{name: "build-flags"},
		{name: "versions-of-go"},
		{name: "engines"},
		{name: "dictionaries"},
		{name: "study"},
		{name: "filters"},
		{name: "oracles"},
		{name: "accepted-mutants"},
		{name: "tests"},
		{name: "changed-code"},
		{name: "shards"},
		{name: "earlier-verdicts"},
		{name: "operators", generate: operatorTable},
		{name: "directives"},
		{name: "derived-fuzz-tests"},
		{name: "structured-inputs"},
		{name: "corpus"},
		{name: "regeneration"},
		{name: "minimising"},
		{name: "merging"},
		{name: "golden-values"},
		{name: "hook"},
		{name: "failing-inputs"},
		{name: "triage"},
		{name: "output"},
		{name: "json"},
		{name: "json-of-test"},
		{name: "json-of-minimize"},
		{name: "json-of-export"},
		{name: "json-of-write-test"},
		{name: "json-of-verify"},
		{name: "json-of-triage"},
		{name: "log"},
		{name: "exit-codes"},
	}
}

// text returns the section on a topic.
func (t topic) text() string {
	text := helpFile(t.name)
	if t.generate != nil {
		text += t.generate()
	}
	return text
}

// helpFile returns the text of a file of the manual. That each topic has one is
// tested.
func helpFile(name string) string {
	text, err := helpFiles.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// manual returns the introduction and all topics, with an empty line between two.
func manual() string {
	texts := []string{helpFile("introduction")}
	for _, t := range topics() {
		texts = append(texts, t.text())
	}
	return strings.Join(texts, "\n")
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

// help prints the manual, or its section on a topic, which may be the name of a
// command.
func (t *tool) help(args []string) error {
	if len(args) > 1 {
		return usageError("fuzzmut help takes one topic")
	}
	if len(args) == 0 {
		_, err := io.WriteString(t.stdout, manual())
		return err
	}
	name := topicOf(commands(), args[0])
	list := topics()
	names := ""
	for i, topic := range list {
		if topic.name == name {
			text := topic.text()
			if i < len(list)-1 {
				text += "\n"
			}
			_, err := io.WriteString(t.stdout, text)
			return err
		}
		names += " " + topic.name
	}
	return usageError("no help on %q; the topics are%s", args[0], names)
}

// topicOf returns the topic that tells most about the command of that name, or the
// name itself if there is no such command. A command goes before those of corpus and
// of hook.
func topicOf(list []command, name string) string {
	for _, c := range list {
		if c.name == name {
			return c.topic
		}
	}
	for _, c := range list {
		if topic := topicOf(c.commands, name); topic != name {
			return topic
		}
	}
	return name
}

package main

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/spelling"
)

// helpFiles holds the manual: help/introduction.txt, and a file for each topic; and
// help/overview.txt, which is shown to new users.
//
//go:embed help/*.txt
var helpFiles embed.FS

// A topic is a section of the manual: the file help/NAME.txt, which begins with the
// topic's heading.
type topic struct {
	name     string        // the heading in lower case and with hyphens
	generate func() string // what the program adds to the file; nil: nothing
}

// topics lists the sections of the manual in their order.
func topics() []topic {
	return []topic{
		{name: "usage", generate: usageTable},
		{name: "examples", generate: exampleTable},
		{name: "flags"},
		{name: "build-flags"},
		{name: "settings", generate: settingTable},
		{name: "versions-of-go"},
		{name: "engines"},
		{name: "dictionaries"},
		{name: "study"},
		{name: "filters"},
		{name: "oracles"},
		{name: "survivors"},
		{name: "time"},
		{name: "accepted-mutants"},
		{name: "tests"},
		{name: "suggestions"},
		{name: "changed-code"},
		{name: "shards"},
		{name: "earlier-verdicts"},
		{name: "operators", generate: operatorTable},
		{name: "directives"},
		{name: "vet"},
		{name: "derived-fuzz-tests"},
		{name: "structured-inputs"},
		{name: "behavior"},
		{name: "corpus"},
		{name: "regeneration"},
		{name: "minimizing"},
		{name: "merging"},
		{name: "sharing"},
		{name: "fleet"},
		{name: "oss-fuzz"},
		{name: "golden-values"},
		{name: "hook"},
		{name: "failing-inputs"},
		{name: "costly-inputs"},
		{name: "triage"},
		{name: "output"},
		{name: "formats"},
		{name: "ci"},
		{name: "editors"},
		{name: "json"},
		{name: "json-of-test"},
		{name: "json-of-suggest"},
		{name: "json-of-minimize"},
		{name: "json-of-export"},
		{name: "json-of-write-test"},
		{name: "json-of-show"},
		{name: "json-of-diff"},
		{name: "json-of-verify"},
		{name: "json-of-triage"},
		{name: "json-of-vet"},
		{name: "log"},
		{name: "completion"},
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
	{operator.GroupStrong, "In the group strong, in addition:"},
	{operator.GroupAll, "In the group all, in addition:"},
	{operator.GroupGuards, "In the group guards, not part of any other:"},
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

// settingTable lists what the file of settings may set.
func settingTable() string {
	var b strings.Builder
	for _, s := range settingList() {
		line := s.kind.String()
		switch {
		case s.own:
			line += "; for each command, in its table"
		case len(s.not) > 0:
			line += "; for " + strings.Join(s.not, ", ") + " in the table alone"
		}
		fmt.Fprintf(&b, "\t%-15s%s\n", s.name, line)
	}
	return b.String()
}

// lesser are the commands that the overview only names: it fits on a terminal.
var lesser = []string{"completion", "config", "fleet", "plot", "version"}

// overview prints what a new user needs.
func (t *tool) overview(w io.Writer) error {
	var list strings.Builder
	for _, c := range commands() {
		if c.name != "help" && !slices.Contains(lesser, c.name) {
			fmt.Fprintf(&list, "\t%-9s%s\n", c.name, c.summary)
		}
	}
	fmt.Fprintf(&list, "\tand %s\n", strings.Join(lesser, ", "))
	_, err := io.WriteString(w, strings.Replace(helpFile("overview"), "\t{commands}\n", list.String(), 1))
	return err
}

// newHelpFlags returns the flags of the subcommand that shows help.
func newHelpFlags(command string) *flags {
	f := newArguments(command)
	f.set.BoolVar(&f.man, "man", false, "print the manual as a man page")
	return f
}

// help prints an overview, the whole manual, or what it says about a command or a topic.
func (t *tool) help(f *flags) error {
	words := f.opts.Packages // what stands there without a flag
	switch {
	case f.man && len(words) > 0:
		return usageError("-man prints all of the manual; leave %s out", strings.Join(words, " "))
	case f.man:
		_, err := io.WriteString(t.stdout, manPage(buildInfo()))
		return err
	case len(words) == 0:
		return t.overview(t.stdout)
	case len(words) == 1 && words[0] == "all":
		return t.page(manual())
	}
	text := helpOn(words)
	if text == "" {
		return noHelp(strings.Join(words, " "))
	}
	_, err := io.WriteString(t.stdout, text)
	return err
}

// helpOn returns the help on a command, which may be one of corpus or hook without that
// word, or on a topic. Of a name that is both it has the two, one after the other. It is
// "" if there is no such thing.
func helpOn(words []string) string {
	name := strings.Join(words, " ")
	text := ""
	if c := findPath(words); c != nil {
		text = c.help(name)
	}
	if text = paragraphs(text, sectionOn(name)); text != "" || len(words) != 1 {
		return text
	}
	for _, c := range commands() {
		if own := find(c.commands, words); own != nil {
			return own.help(c.name + " " + own.name)
		}
	}
	return ""
}

// paragraphs joins two texts by an empty line. An empty text adds nothing.
func paragraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// sectionOn returns the section of the manual on a topic, "" if there is none.
func sectionOn(name string) string {
	for _, t := range topics() {
		if t.name == name {
			return t.text()
		}
	}
	return ""
}

// noHelp is the error for a name that is neither a command nor a topic.
func noHelp(name string) error {
	known := append(commandNames(), "all")
	for _, t := range topics() {
		known = append(known, t.name)
	}
	if near := spelling.Nearest(name, known); near != "" {
		return usageError("no help on %q; did you mean \"fuzzmut help %s\"?", name, near)
	}
	return usageError("no help on %q; \"fuzzmut help usage\" lists the commands and the topics", name)
}

// usageTable lists the commands and the topics.
func usageTable() string {
	var b strings.Builder
	b.WriteString("\nThe commands, which \"fuzzmut help COMMAND\" describes:\n\n")
	for _, c := range commands() {
		for _, line := range c.usage(c.name) {
			writeAligned(&b, line)
		}
	}
	b.WriteString("\nThe topics, which \"fuzzmut help TOPIC\" prints:\n\n")
	line := "\t"
	for i, t := range topics() {
		word := t.name
		if i < len(topics())-1 {
			word += ", "
		}
		if len(line)+len(word) > 80 {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "\t"
		}
		line += word
	}
	b.WriteString(line + "\n")
	return b.String()
}

// exampleTable lists the examples of all commands.
func exampleTable() string {
	var b strings.Builder
	for _, c := range commands() {
		for _, c := range append([]command{c}, c.commands...) {
			if len(c.examples) > 0 {
				b.WriteString("\n")
			}
			for _, e := range c.examples {
				writeAligned(&b, e)
			}
		}
	}
	return b.String()
}

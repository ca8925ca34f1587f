package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// usage returns the command, or each of its subcommands, as it is called, and what it does.
func (c *command) usage(name string) []example {
	if c.run == nil {
		var list []example
		for _, own := range c.commands {
			list = append(list, own.usage(c.name+" "+own.name)...)
		}
		return list
	}
	if name == commands()[0].name {
		name = "[" + name + "]" // it may be left out
	}
	return []example{{strings.TrimSpace("fuzzmut " + name + " " + c.args), c.summary}}
}

// help returns what the command does, with examples and its own flags. Its name is that
// on the command line.
func (c *command) help(name string) string {
	var b strings.Builder
	if c.run == nil {
		fmt.Fprintf(&b, "Usage: fuzzmut %s %s\n\n%s.\n\nCommands:\n\n", c.name, c.args, sentence(c.summary))
		for _, line := range c.usage(name) {
			writeAligned(&b, line)
		}
		fmt.Fprintf(&b, "\n\"fuzzmut help %s COMMAND\" shows the flags and examples of one.\n", c.name)
		return b.String()
	}
	usage := c.usage(name)[0]
	fmt.Fprintf(&b, "Usage: %s\n\n%s.\n", usage.line, sentence(usage.purpose))
	if len(c.examples) > 0 {
		b.WriteString("\nExamples:\n\n")
	}
	for _, e := range c.examples {
		writeAligned(&b, e)
	}
	b.WriteString(c.flagHelp(name))
	if sectionOn(c.topic) != "" && c.topic != name {
		fmt.Fprintf(&b, "\nMore: \"fuzzmut help %s\".\n", c.topic)
	}
	return b.String()
}

// sentence begins a text with a capital letter.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// writeAligned writes a command line and what it is for, which stands on the next line
// if there is no room.
func writeAligned(b *strings.Builder, e example) {
	const width = 38
	if len(e.line) > width-2 {
		fmt.Fprintf(b, "\t%s\n\t%*s%s\n", e.line, width, "", e.purpose)
	} else {
		fmt.Fprintf(b, "\t%-*s%s\n", width, e.line, e.purpose)
	}
}

// flagHelp describes the flags of the command, the common ones first.
func (c *command) flagHelp(name string) string {
	f := c.flags(name)
	groups := flagGroups(helpFile("flags"))
	texts := flagTexts(groups, f.set, name)
	var b strings.Builder
	write := func(title string, names []string) {
		heading := "\n" + title + ":\n\n"
		for _, n := range names {
			if text := texts[n]; text != "" {
				b.WriteString(heading + text)
				heading = ""
				delete(texts, n)
			}
		}
	}
	write("Common flags", c.common)
	var own []string // of no other group
	for _, g := range groups {
		own = append(own, g.names()...)
	}
	own = slices.DeleteFunc(own, func(n string) bool {
		return slices.ContainsFunc(groups, func(g flagGroup) bool { return g.commands == nil && slices.Contains(g.names(), n) })
	})
	write("More flags of fuzzmut "+name, own)
	for _, g := range groups {
		if g.commands == nil {
			write(g.title, g.names())
		}
	}
	if f.builds {
		b.WriteString("\nBuild flags of the go command, as -race and -tags, work as well: \"fuzzmut help build-flags\".\n")
	}
	return b.String()
}

// flagTexts returns what the groups say of the flags of a command, by name.
func flagTexts(groups []flagGroup, set *flag.FlagSet, command string) map[string]string {
	texts := make(map[string]string)
	for _, g := range groups {
		for _, d := range g.docs {
			if set.Lookup(d.name) != nil && g.isFor(command) && (texts[d.name] == "" || g.commands != nil) {
				texts[d.name] = d.text
			}
		}
	}
	return texts
}

// A flagGroup is a part of help/flags.txt: a heading, and the flags below it.
type flagGroup struct {
	title    string
	commands []string // that the texts are for; nil: all that have the flags
	docs     []flagDoc
}

// A flagDoc is what help/flags.txt says of a flag.
type flagDoc struct{ name, text string }

// isFor reports whether the texts of the group are for the command.
func (g *flagGroup) isFor(command string) bool {
	return g.commands == nil || slices.Contains(g.commands, command)
}

func (g *flagGroup) names() []string {
	var names []string
	for _, d := range g.docs {
		names = append(names, d.name)
	}
	return names
}

// flagGroups reads help/flags.txt. A line that ends with a colon and is not indented
// begins a group. "For corpus regen and test:" names the commands that it is for; what
// it says of a flag has precedence there over what other groups say.
func flagGroups(text string) []flagGroup {
	var groups []flagGroup
	for line := range strings.Lines(text) {
		title, isTitle := strings.CutSuffix(line, ":\n")
		rest, isFlag := strings.CutPrefix(line, "\t-")
		switch {
		case isTitle && !strings.HasPrefix(line, "\t"):
			g := flagGroup{title: title}
			if names, ok := strings.CutPrefix(title, "For "); ok {
				g.commands = strings.Split(strings.ReplaceAll(names, " and ", ", "), ", ")
			}
			groups = append(groups, g)
		case len(groups) == 0 || !strings.HasPrefix(line, "\t"):
		case isFlag:
			g := &groups[len(groups)-1]
			g.docs = append(g.docs, flagDoc{strings.Fields(rest)[0], line})
		default:
			g := &groups[len(groups)-1]
			g.docs[len(g.docs)-1].text += line
		}
	}
	return groups
}

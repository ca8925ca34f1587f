package main

import "strings"

// A command is a subcommand, or one of the commands of a subcommand.
type command struct {
	name     string
	topic    string                             // of help that tells most about it
	run      func(t *tool, args []string) error // nil if it has commands of its own
	commands []command
}

// commands lists the subcommands. The first is the default.
func commands() []command {
	return []command{
		{name: "fuzz", topic: "flags", run: (*tool).fuzz},
		{name: "test", topic: "tests", run: (*tool).test},
		{name: "mutants", topic: "flags", run: (*tool).mutants},
		{name: "triage", topic: "triage", run: (*tool).triage},
		{name: "score", topic: "flags", run: (*tool).score},
		{name: "corpus", topic: "corpus", commands: []command{
			{name: "regen", topic: "regeneration", run: (*tool).corpusRegen},
			{name: "verify", topic: "golden-values", run: (*tool).verify},
			{name: "minimize", topic: "minimising", run: (*tool).corpusMinimize},
			{name: "merge", topic: "merging", run: (*tool).corpusMerge},
			{name: "export", topic: "merging", run: (*tool).corpusExport},
		}},
		{name: "hook", topic: "hook", commands: []command{
			{name: "install", topic: "hook", run: (*tool).hookInstall},
			{name: "run", topic: "hook", run: (*tool).hookRun},
			{name: "uninstall", topic: "hook", run: (*tool).hookUninstall},
		}},
		{name: "merge", topic: "shards", run: (*tool).merge},
		{name: "plot", topic: "log", run: (*tool).plot},
		{name: "help", topic: "usage", run: (*tool).help},
		{name: "version", topic: "usage", run: (*tool).version},
	}
}

// dispatch runs the subcommand that args name.
func (t *tool) dispatch(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "-h", "-help", "--help":
			return t.help(nil)
		}
		for _, c := range commands() {
			if c.name == args[0] {
				return t.start(c, args[1:])
			}
		}
	}
	return t.start(commands()[0], args)
}

// start runs a command, or the one of its own commands that args name.
func (t *tool) start(c command, args []string) error {
	if c.run != nil {
		return c.run(t, args)
	}
	var names []string
	for _, own := range c.commands {
		if len(args) > 0 && own.name == args[0] {
			return own.run(t, args[1:])
		}
		names = append(names, own.name)
	}
	if len(args) == 0 {
		return usageError("fuzzmut %s takes a command: %s", c.name, strings.Join(names, ", "))
	}
	return usageError("fuzzmut %s has no command %q; there are %s", c.name, args[0], strings.Join(names, ", "))
}

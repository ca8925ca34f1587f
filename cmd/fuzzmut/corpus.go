package main

import "strings"

// corpusCommands lists the subcommands of corpus, which work on committed corpora.
func corpusCommands() []command {
	return []command{
		{"regen", (*tool).corpusRegen},
		{"verify", (*tool).verify},
		{"minimize", (*tool).corpusMinimize},
		{"merge", (*tool).corpusMerge},
		{"export", (*tool).corpusExport},
	}
}

// corpus runs the subcommand of corpus that args name.
func (t *tool) corpus(args []string) error {
	var names []string
	for _, c := range corpusCommands() {
		if len(args) > 0 && c.name == args[0] {
			return c.run(t, args[1:])
		}
		names = append(names, c.name)
	}
	list := strings.Join(names, ", ")
	if len(args) == 0 {
		return usageError("fuzzmut corpus takes a command: %s", list)
	}
	return usageError("fuzzmut corpus has no command %q; there are %s", args[0], list)
}

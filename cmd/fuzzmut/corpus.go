package main

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
func (t *tool) corpus(args []string) error { return t.subcommand("corpus", corpusCommands(), args) }

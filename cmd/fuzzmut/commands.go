package main

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// A command is a subcommand, or one of the commands of a subcommand.
type command struct {
	name     string
	args     string // what follows the name, in its usage
	summary  string // what it does: a verb first, and short enough for a list
	topic    string // of help that tells most about it
	examples []example
	common   []string                      // the flags that its help shows first, in this order
	flags    func(name string) *flags      // makes its flags; nil if it has subcommands
	run      func(t *tool, f *flags) error // nil likewise
	commands []command
}

// An example is a command line, and what it is for.
type example struct{ line, purpose string }

// commands lists the subcommands. The first is the default.
func commands() []command {
	return []command{
		fuzzCommand(), diffCommand(), testCommand(), suggestCommand(), mutantsCommand(), triageCommand(), scoreCommand(), corpusCommand(), fleetCommand(), hookCommand(),
		{
			name: "merge", args: "[flags] files", summary: "join results of fuzzmut test -json", topic: "shards",
			examples: []example{{"fuzzmut merge 1.json 2.json", "one result of two machines"}},
			common:   []string{"json", "min-score", "allow-missing", "v", "q"},
			flags:    newJoinFlags, run: (*tool).merge,
		},
		{
			name: "vet", args: "[flags] [packages]", summary: "check directives and fuzz tests for mistakes", topic: "vet",
			examples: []example{
				{"fuzzmut vet ./...", "misspelled directives, fuzz tests that call nothing, and more"},
				{"fuzzmut vet -annotations github ./...", "in a pull request"},
			},
			common: []string{"json", "format", "annotations", "C"},
			flags:  newVetFlags, run: (*tool).vet,
		},
		{
			name: "plot", args: "[flags] logs", summary: "draw what fuzzmut -log has written", topic: "log",
			examples: []example{{"fuzzmut plot -o run.svg run.log", "how coverage and kills grow"}},
			common:   []string{"o", "x"},
			flags:    newPlotFlags, run: (*tool).plot,
		},
		{
			name: "config", args: "[command] [flags] [packages]", summary: "show the settings of a command, and where they come from", topic: "settings",
			examples: []example{
				{"fuzzmut config", "what holds for fuzzmut without flags"},
				{"fuzzmut config test -timeout 5s ./...", "what would hold for this command line"},
			},
			common: []string{"json", "C"},
			flags:  newConfigFlags, run: (*tool).config,
		},
		{
			name: "completion", args: "shell", summary: "print a script that completes command lines: bash, fish or zsh", topic: "completion",
			examples: []example{{`fuzzmut completion bash >~/.fuzzmut.bash`, "for bash, to source; more in the help on the topic"}},
			flags:    newCompletionFlags, run: (*tool).completion,
		},
		{
			name: "help", args: "[command | topic | all]", summary: "show help on a command or topic, or all of it", topic: "usage",
			examples: []example{{"fuzzmut help -man >fuzzmut.1", "the manual as a man page"}},
			common:   []string{"man"},
			flags:    newHelpFlags, run: (*tool).help,
		},
		{name: "version", summary: "print the version", topic: "usage", flags: newArguments, run: (*tool).version},
	}
}

func fuzzCommand() command {
	return command{
		name: "fuzz", args: "[flags] [packages]", summary: "fuzz, guided by mutants; the default command", topic: "corpus",
		examples: []example{
			{"fuzzmut ./parser", "each fuzz test of a package for a minute"},
			{"fuzzmut -fuzz FuzzParse -fuzztime 20s ./parser", "one fuzz test, for 20 seconds"},
			{"fuzzmut -fuzztime 20000x -seed 1 -parallel 1 .", "the same run each time"},
			{"fuzzmut -oracle leak ./parser", "inputs that leave goroutines waiting fail, too"},
			{"fuzzmut -oracle race ./parser", "and those that show a data race"},
			{"fuzzmut -oracle overflow ./parser", "and those with which a size, an index or a bound has wrapped"},
		},
		common: []string{"fuzz", "fuzztime", "diff", "mutate", "n", "v", "json"},
		flags:  onPackages((*flags).addRun, (*flags).addFuzz, (*flags).addEarly, (*flags).addCorpusSize, (*flags).addOracle, (*flags).addCost, (*flags).addShare, (*flags).addWithTests, (*flags).addWriteTest, (*flags).addDiffBy, (*flags).addPacked), run: (*tool).fuzz,
	}
}

func diffCommand() command {
	return command{
		name: "diff", args: "[flags] [revision] [packages]", summary: "say what a change does: inputs on which old and new code differ", topic: "behavior",
		examples: []example{
			{"fuzzmut diff main ./...", "the work tree against a revision"},
			{"fuzzmut diff main...HEAD ./...", "what a branch has changed"},
			{"fuzzmut diff -with golang.org/x/net@v0.55.0 ./...", "go.mod as it is against another version of a dependency"},
			{"fuzzmut diff -old ../before ./...", "against another tree"},
		},
		common: []string{"with", "old", "fuzz", "fuzztime", "v", "json", "markdown"},
		flags:  onPackages((*flags).addCompare), run: (*tool).diff,
	}
}

func testCommand() command {
	return command{
		name: "test", args: "[flags] [packages]", summary: "run the packages' own tests against the mutants", topic: "tests",
		examples: []example{
			{"fuzzmut test ./parser", "which mutants do the tests miss?"},
			{"fuzzmut test -diff main... ./...", "only on lines that this branch has changed"},
			{"fuzzmut test -min-score 80% ./...", "exit code 4 below that"},
		},
		common: []string{"run", "skip", "diff", "diff-by", "mutate", "min-score", "v", "json"},
		flags:  onPackages((*flags).addTest), run: (*tool).test,
	}
}

func suggestCommand() command {
	return command{
		name: "suggest", args: "[flags] [packages]", summary: "find test cases that kill what the unit tests miss", topic: "suggestions",
		examples: []example{
			{"fuzzmut suggest ./parser", "calls at which surviving mutants show"},
			{"fuzzmut suggest -write-test ./parser", "write them as a test"},
			{"fuzzmut suggest -diff main... ./...", "only for survivors on lines that this branch has changed"},
			{"fuzzmut suggest -oracles ./parser", "properties that kill survivors, as round trips"},
		},
		common: []string{"fuzztime", "write-test", "diff", "mutate", "v", "json"},
		flags:  onPackages((*flags).addSuggest), run: (*tool).suggest,
	}
}

func mutantsCommand() command {
	return command{
		name: "mutants", args: "[flags] [packages]", summary: "list the mutants, or show one", topic: "operators",
		examples: []example{
			{"fuzzmut mutants ./parser", "all of them, with their IDs"},
			{"fuzzmut mutants -show riqm4d ./parser", "one as a diff"},
		},
		common: []string{"show", "mutate", "operators", "v", "json"},
		flags:  onPackages((*flags).addMutants), run: (*tool).mutants,
	}
}

func triageCommand() command {
	return command{
		name: "triage", args: "[flags] [packages]", summary: "sort failing inputs by the bugs they show", topic: "triage",
		examples: []example{
			{"fuzzmut triage ./parser", "the failing inputs that runs have left"},
			{"fuzzmut triage -crashers found -since v1.2.0 .", "those in a directory; since which commit they fail"},
		},
		common: []string{"fuzz", "crashers", "triagetime", "since", "write", "v", "json"},
		flags:  onPackages((*flags).addTriage, (*flags).addShare), run: (*tool).triage,
	}
}

func scoreCommand() command {
	return command{
		name: "score", args: "[flags] [packages]", summary: "run the corpus as it stands against all mutants", topic: "accepted-mutants",
		examples: []example{
			{"fuzzmut score ./parser", "what does the committed corpus kill?"},
			{"fuzzmut score -with-tests ./parser", "which survivors does no unit test notice either?"},
			{"fuzzmut score -baseline accepted.txt -new-only ./...", "exit code 4 if new mutants survive"},
		},
		common: []string{"fuzz", "diff", "min-score", "baseline", "new-only", "mutate", "v", "json"},
		flags:  onPackages((*flags).addRun, (*flags).addOracle, (*flags).addShare, (*flags).addBaseline, (*flags).addKnown, (*flags).addWithTests, (*flags).addDiffBy), run: (*tool).score,
	}
}

func corpusCommand() command {
	return command{
		name: "corpus", args: "command", summary: "verify, show, regenerate, minimize, merge, export or prune a corpus", topic: "corpus",
		commands: []command{
			{
				name: "regen", args: "[flags] [packages]", summary: "bring corpora up to date with changed code", topic: "regeneration",
				examples: []example{
					{"fuzzmut corpus regen ./...", "after code has changed"},
					{"fuzzmut corpus regen -diff main... ./...", "for the functions that this branch has changed"},
				},
				common: []string{"fuzz", "fuzztime", "diff", "n", "v", "json"},
				flags:  onPackages((*flags).addRun, (*flags).addFuzz, (*flags).addShare, (*flags).addDiff), run: (*tool).corpusRegen,
			},
			{
				name: "verify", args: "[flags] [packages]", summary: "compare what the code returns with the golden values", topic: "golden-values",
				examples: []example{
					{"fuzzmut corpus verify ./...", "exit code 1 if a value has changed"},
					{"fuzzmut corpus verify -update ./parser", "accept the values of now"},
				},
				common: []string{"fuzz", "update", "write-test", "v", "json"},
				flags:  onPackages((*flags).addVerify), run: (*tool).verify,
			},
			{
				name: "show", args: "[flags] [FuzzX] [packages]", summary: "list entries, what they are kept for, and their golden values", topic: "corpus",
				examples: []example{
					{"fuzzmut corpus show FuzzX ./parser", "which mutants does each entry kill alone?"},
					{"fuzzmut corpus show -v FuzzX ./parser", "with the golden values"},
				},
				common: []string{"fuzz", "v", "json"},
				flags:  onPackages((*flags).addShow), run: (*tool).corpusShow,
			},
			{
				name: "minimize", args: "[flags] [packages]", summary: "remove entries that add nothing to the others", topic: "minimizing",
				examples: []example{
					{"fuzzmut corpus minimize -n ./parser", "what would be removed?"},
					{"fuzzmut corpus minimize -cache ./parser", "minimize Go's fuzz cache"},
				},
				common: []string{"fuzz", "n", "by", "cache", "v", "json"},
				flags:  onPackages((*flags).addMinimize), run: (*tool).corpusMinimize,
			},
			{
				name: "merge", args: "[flags] [packages]", summary: "add inputs of other corpora", topic: "merging",
				examples: []example{
					{"fuzzmut corpus merge ./parser", "of Go's fuzz cache"},
					{"fuzzmut corpus merge -share dir ./parser", "of a shared directory"},
					{"fuzzmut corpus merge -from other -from seeds.zip -fuzz FuzzX .", "of a directory and of an archive"},
				},
				common: []string{"from", "fuzz", "n", "by", "v", "json"},
				flags:  onPackages((*flags).addMerge, (*flags).addShare), run: (*tool).corpusMerge,
			},
			{
				name: "export", args: "[flags] [packages]", summary: "write corpora for libFuzzer, AFL and OSS-Fuzz", topic: "oss-fuzz",
				examples: []example{
					{"fuzzmut corpus export -to out ./parser", "to out/FuzzX, and out/FuzzX.dict"},
					{"fuzzmut corpus export -ossfuzz out ./parser", "to out/FuzzX_seed_corpus.zip and out/FuzzX.dict"},
				},
				common: []string{"to", "ossfuzz", "fuzz", "v", "json"},
				flags:  onPackages((*flags).addExport), run: (*tool).corpusExport,
			},
			{
				name: "prune", args: "-share dir [flags]", summary: "remove from a shared directory what nobody needs", topic: "sharing",
				examples: []example{
					{"fuzzmut corpus prune -share dir -n", "what would be removed?"},
					{"fuzzmut corpus prune -share dir -max-age 30d -max-size 200MiB", "with smaller limits"},
				},
				common: []string{"share", "n", "max-age", "max-size"},
				flags:  newPruneFlags, run: (*tool).corpusPrune,
			},
		},
	}
}

func hookCommand() command {
	return command{
		name: "hook", args: "command", summary: "have git check golden values before each commit", topic: "hook",
		commands: []command{
			{
				name: "install", args: "[flags]", summary: "have git verify golden values before a commit", topic: "hook",
				examples: []example{
					{"fuzzmut hook install", "in a clone of your module"},
					{"fuzzmut hook install -regen -budget 30s", "regenerate corpora, too"},
					{"fuzzmut hook install -diff", "say in each commit message's template what changes in behavior"},
				},
				common: []string{"regen", "diff", "budget", "fuzztime", "C"},
				flags:  onPackages((*flags).addInstall), run: (*tool).hookInstall,
			},
			{
				name: "run", args: "[flags]", summary: "do what the hook does", topic: "hook",
				examples: []example{{"fuzzmut hook run -v", "on what is staged"}},
				common:   []string{"regen", "budget", "fuzztime", "C", "v"},
				flags:    onPackages((*flags).addHook), run: (*tool).hookRun,
			},
			{
				name: "message", args: "[flags] file [source]", summary: "do what the hook of -diff does", topic: "hook",
				examples: []example{{"fuzzmut hook message .git/COMMIT_EDITMSG", "on what is staged"}},
				common:   []string{"budget", "fuzztime", "C", "v"},
				flags:    onPackages((*flags).addMessage), run: (*tool).hookMessage,
			},
			{
				name: "uninstall", args: "[flags]", summary: "remove that hook", topic: "hook",
				examples: []example{{"fuzzmut hook uninstall", "the hook that was there before comes back"}},
				common:   []string{"C"},
				flags:    newFlags, run: (*tool).hookUninstall,
			},
		},
	}
}

// onPackages makes the flags of a subcommand that works on packages.
func onPackages(add ...func(*flags)) func(name string) *flags {
	return func(name string) *flags {
		f := newFlags(name)
		for _, add := range add {
			add(f)
		}
		return f
	}
}

// isHelp says whether an argument asks for help.
func isHelp(arg string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, arg) }

// dispatch runs the subcommand that args name.
func (t *tool) dispatch(args []string) error {
	if len(args) > 0 && isHelp(args[0]) {
		return t.overview(t.stdout)
	}
	if c := find(commands(), args); c != nil {
		return t.start(*c, c.name, args[1:])
	}
	if err := t.mistyped(args); err != nil {
		return err
	}
	return t.start(commands()[0], commands()[0].name, args)
}

// find returns the command of a list that args begin with, or nil.
func find(list []command, args []string) *command {
	if len(args) == 0 {
		return nil
	}
	i := slices.IndexFunc(list, func(c command) bool { return c.name == args[0] })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// findPath returns the command that words name in full, as corpus and regen do, or nil.
func findPath(words []string) *command {
	c := find(commands(), words)
	for c != nil && len(words) > 1 {
		words = words[1:]
		c = find(c.commands, words)
	}
	return c
}

// start runs a command, or the subcommand that args name. name is that on the command line.
func (t *tool) start(c command, name string, args []string) error {
	if c.run == nil {
		return t.startOwn(c, args)
	}
	f := c.flags(name)
	switch err := f.parse(args); {
	case errors.Is(err, flag.ErrHelp):
		_, err := io.WriteString(t.stdout, c.help(name))
		return err
	case err != nil:
		return err
	}
	err := c.run(t, f)
	if exit.CodeOf(err) == exit.Usage {
		return errors.Join(err, f.origins(err))
	}
	return err
}

// startOwn runs one of a command's own commands.
func (t *tool) startOwn(c command, args []string) error {
	if own := find(c.commands, args); own != nil {
		return t.start(*own, c.name+" "+own.name, args[1:])
	}
	var names []string
	for _, own := range c.commands {
		names = append(names, own.name)
	}
	switch {
	case len(args) == 0:
		return usageError("fuzzmut %s takes a command: %s", c.name, strings.Join(names, ", "))
	case isHelp(args[0]):
		_, err := io.WriteString(t.stdout, c.help(c.name))
		return err
	}
	return usageError("fuzzmut %s has no command %q; %s", c.name, args[0], didYouMean(args[0], names, "there are "+strings.Join(names, ", ")))
}

package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/settings"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/hook"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/regen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/spelling"
)

// A setting is a flag that fuzzmut.toml may set.
type setting struct {
	name string
	kind settingKind
	// not lists commands for which the flag has a default for a reason of theirs: the file
	// sets it for them in their tables alone.
	not []string
	own bool // likewise for all commands
	// def is the default, as a command has it.
	def func(command string) string
	// yields says that the flags of the command line contradict the setting: it does not
	// hold. nil: none does.
	yields func(f *flags) bool
}

// A settingKind is what the values of a setting are.
type settingKind int

const (
	plainValue  settingKind = iota
	boolValue               // true or false
	listValue               // one or several, joined by commas
	packageList             // likewise, patterns of packages
	fileValue               // a file
	fileList                // one or several files
	dirValue                // a directory
)

// String is how the manual calls the values.
func (k settingKind) String() string {
	return [...]string{"one value", "true or false", "a list", "a list of patterns", "a file", "a list of files", "a directory"}[k]
}

// timeoutTable is the table with the timeouts of fuzz tests.
const timeoutTable = "timeouts"

// settingList lists what fuzzmut.toml may set, in the order in which it is shown, and in
// which it is set: what yields comes after what it depends on.
func settingList() []setting {
	hooks := []string{"hook run", "hook message"}
	native := func(f *flags) bool { return f.wasGiven("engine") && f.opts.Engine == project.EngineNative }
	return []setting{
		{name: "mutate", kind: packageList, not: []string{"triage"}, def: defaultMutate},
		{name: "operators", kind: listValue, not: []string{"triage"}, def: differs(project.DefaultOperators, "triage", triage.DefaultOperators)},
		{name: "arid", kind: listValue, def: same("")},
		{name: "generated", kind: boolValue, def: same("false")},
		{name: "tags", kind: listValue, def: same("")},
		{name: "race", kind: boolValue, def: same("false")},
		{name: "engine", def: same(project.EngineGuided)},
		{name: "filter", def: same("adaptive")},
		{name: "inputs", def: same("default"), yields: native},
		{name: "dict", kind: fileList, def: same(""), yields: native},
		{name: "study", kind: boolValue, def: same("true")},
		{name: "seed", not: []string{"corpus regen"}, def: differs("(drawn)", "corpus regen", strconv.Itoa(regen.DefaultSeed))},
		{name: "regen", kind: boolValue, def: same("false")},
		{name: "budget", def: same(hook.DefaultBudget.String()), yields: (*flags).onlyVerifies},
		{
			name: "fuzztime", not: append(hooks, "corpus regen"), def: defaultFuzzTime,
			yields: func(f *flags) bool {
				return f.onlyVerifies() || f.wasGiven("total") && counts(f.opts.Total) != f.fileCounts("fuzztime")
			},
		},
		{name: "total", def: same("(none)"), yields: func(f *flags) bool { return f.wasGiven("fuzztime") && counts(f.opts.FuzzTime) != f.fileCounts("total") }},
		{name: "until", def: same("(none)"), yields: native},
		{name: "triagetime", def: same(triage.DefaultTime.String())},
		{name: "tests", kind: boolValue, def: same("true")},
		{name: "parallel", not: []string{"corpus regen"}, def: defaultParallel},
		{name: "timeout", not: []string{"test"}, def: same(project.DefaultTimeout.String())},
		{name: "memlimit", def: same(strconv.Itoa(project.DefaultMemLimit>>30) + "GiB")},
		{name: "corpus", kind: dirValue, def: same("(testdata/fuzz of the package)")},
		{name: "share", kind: dirValue, def: same("(none)")},
		{name: "corpus-size", def: same(strconv.Itoa(defaultCorpusSize))},
		{name: "golden", kind: boolValue, def: same("true")},
		{name: "follow-links", kind: boolValue, def: same("false")},
		{name: "by", def: same("kills,coverage")},
		{name: "baseline", kind: fileValue, def: same("")},
		{name: "new-only", kind: boolValue, def: same("false")},
		{name: "known", kind: fileValue, def: same("(testdata/fuzz-known.txt of the package)")},
		{name: "min-score", own: true, def: same("(none)")},
		{name: "with-tests", kind: boolValue, def: same("false"), yields: func(f *flags) bool { return f.writeTest }},
		{name: "run", def: same("")},
		{name: "skip", def: same("")},
		{name: "short", kind: boolValue, def: same("false")},
		{name: "strict", kind: boolValue, def: same("false")},
		{name: "diff-by", def: same("line"), yields: func(f *flags) bool { return f.diff == "" }},
	}
}

// same is a default that all commands share.
func same(value string) func(string) string { return func(string) string { return value } }

// differs is a default that one command has otherwise.
func differs(value, command, own string) func(string) string {
	return func(name string) string {
		if name == command {
			return own
		}
		return value
	}
}

func defaultMutate(command string) string {
	switch command {
	case "triage":
		return "(the module)"
	case "test", "suggest", "mutants":
		return "(the package)"
	}
	return "(the package, and what its seeds reach)"
}

func defaultFuzzTime(command string) string {
	switch {
	case command == "corpus regen":
		return project.FuzzTime{Execs: regen.DefaultExecs}.String()
	case strings.HasPrefix(command, "hook "):
		return "(a part of the budget)"
	}
	return project.DefaultFuzzTime.String()
}

func defaultParallel(command string) string {
	if command == "corpus regen" {
		return "1"
	}
	return strconv.Itoa(runtime.GOMAXPROCS(0))
}

// onlyVerifies says that the command is a hook that takes no time to search.
func (f *flags) onlyVerifies() bool { return f.command() == "hook run" && !f.regen }

// fileCounts says that the file sets a flag to a number of executions.
func (f *flags) fileCounts(name string) bool {
	s := f.inFile(name)
	return s != nil && strings.HasSuffix(s.Values[0], "x")
}

// counts says that a bound is a number of executions.
func counts(t project.FuzzTime) bool { return t.Execs > 0 }

// command is the name of the command that the flags are of.
func (f *flags) command() string { return strings.TrimPrefix(f.set.Name(), "fuzzmut ") }

// takes says that the command has a flag, and not only an error for it.
func (f *flags) takes(name string) bool {
	fl := f.set.Lookup(name)
	return fl != nil && fl.Usage != deniedUsage
}

// wasGiven says that a flag is on the command line.
func (f *flags) wasGiven(name string) bool { return slices.Contains(f.onLine, name) }

// settingOf returns the setting of that name, or nil.
func settingOf(name string) *setting {
	list := settingList()
	i := slices.IndexFunc(list, func(s setting) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// configurable says whether the file may set flags of a command. What is installed as a hook
// has the flags that were given: the hook itself reads the file.
func configurable(name string) bool {
	return name != "hook install" && name != "hook uninstall" && len(settingsOf(name)) > 0
}

// settingsOf returns the settings of a command.
func settingsOf(name string) []setting {
	c := findPath(strings.Fields(name))
	if c == nil || c.run == nil {
		return nil
	}
	f := c.allFlags(name)
	return slices.DeleteFunc(settingList(), func(s setting) bool { return !f.takes(s.name) })
}

// allFlags returns the flags of a command with the build flags of the go command.
func (c *command) allFlags(name string) *flags {
	f := c.flags(name)
	if f.builds {
		addBuildFlags(f.set, buildFlags, func(string) {})
	}
	return f
}

// configure sets what fuzzmut.toml says and the command line does not. The file is that of
// the module, or else of the workspace, which the command runs in.
func (f *flags) configure() error {
	f.set.Visit(func(fl *flag.Flag) { f.onLine = append(f.onLine, fl.Name) })
	f.opts.MutateOnce, f.opts.OperatorsOnce = f.wasGiven("mutate"), f.wasGiven("operators")
	if !configurable(f.command()) {
		return nil
	}
	dir, err := filepath.Abs(f.opts.Dir)
	if err != nil {
		return usageError("the current directory can't be found: %w", err)
	}
	root := settings.Root(dir)
	if root == "" {
		return nil
	}
	path := filepath.Join(root, settings.Name)
	file, err := settings.Read(path, fromHere(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = checkSettings(file)
	}
	if err != nil {
		return usageError("%w", err)
	}
	f.file = file
	for _, s := range settingList() {
		in := f.inFile(s.name)
		if in == nil || !f.takes(s.name) || f.wasGiven(s.name) || s.yields != nil && s.yields(f) {
			continue
		}
		for _, value := range in.arguments(s.kind, dir, root) {
			if err := f.set.Set(s.name, value); err != nil {
				return usageError("%w", file.Errorf(in.Line, "%s: %w", s.name, err))
			}
		}
		f.configured = append(f.configured, configured{s.name, in.Setting})
	}
	f.configureTimeouts()
	return nil
}

// configureTimeouts takes over the timeouts of fuzz tests.
func (f *flags) configureTimeouts() {
	if !f.builds || f.wasGiven("timeout") || f.command() == "test" {
		return
	}
	for _, s := range f.file.Settings {
		if !slices.Equal(s.Table, []string{timeoutTable}) {
			continue
		}
		if f.opts.Timeouts == nil {
			f.opts.Timeouts = make(project.Timeouts)
		}
		f.opts.Timeouts[s.Key], _ = time.ParseDuration(s.Values[0]) // which was checked
		f.configured = append(f.configured, configured{timeoutTable + "." + s.Key, s})
	}
}

// configured is a flag that the file has set.
type configured struct {
	name string
	settings.Setting
}

// inFile is a setting of the file.
type inFile struct{ settings.Setting }

// inFile returns what the file says of a flag of this command: in its table, in that of the
// command that it is one of, or above all tables. nil: nothing.
func (f *flags) inFile(name string) *inFile {
	if f.file == nil {
		return nil
	}
	words := strings.Fields(f.command())
	s := settingOf(name)
	for n := len(words); n >= 0; n-- {
		if n == 0 && slices.Contains(s.not, f.command()) {
			break
		}
		for _, in := range f.file.Settings {
			if in.Key == name && slices.Equal(in.Table, words[:n]) {
				return &inFile{in}
			}
		}
	}
	return nil
}

// arguments returns the values for a flag. Paths and patterns of packages in the file are
// relative to root, where it is; those of flags to the directory that the command runs in,
// or, for files, to that of the process.
func (in *inFile) arguments(kind settingKind, dir, root string) []string {
	var values []string
	for _, v := range in.Values {
		switch {
		case kind == packageList:
			for part := range strings.SplitSeq(v, ",") {
				values = append(values, patternIn(strings.TrimSpace(part), dir, root))
			}
			continue
		case kind == dirValue && dir == root:
		case (kind == dirValue || kind == fileValue || kind == fileList) && !filepath.IsAbs(v):
			if v = filepath.Join(root, filepath.FromSlash(v)); kind != dirValue {
				v = fromHere(v)
			}
		}
		values = append(values, v)
	}
	if kind == listValue || kind == packageList {
		return []string{strings.Join(values, ",")}
	}
	return values
}

// patternIn makes of a pattern of packages that is relative to root one that is to dir.
func patternIn(pattern, dir, root string) string {
	first, _, _ := strings.Cut(pattern, "/")
	if dir == root || first != "." && first != ".." {
		return pattern
	}
	rel, err := filepath.Rel(dir, filepath.Join(root, filepath.FromSlash(pattern)))
	if err != nil {
		return pattern
	}
	rel = filepath.ToSlash(rel)
	if rel == ".." || strings.HasPrefix(rel, "../") {
		return rel
	}
	return "./" + rel
}

// fromHere shortens a path to that from the working directory, if there is one.
func fromHere(path string) string {
	here, err := filepath.Abs("")
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil {
		return rel
	}
	return path
}

// origins says for each flag that an error names and the file has set where that is.
func (f *flags) origins(err error) error {
	var list []error
	for _, c := range f.configured {
		if regexp.MustCompile(`(^|[\s("])-` + regexp.QuoteMeta(c.name) + `($|[^\w-])`).MatchString(err.Error()) {
			list = append(list, usageError("-%s is set by %s:%d", c.name, f.file.Path, c.Line))
		}
	}
	return errors.Join(list...)
}

// settingError is the error for a key that is no setting.
func settingError(key string) error {
	var names []string
	for _, s := range settingList() {
		names = append(names, s.name)
	}
	if slices.Contains(tableNames(), key) {
		return fmt.Errorf("%s is a table: write [%[1]s] on a line, and settings below it", key)
	}
	for _, name := range commandNames() {
		c := findPath(strings.Fields(name))
		if near := spelling.Nearest(key, names); c.run != nil && near == "" && c.allFlags(name).takes(key) {
			return fmt.Errorf("-%s is for the command line: it can't be set here; \"fuzzmut help settings\" lists what can", key)
		}
	}
	return fmt.Errorf("unknown setting %q; %s", key, didYouMean(key, names, "\"fuzzmut help settings\" lists the settings"))
}

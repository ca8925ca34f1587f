package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/spelling"
)

// didYouMean ends a message with the name that a word was probably meant to be, or else
// with other words.
func didYouMean(word string, names []string, otherwise string) string {
	if near := spelling.Nearest(word, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// commandNames returns the names of all commands as they stand on the command line.
func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	for _, c := range commands() {
		for _, own := range c.commands {
			names = append(names, c.name+" "+own.name)
		}
	}
	return names
}

// nearestCommand returns the command that a word was probably meant to be, which may be
// one of corpus or hook, or "".
func nearestCommand(word string) string {
	all := commandNames()
	last := make([]string, len(all))
	full := make(map[string]string)
	for i, name := range all {
		last[i] = name[strings.LastIndexByte(name, ' ')+1:]
		if full[last[i]] == "" {
			full[last[i]] = name
		}
	}
	return full[spelling.Nearest(word, last)]
}

// bareWord matches what may be meant as a command.
var bareWord = regexp.MustCompile(`^[a-z]+$`)

// mistyped returns an error if the arguments, which begin with no command, can't mean the
// default one.
func (t *tool) mistyped(args []string) error {
	if len(args) == 0 {
		return t.nowhere()
	}
	word, dir := args[0], dirOf(args)
	near := nearestCommand(word)
	if !bareWord.MatchString(word) || near == "" || isPackage(dir, word) {
		return nil
	}
	if info, err := os.Stat(filepath.Join(dir, word)); err == nil && info.IsDir() {
		return usageError("unknown command %q; did you mean %q, or the package ./%s?", word, near, word)
	}
	return usageError("unknown command %q; did you mean %q?", word, near)
}

// dirOf returns the directory that -C names, "" if it is not given.
func dirOf(args []string) string {
	for i, arg := range args {
		name, isFlag := strings.CutPrefix(strings.Replace(arg, "--", "-", 1), "-")
		switch {
		case !isFlag:
		case name == "C" && i+1 < len(args):
			return args[i+1]
		case strings.HasPrefix(name, "C="):
			return name[len("C="):]
		}
	}
	return ""
}

// isPackage reports whether the go command knows a package of that name in dir. Without a
// go command nothing is known: then there is one.
func isPackage(dir, name string) bool {
	cmd := gotool.GoCommand(context.Background(), "go", "list", "-find", "--", name)
	cmd.Dir = dir
	err := cmd.Run()
	var failed *exec.ExitError
	return !errors.As(err, &failed)
}

// nowhere shows a user who has named no package in a directory without one what there is,
// and returns the error.
func (t *tool) nowhere() error {
	if files, err := filepath.Glob("*.go"); err != nil || len(files) > 0 {
		return nil
	}
	if err := t.overview(t.stderr); err != nil {
		return err
	}
	fmt.Fprintln(t.stderr)
	if found := fuzzTestsBelow("."); len(found) > 0 {
		return usageError("no Go files in this directory; there are fuzz tests in %s", strings.Join(found, " "))
	}
	return usageError("no Go files in this directory; name a package, as in fuzzmut ./parser")
}

// Bounds of fuzzTestsBelow: it is for a message.
const (
	maxLookedAt = 5000 // files and directories
	maxFound    = 3
)

// declaresFuzzTest matches Go source with a fuzz test.
var declaresFuzzTest = regexp.MustCompile(`(?m)^func Fuzz[^a-z]\w*\(\w+ \*testing\.F\)`)

// fuzzTestsBelow returns the first directories of the module that have fuzz tests, as
// packages are named.
func fuzzTestsBelow(root string) (found []string) {
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if n++; n > maxLookedAt || len(found) == maxFound {
			return fs.SkipAll
		}
		name := filepath.Base(path)
		switch {
		case err != nil:
			return nil // what can't be read is skipped
		case d.IsDir() && path != root && skipped(path, name):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && declaresFuzzTest.Match(text) {
			found = append(found, "./"+filepath.ToSlash(filepath.Dir(path)))
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return found
}

// skipped reports whether "./..." does not enter a directory.
func skipped(path, name string) bool {
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil || name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// unknownFlag is the error for a flag that the subcommand does not have.
func (f *flags) unknownFlag(arg string) error {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	var own []string
	f.set.VisitAll(func(fl *flag.Flag) { own = append(own, fl.Name) })
	if near := spelling.Nearest(name, own); near != "" && len(name) > 1 {
		return usageError("unknown flag %s; did you mean -%s?", arg, near)
	}
	command := strings.TrimPrefix(f.set.Name(), "fuzzmut ")
	if c := findPath(strings.Fields(command)); name == "package" && c != nil && len(c.examples) > 0 {
		return usageError("unknown flag %s; packages stand without a flag: %s", arg, c.examples[len(c.examples)-1].line)
	}
	if others := takers(name); len(others) > 0 {
		return usageError("unknown flag %s; fuzzmut %s does not take it, these commands do: %s", arg, command, strings.Join(others, ", "))
	}
	if near := spelling.Nearest(name, everyFlag()); near != "" && len(name) > 1 {
		return usageError("unknown flag %s; did you mean -%s? fuzzmut %s does not take it, these commands do: %s", arg, near, command, strings.Join(takers(near), ", "))
	}
	return usageError("unknown flag %s; \"fuzzmut help %s\" lists the flags", arg, command)
}

// takers are the commands that take a flag.
func takers(name string) (commands []string) {
	for _, other := range commandNames() {
		if c := findPath(strings.Fields(other)); c.run != nil && c.flags(other).set.Lookup(name) != nil {
			commands = append(commands, other)
		}
	}
	return commands
}

// everyFlag lists the flags of all commands, without those of the go command.
func everyFlag() (names []string) {
	for _, command := range commandNames() {
		if c := findPath(strings.Fields(command)); c.run != nil {
			c.flags(command).set.VisitAll(func(fl *flag.Flag) {
				if !slices.Contains(names, fl.Name) {
					names = append(names, fl.Name)
				}
			})
		}
	}
	return names
}

// checkOperators returns an error for a name that no operator has.
func checkOperators(list string) error {
	_, err := operator.ByNames(list)
	if err == nil {
		return nil
	}
	known := []string{"default", "strong", "all", "guards"}
	for _, op := range operator.All() {
		known = append(known, op.Name)
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if near := spelling.Nearest(name, known); near != "" && near != name {
			return fmt.Errorf("unknown operator %q; did you mean %q?", name, near)
		}
	}
	return err
}

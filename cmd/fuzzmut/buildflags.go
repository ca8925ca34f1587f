package main

import (
	"context"
	"errors"
	"flag"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// A buildFlag is a flag of go build that users may expect to work here.
type buildFlag struct {
	name  string
	bool  bool   // takes no value, or true or false
	alone bool   // takes a value, but may stand without one
	deny  string // why it can't be passed to the go command; "" if it is
}

// buildFlags lists the build flags of the go command as of Go 1.27, and flags of go
// test that are refused. Left out are -C, which fuzzmut has too, and those whose names
// mean something else here: -n, -v and -json. Flags of a later go command are read from
// its help; see helpFlags.
var buildFlags = []buildFlag{
	{name: "a", bool: true},
	{name: "asan", bool: true},
	{name: "asmflags"},
	{name: "buildvcs", alone: true},
	{name: "gcflags"},
	{name: "ldflags"},
	{name: "mod"},
	{name: "modcacherw", bool: true},
	{name: "modfile"},
	{name: "msan", bool: true},
	{name: "p"},
	{name: "pgo"},
	{name: "race", bool: true},
	{name: "tags"},
	{name: "toolexec"},
	{name: "trimpath", bool: true},
	{name: "work", bool: true},
	{name: "x", bool: true},

	{name: "buildmode", deny: "a test binary is built"},
	{name: "c", bool: true, deny: "the test binary is run, not kept"},
	{name: "compiler", deny: "only the gc toolchain is supported"},
	{name: "count", deny: "fuzzmut decides how often tests are run; -fuzztime 20000x bounds the executions of a fuzz test"},
	{name: "cover", bool: true, deny: "the result holds the coverage in any case"},
	{name: "covermode", deny: "the result holds the coverage in any case"},
	{name: "coverpkg", deny: "-mutate chooses the packages; the result holds their coverage"},
	{name: "coverprofile", deny: "the result holds the coverage in any case; fuzzmut fuzz, score and test have -coverprofile"},
	{name: "exec", deny: "workers share memory with the command and run on its machine"},
	{name: "fuzzminimizetime", deny: "failing inputs are minimized within a fixed number of executions"},
	{name: "gccgoflags", deny: "only the gc toolchain is supported"},
	{name: "installsuffix", deny: "nothing is installed"},
	{name: "linkshared", bool: true, deny: "a test binary is linked statically"},
	{name: "o", deny: "the test binary is run, not kept"},
	{name: "overlay", deny: "fuzzmut passes another overlay; apply yours to the source first"},
	{name: "pkgdir", deny: "nothing is installed"},
	{name: "run", deny: "-fuzz chooses the fuzz tests; fuzzmut test has -run"},
	{name: "vet", deny: "vet does not apply to rewritten packages; run go vet by itself"},
}

// The usage of build flags: of those that are errors, and of the others.
const (
	deniedUsage = "not supported"
	passedUsage = "passed to the go command"
)

// addBuildFlags adds build flags to set, but for those whose names it has
// already. Each one that may be passed on is
// given to pass as an argument of the go command, in the order of the command
// line. It reports whether there was one to add.
func addBuildFlags(set *flag.FlagSet, list []buildFlag, pass func(arg string)) (added bool) {
	for _, b := range list {
		if set.Lookup(b.name) != nil {
			continue
		}
		added = true
		usage := passedUsage
		use := func(value string) error {
			pass("-" + b.name + "=" + value)
			return nil
		}
		if b.deny != "" {
			usage = deniedUsage
			use = func(string) error { return errors.New("not supported: " + b.deny) }
		} else if b.bool {
			use = func(value string) error {
				on, err := strconv.ParseBool(value)
				pass("-" + b.name + "=" + strconv.FormatBool(on))
				return err
			}
		}
		if b.bool || b.alone {
			set.BoolFunc(b.name, usage, use)
		} else {
			set.Func(b.name, usage, use)
		}
	}
	return added
}

// goHelp returns what the go command that is used in dir, "" for the working directory,
// tells of its build flags.
func goHelp(dir string) (string, error) {
	cmd := gotool.GoCommand(context.Background(), "go", "help", "build")
	cmd.Dir = dir
	text, err := cmd.Output()
	return string(text), err
}

// helpFlags reads the flags that all commands share which build from what "go help build"
// prints. Each stands on its own line after one tab, with a word for its value if
// it takes one.
func helpFlags(text string) []buildFlag {
	_, text, _ = strings.Cut(text, "\nThe build flags are shared by ")
	var list []buildFlag
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "\t-")
		if !ok {
			continue
		}
		name, value, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if name != "" {
			list = append(list, buildFlag{name: name, bool: value == ""})
		}
	}
	return list
}

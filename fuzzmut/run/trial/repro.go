package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// Repro is a command that runs one corpus entry, from the user's directory.
func Repro(t *Trial, name string) string {
	run := GoTest(t, fmt.Sprintf("-run=^%s$/^%s$", t.Test.Name, name))
	if t.Test.Target != "" {
		run = writeCommand(t) + " && " + run
	}
	return run
}

// ReproOf is a command that shows a failure of an entry, also where plain go test passes.
func ReproOf(t *Trial, o wire.Outcome, name string) string {
	switch {
	case o.Kind.Asked():
		return OracleCommand(t, o.Kind.String())
	case o.Kind == wire.Memory: // go test passes where there is memory enough
		flags := replay()
		if most := t.Project.Options.MemLimit; most > 0 {
			flags = append(flags, fmt.Sprintf("-memlimit=%d", most))
		}
		return fuzzmut(t, append(flags, rewritten(t)...)...)
	}
	return Repro(t, name)
}

// packagePath is how the package is named in commands from the user's directory.
func packagePath(t *Trial) string {
	rel, err := filepath.Rel(t.Project.Options.Dir, t.Package.Program.Test.Dir)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return t.Package.Program.Test.ImportPath
	case rel == ".":
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}

// GoTest is a command that runs go test on the package with further flags, from the user's
// directory.
func GoTest(t *Trial, flags ...string) string {
	return command(t, []string{"go", "test"}, t.Project.Options.BuildFlags, flags, []string{packagePath(t)})
}

// command is a command from the user's directory: words, where it runs if that is elsewhere, and the rest.
func command(t *Trial, words []string, rest ...[]string) string {
	args := slices.Clone(words)
	if wd, err := os.Getwd(); err == nil && wd != t.Project.Options.Dir {
		args = append(args, "-C", t.Project.Options.Dir)
	}
	args = append(args, slices.Concat(rest...)...)
	for i, a := range args {
		args[i] = shell.Quote(a)
	}
	return strings.Join(args, " ")
}

// writeCommand is the command that writes a derived fuzz test into its package, for go
// test to know it, and that has the module require what the fuzz test imports.
func writeCommand(t *Trial) string {
	write := fuzzmut(t, "-write-test")
	if l := t.Package.Loaded; l.Library == nil || !slices.ContainsFunc(l.Derived, func(d load.Derived) bool { return d.Name == t.Test.Name && d.Library }) {
		return write
	}
	return write + " && " + command(t, []string{"go", "get"}, []string{"-t", target.LibraryModule})
}

// OracleCommand is the command that shows which entries fail for an oracle: plain go test
// passes with them.
func OracleCommand(t *Trial, oracle string) string {
	return fuzzmut(t, append(replay("-oracle="+oracle), rewritten(t)...)...)
}

// replay are flags with which fuzzmut runs what the corpus has, and writes nothing: who wants to see a failure again
// has not asked for another corpus.
func replay(flags ...string) []string {
	return slices.Concat([]string{"-n"}, flags, []string{"-fuzztime=1x"})
}

// rewritten are the flags that have the same code rewritten: an oracle sees nothing elsewhere.
func rewritten(t *Trial) (flags []string) {
	if list := t.Project.Options.Mutate; len(list) > 0 {
		flags = append(flags, "-mutate="+strings.Join(list, ","))
	}
	if t.Project.Options.Generated {
		flags = append(flags, "-generated")
	}
	return flags
}

// SearchCommand is the command that fuzzes it, with the same code rewritten.
func SearchCommand(t *Trial) string { return fuzzmut(t, rewritten(t)...) }

// fuzzmut is a command that runs fuzzmut for the fuzz test, from the user's directory.
func fuzzmut(t *Trial, flags ...string) string {
	return command(t, []string{"fuzzmut"}, t.Project.Options.BuildFlags, flags, []string{"-fuzz=^" + t.Test.Name + "$", packagePath(t)})
}

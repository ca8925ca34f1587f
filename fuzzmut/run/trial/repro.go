package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
)

// Repro is a command that runs one corpus entry, from the user's directory.
func Repro(t *Trial, name string) string {
	args := []string{"go", "test"}
	if wd, err := os.Getwd(); err == nil && wd != t.Project.Options.Dir {
		args = append(args, "-C", t.Project.Options.Dir)
	}
	args = append(args, t.Project.Options.BuildFlags...)
	args = append(args, fmt.Sprintf("-run=^%s$/^%s$", t.Test.Name, name))
	pkg := t.Package.Program.Test.ImportPath
	if rel, err := filepath.Rel(t.Project.Options.Dir, t.Package.Program.Test.Dir); err == nil && filepath.IsLocal(rel) {
		pkg = "./" + filepath.ToSlash(rel)
		if rel == "." {
			pkg = "."
		}
	}
	args = append(args, pkg)
	for i, a := range args {
		args[i] = shell.Quote(a)
	}
	command := strings.Join(args, " ")
	if t.Test.Target != "" {
		command = writeCommand(t, pkg) + " && " + command
	}
	return command
}

// writeCommand is the command that writes a derived fuzz test into its package, for go
// test to know it.
func writeCommand(t *Trial, pkg string) string {
	args := []string{"fuzzmut"}
	if wd, err := os.Getwd(); err == nil && wd != t.Project.Options.Dir {
		args = append(args, "-C", t.Project.Options.Dir)
	}
	args = append(args, "-write-test", "-fuzz=^"+t.Test.Name+"$", pkg)
	for i, a := range args {
		args[i] = shell.Quote(a)
	}
	return strings.Join(args, " ")
}

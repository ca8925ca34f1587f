package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
)

// repro is a command that runs one corpus entry, from the user's directory.
func (t *trial) repro(name string) string {
	args := []string{"go", "test"}
	if wd, err := os.Getwd(); err == nil && wd != t.runner.opts.Dir {
		args = append(args, "-C", t.runner.opts.Dir)
	}
	args = append(args, t.runner.opts.BuildFlags...)
	args = append(args, fmt.Sprintf("-run=^%s$/^%s$", t.test.Name, name))
	pkg := t.b.program.Test.ImportPath
	if rel, err := filepath.Rel(t.runner.opts.Dir, t.b.program.Test.Dir); err == nil && filepath.IsLocal(rel) {
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
	if t.test.Target != "" {
		command = t.writeCommand(pkg) + " && " + command
	}
	return command
}

// writeCommand is the command that writes a derived fuzz test into its package, for go
// test to know it.
func (t *trial) writeCommand(pkg string) string {
	args := []string{"fuzzmut"}
	if wd, err := os.Getwd(); err == nil && wd != t.runner.opts.Dir {
		args = append(args, "-C", t.runner.opts.Dir)
	}
	args = append(args, "-write-test", "-fuzz=^"+t.test.Name+"$", pkg)
	for i, a := range args {
		args[i] = shell.Quote(a)
	}
	return strings.Join(args, " ")
}

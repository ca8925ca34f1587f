// Package problem has the failures that the user has to fix.
package problem

import (
	"fmt"
	"strings"
)

// Kind says what is wrong with what the user asked for.
type Kind int

const (
	// KindUsage: a flag or pattern is malformed or can't be combined.
	KindUsage Kind = iota
	// KindNotFound: a package can't be found, or a pattern matches nothing.
	KindNotFound
	// KindBroken: the package, or one it needs, doesn't parse or type-check.
	KindBroken
	// KindNoFuzzTests: the package has no fuzz tests.
	KindNoFuzzTests
	// KindNoFuzzMatch: no fuzz test has a name that matches.
	KindNoFuzzMatch
	// KindNothingToMutate: the packages to mutate match nothing, are no
	// dependencies of the test, hold no code, or can't be rewritten.
	KindNothingToMutate
	// KindDirective: a //fuzzmut: comment is unknown, misplaced or malformed.
	KindDirective
	// KindToolchain: the go command is missing or too old.
	KindToolchain
)

// Error is a failure that the user has to fix: a command that ends with one
// has exit code 2. The message is one line that names the package, file or flag
// and says what to do.
type Error struct {
	Kind Kind
	Msg  string
}

func (e *Error) Error() string { return e.Msg }

// Errorf returns a failure of a kind.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Msg: fmt.Sprintf(format, args...)}
}

// NoModule says what to do where there is no go.mod.
const NoModule = "-C goes to another directory, and go mod init NAME makes a go.mod here (then go mod tidy)"

// noModule has the words of the go command for it, and what stands for them.
var noModule = strings.NewReplacer(
	"go.mod file not found in current directory or any parent directory", "there is no go.mod here or above",
	"see 'go help modules'", NoModule,
)

// advised is a line of the go command, with what to do where it can't write to its cache, or has found files of a
// repository or of an older tool where there could be a go.mod.
func advised(line string) string {
	switch {
	case strings.Contains(line, "failed to initialize build cache at "):
		line += "; set GOCACHE to a directory that can be written, or HOME to yours"
	case strings.HasPrefix(line, "cannot find main module, but found "):
		line += "; " + NoModule
	}
	return line
}

// FirstLine returns the first line of text that says something, without the go
// command's prefix. Where the line sends the reader to the help of the go command for
// want of a go.mod, it says what to do.
func FirstLine(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasSuffix(first, ":"): // what to do is on the next line
			return first + " " + line
		case first != "":
			return first
		case line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "package ") && strings.HasSuffix(line, ":"):
		default:
			first = advised(noModule.Replace(strings.TrimPrefix(line, "go: ")))
		}
	}
	return first
}

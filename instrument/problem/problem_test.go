package problem

import (
	"errors"
	"fmt"
	"testing"
)

// What the go command prints is several lines, and the user wants the one that says why.
func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"go: cannot find main module\ngo: more\n":                      "cannot find main module",
		"\n# example.com/m\nm.go:3:1: expected declaration\nmore\n":    "m.go:3:1: expected declaration",
		"package example.com/a:\nno Go files in /a\n":                  "no Go files in /a",
		"go: updates to go.mod needed; to update it:\n\tgo mod tidy\n": "updates to go.mod needed; to update it: go mod tidy",
		"# only a heading\n": "",
		"go: cannot find main module, but found .git/config in /m\n\tto create a module there, run:\n\tgo mod init\n":  "cannot find main module, but found .git/config in /m; " + NoModule,
		"go: failed to initialize build cache at /none/go-build: mkdir /none: permission denied\n":                     "failed to initialize build cache at /none/go-build: mkdir /none: permission denied; set GOCACHE to a directory that can be written, or HOME to yours",
		"go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n":              "there is no go.mod here or above; " + NoModule,
		"go: no required module provides package m: go.mod file not found in current directory; see 'go help modules'": "no required module provides package m: go.mod file not found in current directory; " + NoModule,
	} {
		if got := FirstLine(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestErrorsKeepTheirKind(t *testing.T) {
	err := fmt.Errorf("loading: %w", Errorf(KindBroken, "%s does not compile", "p"))
	var p *Error
	if !errors.As(err, &p) || p.Kind != KindBroken || err.Error() != "loading: p does not compile" {
		t.Errorf("%v, of %+v", err, p)
	}
}

// Package skips reads settings from text, a file or the environment.
package skips

import (
	"errors"
	"os"
	"strconv"
	"strings"
)

// ErrSyntax is returned for a line that is no setting.
var ErrSyntax = errors.New("skips: line without '='")

// Parse reads lines of the form key=number. Empty lines and lines that begin
// with '#' are left out.
func Parse(text string) (map[string]int, error) {
	m := map[string]int{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, ErrSyntax
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, err
		}
		m[key] += n
	}
	return m, nil
}

// ReadFile parses the file of the given name.
func ReadFile(name string) (map[string]int, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(string(b))
}

// FromEnv parses the environment variable of the given name.
func FromEnv(name string) (map[string]int, error) {
	return Parse(os.Getenv(name))
}

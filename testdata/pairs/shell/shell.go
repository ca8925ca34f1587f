// Package shell splits command lines with github.com/mattn/go-shellwords.
package shell

import "github.com/mattn/go-shellwords"

// Words returns the words of a command line.
func Words(line string) ([]string, error) {
	return shellwords.NewParser().Parse(line)
}

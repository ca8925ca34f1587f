// Package comment splits command lines with comments with github.com/mattn/go-shellwords.
package comment

import "github.com/mattn/go-shellwords"

// Words returns the words of a command line, up to a comment.
//
//fuzzmut:target
func Words(line string) ([]string, error) {
	parser := shellwords.NewParser()
	parser.ParseComment = true
	return parser.Parse(line)
}

// Package format has the formats in which results are written into files, a file of this
// package each. Text for people is package text, below it, and pages are package markdown.
package format

import (
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/markdown"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A Writer writes results in one format.
type Writer interface {
	Write(w io.Writer, r report.Result) error
}

// A File is a format in which the result is written into a file, if a flag asks for it.
type File struct {
	Flag  string // its name
	Usage string // of the flag, as package flag has it
	Writer
}

// Files lists the formats for files that every result has.
var Files = []File{JSON}

// Diff lists the further formats that results of diff have.
var Diff = []File{Markdown}

// Markdown is for the page of a pull request.
var Markdown = File{Flag: "markdown", Usage: "write the result as Markdown to `file`", Writer: markdown.Format{}}

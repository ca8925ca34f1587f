// Package lines writes results as lines that editors jump to: "file:line:column: level: text".
package lines

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/notice"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Format writes the notices that have a place, a line each.
type Format struct {
	// Root is the way to the root of the module from where the lines are read.
	Root string
}

// Write writes a result.
func (f Format) Write(w io.Writer, r report.Result) error {
	for _, n := range notice.Of(r) {
		if n.File == "" {
			continue
		}
		name := n.File
		if !filepath.IsAbs(name) {
			name = filepath.Join(f.Root, filepath.FromSlash(name))
		}
		text := strings.Join(strings.Fields(n.Text), " ")
		if _, err := fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", name, n.Line, max(1, n.Column), n.Level, text); err != nil {
			return err
		}
	}
	return nil
}

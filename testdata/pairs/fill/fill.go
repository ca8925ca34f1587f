// Package fill fills templates with github.com/valyala/fasttemplate.
package fill

import (
	"io"

	"github.com/valyala/fasttemplate"
)

// Fill puts a value in the place of each tag, which is what stands between two marks.
func Fill(template, begin, end, value string) (string, error) {
	if begin == "" || end == "" {
		return template, nil // the module panics
	}
	return fasttemplate.ExecuteFuncStringWithErr(template, begin, end, func(w io.Writer, tag string) (int, error) {
		return io.WriteString(w, tag+value)
	})
}

// Package lines compares texts by lines with github.com/sergi/go-diff.
package lines

import "github.com/sergi/go-diff/diffmatchpatch"

// Diff shows what becomes of one text on the way to another, line by line.
func Diff(old, new string) string {
	dmp := diffmatchpatch.New()
	a, b, table := dmp.DiffLinesToChars(old, new)
	diffs := dmp.DiffCharsToLines(dmp.DiffMain(a, b, false), table)
	return dmp.DiffToDelta(diffs)
}

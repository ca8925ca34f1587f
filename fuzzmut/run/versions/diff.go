package versions

import "github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"

// Revert returns the new text with some hunks as they were before, and with what it then
// needs to compile, as far as the syntax tells. All of them together give a text with the
// old one's tokens, or one that no build takes in if the file was not there. The last line
// has an end.
func (f *File) Revert(hunks ...int) []byte {
	switch {
	case len(hunks) > 0 && f.Old == nil:
		return stub(f.New)
	case len(hunks) > 0 && f.New == nil:
		return f.Old
	}
	return hunk.Compilable(f.Old, f.New, f.Hunks, hunks, f.Names)
}

// diff finds the hunks of a file, and says whether there are any.
func (f *File) diff() bool {
	if f.Old == nil || f.New == nil {
		f.Hunks = []hunk.Hunk{hunk.Whole(f.Old, f.New)}
	} else {
		f.Hunks = hunk.Diff(f.Old, f.New)
	}
	return len(f.Hunks) > 0
}

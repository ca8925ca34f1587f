package report

import "path"

// A Profile says what is covered, as go test -coverprofile does: the blocks of files, by the
// name that it gives a file, which is the import path of its package and its base name.
type Profile map[string][]ProfileBlock

// A ProfileBlock is a block of statements. Lines and columns, in bytes, are counted from 1;
// the end is the first place after it.
type ProfileBlock struct {
	StartLine, StartColumn int
	EndLine, EndColumn     int
	Statements             int
	Covered                bool
}

// Of returns the blocks of the file that a mutant is in.
func (p Profile) Of(m *Mutant) []ProfileBlock { return p[path.Join(m.Package, path.Base(m.File))] }

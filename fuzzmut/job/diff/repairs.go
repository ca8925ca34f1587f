package diff

import (
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
)

// reverts builds new code of a package with parts of the change as they were before.
func (j *job) reverts(s *sides, pkg string) *revert.Builder {
	return &revert.Builder{
		Project: j.project, Pair: j.pair, Whole: s.pkgs[after], Load: j.loadConfig(after, pkg),
		Takes: s.changed.file, Functions: func(p revert.Part) []string { return j.touched(s, p) },
	}
}

// touched lists the functions of the new code that a part touches, as inner sites call
// them.
func (j *job) touched(s *sides, p revert.Part) (names []string) {
	prog := s.pkgs[after].Program
	inner := prog.Inner()
	for i := range prog.Funcs {
		fn := &prog.Funcs[i]
		for _, ref := range p {
			f := &j.pair.Files[ref.File]
			h := f.Hunks[ref.Hunk]
			if fn.File == f.Path && (span{h.NewLine, h.NewCount}).touches(fn.Line, fn.EndLine) {
				names = append(names, inner[i])
			}
		}
	}
	return names
}

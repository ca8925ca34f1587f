package text

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// namesShown bounds lists of files in a text that is not verbose.
const namesShown = 10

// minimization writes the result of minimizing corpora.
func (t *text) minimization(m *report.Minimization) {
	if !t.o.Quiet {
		for i := range m.Tests {
			t.shrunk(m, &m.Tests[i])
		}
		t.useless(m.Stale)
	}
	t.minimized(m)
}

func (t *text) shrunk(m *report.Minimization, s *report.Shrunk) {
	t.linef("%s  %s  (by %s)", s.Name, s.Package, m.By)
	t.linef("  files: %s → %s, bytes: %s → %s, in %.1f s", report.Group(int64(s.Before.Files)), report.Group(int64(s.After.Files)),
		report.Group(int64(s.Before.Bytes)), report.Group(int64(s.After.Bytes)), s.WallSeconds)
	if s.Mutants > 0 {
		t.linef("  mutants killed: %d → %d of %d", s.Before.Killed, s.After.Killed, s.Mutants)
	}
	t.linef("  blocks covered: %d → %d of %d", s.Before.Covered, s.After.Covered, s.Blocks)
	if s.Own > 0 {
		t.linef("  not written by fuzzmut, kept: %s", report.Plural(s.Own, "file"))
	}
	for _, path := range s.Failing {
		t.linef("  fails, kept: %s", path)
	}
	for _, w := range s.Warnings {
		t.linef("  warning: %s", w)
	}
	if len(s.Removed) > 0 {
		what := "removed from"
		if m.DryRun {
			what = "to be removed from"
		}
		t.linef("  %s %s:", what, s.Dir)
		t.files(s.Removed)
	}
	t.linef("")
}

// files lists names, some of them unless everything is wanted.
func (t *text) files(names []string) {
	for i, name := range names {
		if i == namesShown && !t.o.Verbose {
			t.linef("    and %s; -v shows all", report.Plural(len(names)-i, "more"))
			return
		}
		t.linef("    %s", name)
	}
}

func (t *text) useless(list []report.StaleEntry) {
	if len(list) == 0 {
		return
	}
	t.linef("unusable entries: %d", len(list))
	var lines []string
	for _, e := range list {
		line := fmt.Sprintf("%s %s; %s", e.Path, e.Reason, e.Fix)
		if e.Removed {
			line = fmt.Sprintf("%s %s; removed", e.Path, e.Reason)
		}
		lines = append(lines, line)
	}
	t.files(lines)
	t.linef("")
}

// minimized writes the last line: all fuzz tests together.
func (t *text) minimized(m *report.Minimization) {
	var before, after report.CorpusSize
	for i := range m.Tests {
		s := &m.Tests[i]
		before.Files, before.Bytes = before.Files+s.Before.Files, before.Bytes+s.Before.Bytes
		after.Files, after.Bytes = after.Files+s.After.Files, after.Bytes+s.After.Bytes
	}
	how := ""
	if m.DryRun {
		how = " (dry run: nothing is removed)"
	}
	t.linef("%s: %s of %s kept, %s of %s%s", report.Plural(len(m.Tests), "fuzz test"),
		report.Plural(after.Files, "file"), report.Group(int64(before.Files)), report.Plural(after.Bytes, "byte"), report.Group(int64(before.Bytes)), how)
}

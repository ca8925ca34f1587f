package report

import (
	"bufio"
	"fmt"
	"io"
)

// Minimization is the result of minimising committed corpora.
type Minimization struct {
	Version int      `json:"version"` // of this format: 1
	By      string   `json:"by"`      // what had to be kept: "kills,coverage", "kills" or "coverage"
	DryRun  bool     `json:"dry_run,omitempty"`
	Tests   []Shrunk `json:"tests"`
	// Stale are entries that no fuzz test can read.
	Stale []StaleEntry `json:"stale"`
}

// Shrunk is what became of the corpus of one fuzz test.
type Shrunk struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Dir     string `json:"dir"`

	Seeds   int        `json:"seeds"` // f.Add calls, which count for kills and coverage
	Before  CorpusSize `json:"before"`
	After   CorpusSize `json:"after"` // in a dry run: as it would be
	Mutants int        `json:"mutants"`
	Blocks  int        `json:"blocks"`

	Own     int      `json:"own"`               // files that fuzzmut does not manage, which stay
	Failing []string `json:"failing,omitempty"` // files on which the fuzz test fails, which stay
	Removed []string `json:"removed"`           // base names; in a dry run: of files to be removed

	WallSeconds float64  `json:"wall_seconds"`
	Warnings    []string `json:"warnings,omitempty"`
}

// CorpusSize is how large a corpus is, and what it reaches.
type CorpusSize struct {
	Files   int `json:"files"`
	Bytes   int `json:"bytes"`   // of the files
	Killed  int `json:"killed"`  // mutants; 0 by coverage alone
	Covered int `json:"covered"` // blocks
}

// StaleEntry is a file that is no entry of any fuzz test of its package any more.
type StaleEntry struct {
	Path    string `json:"path"` // of the file
	Reason  string `json:"reason"`
	Fix     string `json:"fix"`
	Managed bool   `json:"managed"` // written by fuzzmut and not changed since
	Removed bool   `json:"removed"`
}

// WriteJSON writes m, indented. Lists without elements are written as [].
func (m *Minimization) WriteJSON(w io.Writer) error {
	out := *m
	out.Version = FormatVersion
	out.Stale = present(m.Stale)
	out.Tests = present(m.Tests)
	for i := range out.Tests {
		out.Tests[i].Removed = present(out.Tests[i].Removed)
	}
	return encode(w, &out)
}

// namesShown bounds lists of files in a text that is not verbose.
const namesShown = 10

// WriteText writes m for people.
func (m *Minimization) WriteText(w io.Writer, o TextOptions) error {
	t := &text{w: bufio.NewWriter(w), o: o}
	if !o.Quiet {
		for i := range m.Tests {
			t.shrunk(m, &m.Tests[i])
		}
		t.useless(m.Stale)
	}
	t.minimized(m)
	return t.w.Flush()
}

func (t *text) shrunk(m *Minimization, s *Shrunk) {
	t.linef("%s  %s  (by %s)", s.Name, s.Package, m.By)
	t.linef("  files: %s → %s, bytes: %s → %s, in %.1f s", group(int64(s.Before.Files)), group(int64(s.After.Files)),
		group(int64(s.Before.Bytes)), group(int64(s.After.Bytes)), s.WallSeconds)
	if s.Mutants > 0 {
		t.linef("  mutants killed: %d → %d of %d", s.Before.Killed, s.After.Killed, s.Mutants)
	}
	t.linef("  blocks covered: %d → %d of %d", s.Before.Covered, s.After.Covered, s.Blocks)
	if s.Own > 0 {
		t.linef("  not written by fuzzmut, kept: %s", Plural(s.Own, "file"))
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
			t.linef("    and %s; -v shows all", Plural(len(names)-i, "more"))
			return
		}
		t.linef("    %s", name)
	}
}

func (t *text) useless(list []StaleEntry) {
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
func (t *text) minimized(m *Minimization) {
	var before, after CorpusSize
	for i := range m.Tests {
		s := &m.Tests[i]
		before.Files, before.Bytes = before.Files+s.Before.Files, before.Bytes+s.Before.Bytes
		after.Files, after.Bytes = after.Files+s.After.Files, after.Bytes+s.After.Bytes
	}
	how := ""
	if m.DryRun {
		how = " (dry run: nothing is removed)"
	}
	t.linef("%s: %s of %s kept, %s of %s%s", Plural(len(m.Tests), "fuzz test"),
		Plural(after.Files, "file"), group(int64(before.Files)), Plural(after.Bytes, "byte"), group(int64(before.Bytes)), how)
}

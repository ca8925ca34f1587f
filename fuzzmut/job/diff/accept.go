package diff

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// acceptedName is the file below testdata that has the differences of a package that are
// meant.
const acceptedName = "fuzz-accepted.txt"

// A meant list is the differences that are accepted of a package under test.
type meant struct {
	dir  string // with the file
	mod  string // root of the module, to name the file
	list *accepted.Differences
}

func (m *meant) path() string { return filepath.Join(m.dir, acceptedName) }

// checkTree is an error if something is to be written, and the new code is not the work tree.
func (o *Options) checkTree(newDir, newName, workDir string) error {
	flag := "-accept"
	if !o.Accept {
		flag = "-write-test"
	}
	if rel, err := filepath.Rel(workDir, newDir); o.writes() && err == nil && filepath.IsLocal(rel) {
		return exit.Errorf(exit.Usage, "%s writes beside the new code, and the work tree is not %s: check that out, or compare the work tree", flag, newName)
	}
	return nil
}

// writes says whether files of the user's tree are written.
func (o *Options) writes() bool { return o.Accept || o.WriteTest }

// readMeant reads what is accepted of a package.
func (j *job) readMeant(loaded *load.Result) error {
	dir := filepath.Join(loaded.Test.Dir, "testdata")
	m := &meant{dir: dir, mod: loaded.Test.ModuleDir}
	list, err := accepted.ReadDifferences(m.path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		list = new(accepted.Differences)
	case err != nil:
		return exit.Errorf(exit.Usage, "the accepted differences: %w", err)
	}
	m.list = list
	if j.meant == nil {
		j.meant = make(map[string]*meant)
	}
	j.meant[loaded.Test.ImportPath] = m
	if !j.opts.writes() {
		return nil
	}
	if err := project.CheckOwn(loaded); err != nil {
		return err
	}
	if to, out := corpus.LeadsOut(loaded.Test.Dir, dir); j.opts.Accept && out && !j.opts.FollowLinks {
		return exit.Errorf(exit.Usage, "%s leads to %s through a symbolic link, so nothing is accepted there: replace the link with a directory", dir, to)
	}
	return j.checkFree(loaded)
}

// asDifference is a cause as lists of accepted differences have it, with all that it may be
// known by.
func asDifference(c *behavior.Cause) *accepted.Difference {
	d := &accepted.Difference{
		Package: c.Package, Tests: append([]string{c.Fuzz}, c.Also...), Kind: c.Kind, Input: strings.ReplaceAll(c.Input, "\n", ", "),
		Parts: c.Parts,
	}
	for i := range c.Hunks {
		h := &c.Hunks[i]
		d.Lines = append(d.Lines, linesOf(h)...)
		if h.In != "" && !slices.Contains(d.In, h.In) {
			d.In = append(d.In, h.In)
		}
	}
	if len(d.ChangedLines()) == 0 {
		d.Lines = nil
	}
	for i := range c.Values {
		if name := c.Values[i].Known(); !slices.Contains(d.Of, name) {
			d.Of = append(d.Of, name)
		}
	}
	if c.Kind == behavior.KindWork {
		d.Of = append(d.Of, "work")
	}
	return d
}

// linesOf are the lines of a hunk, as lists of accepted differences have them.
func linesOf(h *behavior.Hunk) []string {
	return append(signed("- ", h.Was), signed("+ ", h.Is)...)
}

// signed are the lines of a text, each with a sign.
func signed(sign, text string) (list []string) {
	if text == "" {
		return nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		list = append(list, sign+line)
	}
	return list
}

// markAccepted marks the causes that are accepted.
func (j *job) markAccepted() {
	for i := range j.report.Causes {
		c := &j.report.Causes[i]
		c.Accepted = j.means(c)
	}
}

// means says whether a cause is accepted.
func (j *job) means(c *behavior.Cause) bool {
	return j.meant[c.Package].list.Has(asDifference(c), j.parts().holds)
}

// accept writes all causes to the lists of their packages.
func (j *job) accept() error {
	changed := make(map[*meant]bool)
	for i := range j.report.Causes {
		c := &j.report.Causes[i]
		if c.Accepted {
			continue
		}
		m, d := j.meant[c.Package], asDifference(c)
		if d.Lines == nil {
			j.warn("no line of the change is known to be the cause of %s on %s: -accept takes each difference of this kind in %s for meant, as long as only what is changed now can be its cause", d.Kind, d.Input, strings.Join(d.Of, ", "))
		}
		m.list.Add(*d)
		c.Accepted, c.Recorded, changed[m] = true, true, true
	}
	for _, pkg := range slices.Sorted(maps.Keys(j.meant)) {
		m := j.meant[pkg]
		if !changed[m] {
			continue
		}
		var text bytes.Buffer
		if err := m.list.Write(&text); err != nil {
			return err
		}
		if err := corpus.ReplaceFile(m.dir, acceptedName, text.Bytes()); err != nil {
			return exit.Errorf(exit.Usage, "-accept: %w", err)
		}
		j.report.Written = append(j.report.Written, report.RelativeFile(m.mod, m.path()))
	}
	return nil
}

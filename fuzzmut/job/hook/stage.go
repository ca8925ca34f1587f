package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// snapshot holds files of the checkout by name, relative to its root with slashes.
type snapshot map[string][]byte

// kept are the directories below testdata that a run may write to.
var kept = []string{"fuzz", "fuzz-golden"}

// snapshot reads the entries and golden values of the targets. A directory that a
// link leads to is none of ours.
func (j *job) snapshot(ctx context.Context, targets []target) (snapshot, error) {
	s := make(snapshot)
	for _, t := range targets {
		for _, name := range kept {
			err := filepath.WalkDir(filepath.Join(j.tree.root, t.dir, "testdata", name), func(file string, d fs.DirEntry, err error) error {
				switch {
				case errors.Is(err, fs.ErrNotExist):
					return nil
				case err != nil:
					return err
				case ctx.Err() != nil:
					return ctx.Err()
				case !d.Type().IsRegular():
					return nil
				}
				rel, err := filepath.Rel(j.tree.root, file)
				if err != nil {
					return err
				}
				s[filepath.ToSlash(rel)], err = os.ReadFile(file)
				return err
			})
			if err != nil {
				return nil, interrupted(ctx, exit.Errorf(exit.Usage, "the checkout of the index can't be read: %w", err))
			}
		}
	}
	return s, nil
}

// fileChange is what becomes of a file; nil is a file that is not there.
type fileChange struct {
	name          string
	before, after []byte
}

// changes lists what differs between two snapshots of files that fuzzmut manages,
// by name.
func changes(before, after snapshot) []fileChange {
	var list []fileChange
	for name, data := range after {
		if old, ok := before[name]; !ok || !bytes.Equal(old, data) {
			list = append(list, fileChange{name, old, data})
		}
	}
	for name, data := range before {
		if _, ok := after[name]; !ok {
			list = append(list, fileChange{name, data, nil})
		}
	}
	list = slices.DeleteFunc(list, func(c fileChange) bool { return !isManaged(c.name) })
	slices.SortFunc(list, func(a, b fileChange) int { return strings.Compare(a.name, b.name) })
	return list
}

// stageVerified stages the golden values that verifying has written and removed, and
// returns what the checkout holds then.
func (j *job) stageVerified(ctx context.Context, targets []target, before snapshot) (snapshot, error) {
	after, err := j.snapshot(ctx, targets)
	if err != nil {
		return nil, err
	}
	list := changes(before, after)
	if len(list) == 0 {
		return after, nil
	}
	if err := j.apply(ctx, list); err != nil {
		return nil, err
	}
	added, removed := 0, 0
	for _, c := range list {
		before, after := entriesIn(c.before), entriesIn(c.after)
		for key := range after {
			if !before[key] {
				added++
			}
		}
		for key := range before {
			if !after[key] {
				removed++
			}
		}
	}
	j.linef("fuzzmut: golden values staged for %s without any; removed for %d that no longer exist", report.Plural(added, "entry"), removed)
	return after, nil
}

// stage writes what a regeneration has changed to the work tree and to the index,
// and tells of it.
func (j *job) stage(ctx context.Context, targets []target, before snapshot, result []report.FuzzTest) error {
	after, err := j.snapshot(ctx, targets)
	if err != nil {
		return err
	}
	dirs := make(map[string]bool)
	for i := range result {
		dirs[result[i].Corpus.Dir], dirs[goldenFile(&result[i])] = true, true
	}
	list := slices.DeleteFunc(changes(before, after), func(c fileChange) bool { return !dirs[j.belongsTo(c)] })
	if err := j.apply(ctx, list); err != nil {
		return err
	}
	j.tell(result, list)
	return nil
}

// apply writes changes to the work tree, and then enters all of them into the index
// at once. Files that differ from what is staged are left alone.
func (j *job) apply(ctx context.Context, list []fileChange) error {
	if ctx.Err() != nil || len(list) == 0 {
		return ctx.Err()
	}
	// From here on it takes a moment: better whole than half.
	ctx = context.WithoutCancel(ctx)
	var done []fileChange
	for _, c := range list {
		written, err := c.write(j.repo.Root)
		if err == nil && written {
			done = append(done, c)
		}
		if err != nil {
			undo(j.repo.Root, done)
			return err
		}
	}
	if err := j.index(ctx, list); err != nil {
		undo(j.repo.Root, done)
		return exit.Errorf(exit.Usage, "the regenerated files can't be staged: %w", err)
	}
	return nil
}

// write makes the change in a tree, unless the file there is not what it was in the
// index. A file that the user has removed stays so.
func (c fileChange) write(root string) (written bool, err error) {
	file := filepath.Join(root, filepath.FromSlash(c.name))
	if _, out := corpus.LeadsOut(root, filepath.Dir(file)); out {
		return false, nil // in the index it does not
	}
	now, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		now, err = nil, nil
	}
	if err != nil || (now == nil) != (c.before == nil) || !bytes.Equal(now, c.before) {
		return false, nil
	}
	if c.after == nil {
		err = corpus.Remove(filepath.Dir(file), filepath.Base(file))
	} else {
		err = corpus.ReplaceFile(filepath.Dir(file), filepath.Base(file), c.after)
	}
	if err != nil {
		return false, exit.Errorf(exit.Usage, "%w", err)
	}
	return true, nil
}

// undo takes changes back, as far as that is possible.
func undo(root string, done []fileChange) {
	for _, c := range done {
		c.before, c.after = c.after, c.before
		c.write(root)
	}
}

// index enters changes into the index.
func (j *job) index(ctx context.Context, list []fileChange) error {
	var info strings.Builder
	some, err := j.repo.Line(ctx, "hash-object", "--stdin") // as long as all others
	if err != nil {
		return err
	}
	for _, c := range list {
		if c.after == nil {
			fmt.Fprintf(&info, "0 %s\t%s\x00", strings.Repeat("0", len(some)), c.name)
			continue
		}
		hash, err := j.repo.Feed(ctx, c.after, "hash-object", "-w", "--stdin")
		if err != nil {
			return err
		}
		fmt.Fprintf(&info, "100644 %s\t%s\x00", strings.TrimSpace(string(hash)), c.name)
	}
	_, err = j.repo.Feed(ctx, []byte(info.String()), "update-index", "-z", "--index-info")
	return err
}

// keepFailing writes the failing inputs that were found to the work tree, where go
// test replays them.
func (j *job) keepFailing(t target, rep *report.Report) error {
	if rep == nil {
		return nil
	}
	for i := range rep.Tests {
		for _, crash := range rep.Tests[i].Crashes {
			if len(crash.Entries) == 0 || !within(crash.Entries[0], j.tree.root) {
				continue
			}
			data, err := os.ReadFile(crash.Entries[0])
			if err != nil {
				continue
			}
			file := j.tree.userText(crash.Entries[0])
			if to, out := corpus.LeadsOut(j.repo.Root, filepath.Dir(file)); out {
				return exit.Errorf(exit.Usage, "%s: a failing input was found but not written: %s is a symbolic link to %s", j.userPackage(t), filepath.Dir(file), to)
			}
			if _, err := corpus.WriteFile(filepath.Dir(file), filepath.Base(file), data); err != nil {
				return exit.Errorf(exit.Usage, "%s: a failing input was found and can't be written: %w", j.userPackage(t), err)
			}
		}
	}
	return nil
}

// belongsTo is what a change belongs to, in the checkout: a directory of entries, or a
// golden file.
func (j *job) belongsTo(c fileChange) string {
	if _, _, ok := store.Split(c.name); ok {
		return filepath.Join(j.tree.root, c.name)
	}
	return filepath.Join(j.tree.root, path.Dir(c.name))
}

// goldenFile has the golden values of a fuzz test.
func goldenFile(f *report.FuzzTest) string {
	return store.Path(filepath.Join(f.Corpus.Dir, "..", "..", ".."), f.Name)
}

// tell says what the commit now holds in addition to what the user has staged.
func (j *job) tell(result []report.FuzzTest, list []fileChange) {
	for i := range result {
		f := &result[i]
		r := &f.Regenerated
		entries, values := j.count(list, f.Corpus.Dir), countValues(j.in(list, goldenFile(f)))
		if r.Gained == 0 && len(r.Lost) == 0 && entries == "" && values == "" {
			continue
		}
		j.linef("fuzzmut: %s  %s: %s with %s changed", f.Name, f.Package, report.Plural(r.Functions, "function"), report.Plural(r.Mutants, "mutant"))
		j.linef("  kills          %d gained, %d lost", r.Gained, len(r.Lost))
		if len(r.Lost) > 0 {
			j.linef("                 lost: %s", someOf(r.Lost))
		}
		j.linef("  entries        %s", cmp.Or(entries, "unchanged"))
		j.linef("  golden values  %s", cmp.Or(values, "unchanged"))
	}
	if len(list) > 0 {
		j.linef("fuzzmut: %s staged in addition to yours, after %.1f s", report.Plural(len(list), "file"), time.Since(j.begin).Seconds())
	}
}

// count counts the changes of a group in the checkout; "" is none.
func (j *job) count(list []fileChange, group string) string {
	added, removed, changed := 0, 0, 0
	for _, c := range list {
		switch {
		case j.belongsTo(c) != group:
		case c.before == nil:
			added++
		case c.after == nil:
			removed++
		default:
			changed++
		}
	}
	if added+removed+changed == 0 {
		return ""
	}
	return fmt.Sprintf("%d added, %d removed, %d changed", added, removed, changed)
}

// in returns the changes of a group in the checkout.
func (j *job) in(list []fileChange, group string) []fileChange {
	return slices.DeleteFunc(slices.Clone(list), func(c fileChange) bool { return j.belongsTo(c) != group })
}

// countValues counts the golden values that changes of golden files add, remove and
// change; "" is none.
func countValues(list []fileChange) string {
	added, removed, changed := 0, 0, 0
	for _, c := range list {
		before, after := valuesIn(c.before), valuesIn(c.after)
		for name, text := range after {
			switch was, ok := before[name]; {
			case !ok:
				added++
			case was != text:
				changed++
			}
		}
		for name := range before {
			if _, ok := after[name]; !ok {
				removed++
			}
		}
	}
	if added+removed+changed == 0 {
		return ""
	}
	return fmt.Sprintf("%d added, %d removed, %d changed", added, removed, changed)
}

// valuesIn returns the texts of the values in a golden file by their entries and names:
// none if there is no such file.
func valuesIn(data []byte) map[string]string {
	texts := make(map[string]string)
	f, _ := golden.Unmarshal(data) // what is damaged has no values
	for _, e := range f.Entries {
		for _, v := range e.Values {
			texts[golden.Key(e.Name)+" "+v.Name] = v.Text
		}
	}
	return texts
}

// entriesIn returns the keys of the entries in a golden file.
func entriesIn(data []byte) map[string]bool {
	keys := make(map[string]bool)
	f, _ := golden.Unmarshal(data)
	for _, e := range f.Entries {
		keys[golden.Key(e.Name)] = true
	}
	return keys
}

// namesShown bounds the names that are listed.
const namesShown = 5

// someOf lists a few names.
func someOf(names []string) string {
	shown := strings.Join(names[:min(namesShown, len(names))], " ")
	if n := len(names) - namesShown; n > 0 {
		shown += fmt.Sprintf(" and %d more", n)
	}
	return shown
}

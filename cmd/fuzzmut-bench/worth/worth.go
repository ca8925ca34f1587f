// Package worth measures what a corpus is worth: the blocks that go test covers with it,
// the mutants that fuzzmut score kills with it, and the time that replaying it takes.
package worth

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"golang.org/x/tools/cover"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Worth is what a corpus is worth. All corpora of a target are measured alike,
// whoever made them.
type Worth struct {
	Entries int // without the seeds
	Left    int // entries left out, since they fail
	Replayed

	Mutants int
	Kills   map[string][]string // IDs of mutants by kind of kill
}

// Replayed is what go test says of seeds and entries.
type Replayed struct {
	Replay          float64 // processor seconds, without coverage
	Blocks, Covered int     // of coverage profiles of the mutated packages

	CoveredBlocks map[string]bool `json:"-"` // blocks, by file and position
}

// Killed counts the killed mutants.
func (w *Worth) Killed() int {
	n := 0
	for _, ids := range w.Kills {
		n += len(ids)
	}
	return n
}

// replayTime bounds the replay of a corpus.
const replayTime = 5 * time.Minute

// Enter copies the entries in from into the corpus of a copy of the target. Seeds
// are none of them: from may not exist.
func Enter(b *arena.Bench, t arena.Target, from string) (copied arena.Target, dir string, err error) {
	copied, err = b.Workspace(t)
	if err != nil {
		return copied, "", err
	}
	dir = corpus.TestdataDir(copied.Dir, t.Fuzz)
	err = os.CopyFS(dir, os.DirFS(from))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return copied, dir, err
}

// Of measures seeds and the entries in from.
func Of(ctx context.Context, b *arena.Bench, core int, t arena.Target, bin *arena.Binaries, from string) (Worth, error) {
	var w Worth
	t, dir, err := Enter(b, t, from)
	defer b.Discard(t)
	if err != nil {
		return w, err
	}
	if w.Replayed, w.Left, err = Replay(ctx, core, t, bin, dir); err != nil {
		return w, err
	}
	r, err := Score(ctx, b, core, t, dir, &w)
	if err != nil {
		return w, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return w, err
	}
	w.Entries = len(entries)
	w.Mutants = r.Score.Mutants
	w.Kills = make(map[string][]string)
	for _, m := range r.Mutants {
		if m.Status == report.Killed {
			w.Kills[m.KillKind] = append(w.Kills[m.KillKind], m.ID)
		}
	}
	return w, nil
}

// ReplayEntries replays seeds and the entries in from.
func ReplayEntries(ctx context.Context, b *arena.Bench, core int, t arena.Target, bin *arena.Binaries, from string) (Replayed, error) {
	t, dir, err := Enter(b, t, from)
	defer b.Discard(t)
	if err != nil {
		return Replayed{}, err
	}
	r, _, err := Replay(ctx, core, t, bin, dir)
	return r, err
}

// Replay runs the entries in dir as go test does. Those that fail are removed: they
// are findings, no part of a corpus that is replayed.
func Replay(ctx context.Context, core int, t arena.Target, bin *arena.Binaries, dir string) (r Replayed, failing int, err error) {
	profile := filepath.Join(t.Dir, "cover.out")
	flags := []string{"-test.run=^" + t.Fuzz + "$", "-test.timeout=" + replayTime.String()}
	for {
		p, err := arena.Run(ctx, core, t.Dir, append([]string{bin.Cover, "-test.v", "-test.coverprofile=" + profile}, flags...)...)
		if err == nil {
			break
		}
		names := failingEntries(p.Stdout, t.Fuzz)
		if len(names) == 0 || ctx.Err() != nil {
			return r, failing, err
		}
		for _, name := range names {
			if rerr := os.Remove(filepath.Join(dir, name)); rerr != nil {
				return r, failing, errors.Join(err, rerr)
			}
			failing++
		}
	}
	profiles, err := cover.ParseProfiles(profile)
	if err != nil {
		return r, failing, err
	}
	r.Blocks, r.Covered = countBlocks(profiles)
	r.CoveredBlocks = coveredBlocks(profiles)
	p, err := arena.Run(ctx, core, t.Dir, append([]string{bin.Plain}, flags...)...)
	r.Replay = p.CPU.Seconds()
	return r, failing, err
}

// countBlocks counts basic blocks. Each ends one branch or several.
func countBlocks(profiles []*cover.Profile) (blocks, covered int) {
	for _, p := range profiles {
		for _, b := range p.Blocks {
			blocks++
			if b.Count > 0 {
				covered++
			}
		}
	}
	return blocks, covered
}

// coveredBlocks names the blocks that are covered.
func coveredBlocks(profiles []*cover.Profile) map[string]bool {
	set := make(map[string]bool)
	for _, p := range profiles {
		for _, b := range p.Blocks {
			if b.Count > 0 {
				set[fmt.Sprintf("%s:%d.%d,%d.%d", p.FileName, b.StartLine, b.StartCol, b.EndLine, b.EndCol)] = true
			}
		}
	}
	return set
}

var (
	failLine = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)/(\S+) \(`)
	runLine  = regexp.MustCompile(`(?m)^=== RUN\s+(\w+)/(\S+)$`)
)

// failingEntries finds in the output of go test -v the entries of a fuzz test that
// fail, or the one that was being run when the process ended.
func failingEntries(out []byte, fuzz string) []string {
	var names []string
	for _, m := range failLine.FindAllSubmatch(out, -1) {
		if string(m[1]) == fuzz {
			names = append(names, string(m[2]))
		}
	}
	if len(names) > 0 {
		return names
	}
	runs := runLine.FindAllSubmatch(out, -1)
	if len(runs) > 0 && string(runs[len(runs)-1][1]) == fuzz {
		names = append(names, string(runs[len(runs)-1][2]))
	}
	return names
}

// badEntry is how fuzzmut score names an entry on which the original fails: one
// that go test lets pass may still be a hang to it.
var badEntry = regexp.MustCompile(` fails on (\w+) \(/`)

// Score runs all mutants on the entries.
func Score(ctx context.Context, b *arena.Bench, core int, t arena.Target, dir string, w *Worth) (*report.FuzzTest, error) {
	for {
		r, err := arena.RunFuzzmut(ctx, core, b.Command, t, "score")
		if err == nil || ctx.Err() != nil {
			return r, err
		}
		name := badEntry.FindStringSubmatch(err.Error())
		if name == nil {
			return nil, err
		}
		if rerr := os.Remove(filepath.Join(dir, name[1])); rerr != nil {
			return nil, errors.Join(err, rerr)
		}
		w.Left++
	}
}

// IDs is the set of killed mutants.
func (w *Worth) IDs() map[string]bool {
	set := make(map[string]bool)
	for _, list := range w.Kills {
		for _, id := range list {
			set[id] = true
		}
	}
	return set
}

package main

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

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// judgement is what a corpus is worth. All corpora of a target are judged alike,
// whoever made them.
type judgement struct {
	Entries int // besides the seeds
	Left    int // entries left out, since they fail
	replayed

	Mutants int
	Kills   map[string][]string // IDs of mutants by kind of kill
}

// replayed is what go test says of seeds and entries.
type replayed struct {
	Replay          float64 // processor seconds, without coverage
	Blocks, Covered int     // of coverage profiles of the mutated packages

	covered map[string]bool // blocks, by file and position
}

// killed counts the killed mutants.
func (j *judgement) killed() int {
	n := 0
	for _, ids := range j.Kills {
		n += len(ids)
	}
	return n
}

// replayTime bounds the replay of a corpus.
const replayTime = 5 * time.Minute

// enter copies the entries in from into the corpus of a copy of the target. Seeds
// are none of them: from may not exist.
func enter(b *bench, t target, from string) (copied target, dir string, err error) {
	copied, err = b.workspace(t)
	if err != nil {
		return copied, "", err
	}
	dir = corpus.TestdataDir(copied.dir, t.fuzz)
	err = os.CopyFS(dir, os.DirFS(from))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return copied, dir, err
}

// judge judges seeds and the entries in from.
func judge(ctx context.Context, b *bench, core int, t target, bin *binaries, from string) (judgement, error) {
	var j judgement
	t, dir, err := enter(b, t, from)
	defer b.discard(t)
	if err != nil {
		return j, err
	}
	if j.replayed, j.Left, err = replay(ctx, core, t, bin, dir); err != nil {
		return j, err
	}
	r, err := score(ctx, b, core, t, dir, &j)
	if err != nil {
		return j, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return j, err
	}
	j.Entries = len(entries)
	j.Mutants = r.Score.Mutants
	j.Kills = make(map[string][]string)
	for _, m := range r.Mutants {
		if m.Status == report.Killed {
			j.Kills[m.KillKind] = append(j.Kills[m.KillKind], m.ID)
		}
	}
	return j, nil
}

// replayEntries replays seeds and the entries in from.
func replayEntries(ctx context.Context, b *bench, core int, t target, bin *binaries, from string) (replayed, error) {
	t, dir, err := enter(b, t, from)
	defer b.discard(t)
	if err != nil {
		return replayed{}, err
	}
	r, _, err := replay(ctx, core, t, bin, dir)
	return r, err
}

// replay runs the entries in dir as go test does. Those that fail are removed: they
// are findings, no part of a corpus that is replayed.
func replay(ctx context.Context, core int, t target, bin *binaries, dir string) (r replayed, failing int, err error) {
	profile := filepath.Join(t.dir, "cover.out")
	flags := []string{"-test.run=^" + t.fuzz + "$", "-test.timeout=" + replayTime.String()}
	for {
		p, err := on(ctx, core, t.dir, append([]string{bin.cover, "-test.v", "-test.coverprofile=" + profile}, flags...)...)
		if err == nil {
			break
		}
		names := failingEntries(p.stdout, t.fuzz)
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
	r.covered = coveredBlocks(profiles)
	p, err := on(ctx, core, t.dir, append([]string{bin.plain}, flags...)...)
	r.Replay = p.cpu.Seconds()
	return r, failing, err
}

// countBlocks counts basic blocks, each of which ends one branch or several.
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

// score runs all mutants on the entries.
func score(ctx context.Context, b *bench, core int, t target, dir string, j *judgement) (*report.FuzzTest, error) {
	for {
		r, err := runFuzzmut(ctx, core, b.command, t, "score")
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
		j.Left++
	}
}

//go:build linux

package faults

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/corrupt"
)

// corruptFiles has damaged files read, of each kind.
func (b *bench) corruptFiles(ctx context.Context) error {
	kinds := corrupt.Kinds()
	for _, k := range kinds {
		name := "corrupt files: " + k.Name
		if !b.wants(name) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r, n := b.row(name), b.count(10_000/len(kinds))
		b.begin(r, n, "files")
		tally, err := corrupt.Check(k, n, b.Seed)
		if err != nil {
			return err
		}
		r.runs, r.lost = tally.Files, tally.Wrong
		for _, w := range tally.Wrong {
			b.logf("%s: %s", name, w)
		}
		b.end(r)
	}
	return nil
}

// fullDisks has each place full to which a run writes, with room for a part of what it
// wants to write.
func (b *bench) fullDisks(ctx context.Context) error {
	places := []struct {
		name string
		at   func(t *trial) string
		kib  []int // sizes of the disk
	}{
		{"TMPDIR", (*trial).temp, []int{64, 1 << 10, 4 << 10, 9 << 10, 20 << 10}},
		{"testdata", func(t *trial) string { return filepath.Join(t.tree(), "testdata") }, []int{4, 16, 64, 256}},
		{"fuzz cache", func(t *trial) string { return filepath.Join(t.slot.cache, "fuzz") }, []int{4, 16, 64}},
	}
	for _, p := range places {
		name := "full disk: " + p.name
		if !b.wants(name) {
			continue
		}
		r := b.row(name)
		if reason := b.canMount(); reason != "" {
			r.note = "left out: " + reason
			b.logf("%s: %s", name, r.note)
			continue
		}
		b.each(ctx, r, b.count(4)*len(p.kib), func(t *trial, i int) {
			s := subjects[i%len(subjects)]
			if err := t.lay(s.tree); err != nil {
				t.failed(err)
				return
			}
			t.full(p.at(t), p.kib[i%len(p.kib)], s.fuzz)
			b.book(r, t)
		})
	}
	return nil
}

// canMount says why small disks can't be made, "" if they can.
func (b *bench) canMount() string {
	dir, err := os.MkdirTemp(b.work, "mount")
	if err == nil {
		err = mount(dir, 4)
	}
	if err != nil {
		return err.Error()
	}
	unmount(dir)
	return ""
}

func mount(dir string, kib int) error {
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dk", kib), "tmpfs", dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("mount: %s", bytes.TrimSpace(out))
	}
	return nil
}

func unmount(dir string) { exec.Command("umount", dir).Run() } //nolint:errcheck // removing the directory will show it

// full runs the command with a disk of kib KiB at dir. The command may fail with
// one of its errors. It may also leave out what does not fit, if it reports this.
func (t *trial) full(dir string, kib int, fuzz string) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.failed(err)
		return
	}
	if err := mount(dir, kib); err != nil {
		t.failed(err)
		return
	}
	defer unmount(dir)
	r, err := t.do(t.fuzzArgs(fuzz, "20000x")...)
	if err != nil {
		t.failed(err)
		return
	}
	t.checkSaid(r)
	said := bytes.Contains(r.out.Bytes(), []byte("no space left"))
	switch {
	case r.code == 2 && !said:
		t.misreport("%d KiB: exit 2 without the reason: %s", kib, lastLine(r.out.String()))
	case r.code != 0 && r.code != 2:
		t.misreport("%d KiB: exit %d: %s", kib, r.code, lastLine(r.out.String()))
	}
	t.checkLeft()
	if r.code == 0 {
		t.checkScore(fuzz)
	}
}

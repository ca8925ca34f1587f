package share

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// tidiedName is the file whose time says when a run has last looked whether the directory is
// within its limits.
const tidiedName = "tidied"

const (
	// sizeEvery is how often runs look for the size of the directory, and ageEvery for what is old.
	sizeEvery = time.Hour
	ageEvery  = 24 * time.Hour
	// logsMost is from how many bytes of logs on a run has them joined.
	logsMost = 256 << 20
)

// Tidy prunes the directory with the default limits if it is beyond them. A run calls it when it
// ends: one of them looks at the files once an hour, whoever that is. Nil: nothing was done.
func (d *Dir) Tidy(now time.Time) (*Pruned, error) { return d.tidy(now, Limits{}) }

func (d *Dir) tidy(now time.Time, lim Limits) (*Pruned, error) {
	since := now.Sub(d.tidied())
	if since < sizeEvery || d.remote != nil { // a run has a part of a bucket only
		return nil, nil
	}
	if err := corpus.ReplaceFile(d.path, tidiedName, []byte("fuzzmut has looked at the size of the directory\n")); err != nil {
		return nil, err
	}
	lim = lim.orDefaults()
	if !d.beyond(now, lim, since >= ageEvery) {
		return nil, nil
	}
	return d.Prune(now, lim)
}

// tidied is when that was last looked at; the zero time: never.
func (d *Dir) tidied() time.Time {
	info, err := os.Lstat(filepath.Join(d.path, tidiedName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// beyond reports whether the directory has more than lim says, or, if age is set, something that
// is older.
func (d *Dir) beyond(now time.Time, lim Limits, age bool) bool {
	var inputs, logs int64
	old := false
	err := filepath.WalkDir(d.path, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil // what can't be read is for Prune to name
		}
		info, err := e.Info()
		switch {
		case err != nil:
			return nil // removed meanwhile
		case isInputHash(e.Name()):
			inputs += info.Size()
		case strings.HasSuffix(e.Name(), logSuffix):
			logs += info.Size()
		default:
			return nil
		}
		old = old || now.Sub(info.ModTime()) > lim.Age
		return nil
	})
	return err == nil && (inputs > lim.Size || logs > logsMost || age && old)
}

// Removed reports whether something was removed, or joined.
func (p *Pruned) Removed() bool {
	return p != nil && p.Redundant.Files+p.Old.Files+p.Cut.Files+p.Joined.Files+p.Dropped.Files > 0
}

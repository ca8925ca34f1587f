package share

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share/bucket"
)

// remote is the bucket that a directory is kept the same as.
type remote struct {
	url     string
	mu      sync.Mutex // guards what follows
	mirror  bucket.Mirror
	process *bucket.Process
	foreign bool      // objects of others were named
	again   time.Time // when it is asked again, after a failure
	failed  error     // the last time
	now     func() time.Time
}

// patience is how much longer than a failure took nothing is asked of a bucket after it: what
// can't be reached takes no more than a tenth of the time.
const patience = 10

// OpenAny opens a directory, or the bucket of a URL.
func OpenAny(name string, write bool) (*Dir, error) {
	if bucket.IsURL(name) {
		return OpenURL(name, write)
	}
	return Open(name, write)
}

// OpenURL opens the bucket of a URL: a directory of the user's cache that is kept the same as it
// by Sync. Otherwise it is as Open.
func OpenURL(url string, write bool) (*Dir, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("there is no directory for a copy of %s: %w; set HOME", url, err)
	}
	process, err := bucket.Start(url)
	if err != nil {
		return nil, err
	}
	at := filepath.Join(cache, "fuzzmut", "share", fmt.Sprintf("%x", sha256.Sum256([]byte(url)))[:16])
	d, err := openBucket(url, at, process, write)
	if err != nil {
		process.Close() //nolint:errcheck // what was wrong is said
		return nil, err
	}
	d.remote.process = process
	return d, nil
}

// openBucket opens a bucket with a copy in the directory at.
func openBucket(url, at string, store bucket.Store, write bool) (*Dir, error) {
	r := &remote{url: url, mirror: bucket.Mirror{Dir: at, Store: store, Valid: validName, ReadOnly: !write}, now: time.Now}
	if _, err := r.mirror.Sync(false, markName); err != nil {
		return nil, fmt.Errorf("%s can't be used: %w; check its name and your credentials", url, err)
	}
	d, err := Open(at, write)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	d.remote = r
	if _, err := r.mirror.Sync(false, markName); err != nil {
		return nil, fmt.Errorf("%s can't be written: %w; check your rights, or use it with -n, which writes nothing", url, err)
	}
	return d, nil
}

// validName reports whether a file of a shared directory may have a name.
func validName(name string) bool {
	if name == markName {
		return true
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name || strings.ContainsAny(name, `\:`) {
		return false
	}
	parts := strings.Split(name, "/")
	last := parts[len(parts)-1]
	switch {
	case parts[0] == Entries || parts[0] == Failing:
		return len(parts) >= 4 && isInputHash(last)
	case len(parts) == 2 && isHash(parts[0]):
		stem, ok := strings.CutSuffix(last, logSuffix)
		return ok && stem != "" && strings.Trim(stem, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	}
	return false
}

// Prefixes are those of the files that a process needs for a fuzz test with a test binary.
func Prefixes(pkg, fuzz, binary string) []string {
	list := []string{binary + "/"}
	if fuzz != "" {
		list = append(list, path.Join(Entries, pkg, fuzz)+"/", path.Join(Failing, pkg, fuzz)+"/")
	}
	return list
}

// Sync fetches what a bucket has more of the files whose names begin with a prefix, and sends
// what was found here. Of a directory there is nothing to do. warning names objects that are not
// of a shared directory, once. After a failure, the error is the same for a while, and nothing is
// asked of the bucket.
func (d *Dir) Sync(prefixes ...string) (warning string, err error) {
	if r := d.remote; r != nil {
		r.mu.Lock()
		failed, again := r.failed, r.again
		r.mu.Unlock()
		if r.now().Before(again) {
			return "", failed
		}
	}
	return d.SyncNow(prefixes...)
}

// SyncNow is Sync, also soon after a failure: for the end of a run.
func (d *Dir) SyncNow(prefixes ...string) (warning string, err error) {
	return d.sync(false, prefixes...)
}

// SyncPruned has the files removed from a bucket that Prune has removed, and sends those that it
// has written. Sync comes before Prune.
func (d *Dir) SyncPruned() error {
	if _, err := d.sync(true, ""); err != nil {
		return err
	}
	_, err := d.sync(false, "")
	return err
}

func (d *Dir) sync(gone bool, prefixes ...string) (warning string, err error) {
	r := d.remote
	if r == nil {
		return "", nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	begin := r.now()
	done, err := r.mirror.Sync(gone, prefixes...)
	if err != nil {
		end := r.now()
		r.again = end.Add(patience * end.Sub(begin))
		r.failed = fmt.Errorf("%s can't be reached: %w; what is found is kept here, and sent by the next run that reaches it", r.url, err)
		return "", r.failed
	}
	r.again, r.failed = time.Time{}, nil
	if done.Foreign > 0 && !r.foreign {
		r.foreign = true
		warning = fmt.Sprintf("%s holds objects that are not of a shared directory: they are ignored, the first is %q", r.url, done.First)
	}
	return warning, nil
}

// Close ends what a bucket needs.
func (d *Dir) Close() {
	if d.remote != nil && d.remote.process != nil {
		d.remote.process.Close() //nolint:errcheck // nothing is asked of it any longer
	}
}

package share

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Log is what one process says of one test binary. It may be used by several goroutines at a
// time.
type Log struct {
	dir  string // of the binary
	name string // of the file, without the directory
	pkg  string

	mu     sync.Mutex
	file   *os.File
	frames [][]byte // all that was said, so that it can be said again
	size   int      // of frames
	lost   bool     // a part of frames is not in the file
}

// logMost bounds what a process says of one binary, in bytes.
const logMost = 64 << 20

// ErrFull says that a process has left as much as it may.
var ErrFull = errors.New("64 MiB are left by this process alone: it leaves no more of what it learns")

// NewLog returns the log of this process on a test binary of a package. Nothing is written
// before there is something to say.
func (d *Dir) NewLog(binary, pkg string) *Log {
	return &Log{dir: filepath.Join(d.path, binary), pkg: pkg}
}

// Name is the name of the file; "" if there is none yet.
func (l *Log) Name() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.name
}

// Add appends records, by one write. After an error the records are kept, for Repair.
func (l *Log) Add(records ...Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var fresh []byte
	for i := range records {
		frame, err := encode(&records[i])
		if errors.Is(err, errTooLong) {
			continue // an input with a million features: it is measured again by who needs it
		}
		if err != nil {
			return err
		}
		if l.size+len(frame) > logMost {
			return errors.Join(ErrFull, l.write(fresh))
		}
		l.frames, l.size = append(l.frames, frame), l.size+len(frame)
		fresh = append(fresh, frame...)
	}
	return l.write(fresh)
}

// write appends to the file. The caller holds the lock.
func (l *Log) write(data []byte) error {
	if len(data) == 0 || l.lost {
		return nil
	}
	if l.file == nil {
		return l.begin()
	}
	if _, err := l.file.Write(data); err != nil {
		l.lost = true
		return err
	}
	return nil
}

// begin makes a new file of all that was said. The caller holds the lock.
func (l *Log) begin() (err error) {
	l.lost = true
	l.close()
	name := newName()
	file, err := createIn(l.dir, name)
	if err != nil {
		return err
	}
	first, err := encode(&Record{Begin: &Begin{Package: l.pkg}})
	if err == nil {
		text := append([]byte(head), first...)
		for _, frame := range l.frames {
			text = append(text, frame...)
		}
		_, err = file.Write(text)
	}
	if err != nil {
		file.Close()
		os.Remove(file.Name()) // nobody needs a part of it
		return err
	}
	l.file, l.name, l.lost = file, name, false
	return nil
}

// createIn makes a file, and its directory. Prune removes directories that are empty, as this one is
// for a moment.
func createIn(dir, name string) (*os.File, error) {
	const most = 20
	for try := 1; ; try++ {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		file, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o666)
		if try == most || !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
		// Else two processes that take turns on a processor may meet here each time.
		time.Sleep(time.Duration(try) * 50 * time.Microsecond)
	}
}

const logSuffix = ".log"

// newName returns a name for a log that no other has.
func newName() string { return strings.ToLower(rand.Text()) + logSuffix }

// Repair has all that was said in a file if it is not: since there was no room, or somebody has
// removed the file.
func (l *Log) Repair() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.frames) == 0 || !l.lost && l.there() {
		return nil
	}
	return l.begin()
}

// there reports whether the file is still where it was made. The caller holds the lock.
func (l *Log) there() bool {
	have, err := l.file.Stat()
	if err != nil {
		return false
	}
	info, err := os.Stat(l.file.Name())
	return err == nil && os.SameFile(have, info)
}

// Close closes the file. Nothing may be added after that.
func (l *Log) Close() error {
	err := l.Repair()
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(err, l.close())
}

// close closes the file. The caller holds the lock.
func (l *Log) close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// Package regular reads files that somebody names, or that lie where a file of ours
// should be: whatever stands there, reading ends, and takes no more memory than the
// caller allows.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read reads the regular file at path, which may have max bytes. Anything else is an
// error that names the path and what to do, and is not even opened: opening a pipe
// would block. A file that does not exist is fs.ErrNotExist.
func Read(path string, max int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cause(path, err)
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, fmt.Errorf("%s is a directory; name a file in it", path)
	case mode&fs.ModeNamedPipe != 0:
		return nil, fmt.Errorf("%s is a pipe, not a regular file; write its output to a file first", path)
	case !mode.IsRegular():
		return nil, fmt.Errorf("%s is not a regular file; name another", path)
	case info.Size() > max:
		return nil, tooLarge(path, max)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(path, err)
	}
	defer f.Close()
	// The file may be growing.
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return nil, cause(path, err)
	}
	if int64(len(data)) > max {
		return nil, tooLarge(path, max)
	}
	return data, nil
}

func tooLarge(path string, max int64) error {
	return fmt.Errorf("%s is larger than %d MiB, too large for its purpose; name another file, or remove it", path, max>>20)
}

// cause puts the path before what the system says.
func cause(path string, err error) error {
	if perr, ok := errors.AsType[*fs.PathError](err); ok {
		err = perr.Err
	}
	return fmt.Errorf("%s can't be read: %w", path, err)
}

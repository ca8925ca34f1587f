package system

import (
	"errors"
	"os"
	"time"
)

// expired says whether an error is that of a file on which expire was called.
func expired(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// expire ends the reads and writes of a pipe that are in progress, and those to come. Where
// the system can't do so they end by themselves: all that have the pipe open there belong
// to the child's job.
func expire(f *os.File) { f.SetDeadline(time.Unix(1, 0)) } //nolint:errcheck // see above

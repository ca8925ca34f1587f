//go:build !unix && !windows

package filelock

import (
	"errors"
	"os"
)

// share needs no lock, since claim never succeeds.
func share(*os.File) error { return nil }

// own can't wait: whoever asks does without the lock.
func own(*os.File) error { return errors.ErrUnsupported }

// claim can't tell whether others use the file.
func claim(*os.File) error { return errors.ErrUnsupported }

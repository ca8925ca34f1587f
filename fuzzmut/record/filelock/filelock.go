// Package filelock locks files among processes. A lock ends with the process that
// holds it, however that ends.
package filelock

import "os"

// Share locks the file at path, which it makes if need be, for use beside others,
// and waits for one who has it for himself.
func Share(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := share(f); err != nil {
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return func() { f.Close() }, nil
}

// Own locks the file at path, which it makes if need be, for use alone, and waits for those
// who have it.
func Own(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := own(f); err != nil {
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return func() { f.Close() }, nil
}

// Claim locks the file at path, which it makes if need be, for use alone. ok is
// false if anyone has it locked, or it can't be locked.
func Claim(path string) (unlock func(), ok bool) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, false
	}
	if claim(f) != nil {
		f.Close()
		return nil, false
	}
	return func() { f.Close() }, true
}

//go:build !unix || darwin

package system

// ElsewhereBinary is a program that does the same as another one, but as a file is a different one. Here it is the same: this
// system may check what a program is.
func ElsewhereBinary(path string, _ int) (string, error) { return path, nil }

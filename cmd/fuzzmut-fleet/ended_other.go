//go:build !unix

package main

// ended reports whether a process of this machine has ended, if that can be told.
func ended(int) bool { return false }

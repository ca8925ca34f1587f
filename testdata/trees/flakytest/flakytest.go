// Package flakytest counts.
package flakytest

// Next returns the number behind n.
func Next(n int) int { return n + 1 }

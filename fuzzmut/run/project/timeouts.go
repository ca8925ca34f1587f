package project

import (
	"cmp"
	"path"
	"time"
)

// Timeouts bound one execution of a fuzz target by the clock, by the fuzz test: its name, or
// that after the import path of its package or the last element of the path, as
// "parser.FuzzParse".
type Timeouts map[string]time.Duration

// of returns what bounds executions of a fuzz test; 0: no entry is for it. The entry with the
// longest name applies.
func (t Timeouts) of(importPath, fuzzTest string) time.Duration {
	return cmp.Or(t[importPath+"."+fuzzTest], t[path.Base(importPath)+"."+fuzzTest], t[fuzzTest])
}

// TimeoutOf returns what bounds one execution of a fuzz test of a package by the clock; 0 means
// DefaultTimeout.
func (o *Options) TimeoutOf(importPath, fuzzTest string) time.Duration {
	return cmp.Or(o.Timeouts.of(importPath, fuzzTest), o.Timeout)
}

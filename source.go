// Package fuzzmut holds the source of the library that fuzz tests import, for the
// command to put into test binaries of modules that do not require it. What tests
// import is the package of that name below this one.
package fuzzmut

import "embed"

// Library is the source of package github.com/fuzzmut/fuzzmut/fuzzmut and of the
// packages of this module that it needs.
//
//go:embed fuzzmut/*.go fuzzmut/derive/*.go fuzzmut/internal/linear/*.go fuzzmut/internal/literal/*.go fuzzmut/search/*.go fuzzmut/term/*.go
var Library embed.FS

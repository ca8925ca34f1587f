// Package starlark fuzzes the syntax and resolve packages of go.starlark.net
// (v0.0.0-20260908191801-89a6a09411d5), the counterpart of Mu2's ChocoPy.
//
// Errors carry a position in the source; every node has a span that does not end
// before it begins.
//
// mutate: go.starlark.net/syntax
// mutate: go.starlark.net/resolve
package starlark

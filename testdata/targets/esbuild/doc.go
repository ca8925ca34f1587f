// Package esbuild fuzzes evanw/esbuild v0.28.2 as a minifier, the counterpart of
// Mu2's Closure.
//
// The parser and the printer are internal packages, so that the fuzz test calls
// the public API through Minify, whose results are the ones to observe. Minified
// code must be valid, and nothing but warnings may come of minifying it again.
//
// mutate: github.com/evanw/esbuild/internal/js_parser
// mutate: github.com/evanw/esbuild/internal/js_printer
// mutate: github.com/evanw/esbuild/internal/js_lexer
// mutate: github.com/evanw/esbuild/internal/js_ast
package esbuild

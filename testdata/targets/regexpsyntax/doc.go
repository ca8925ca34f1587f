// Package regexpsyntax fuzzes regexp/syntax of the standard library.
//
// A parsed pattern prints as one that parses to the same print; simplifying and
// compiling it never fail.
//
// mutate: regexp/syntax
package regexpsyntax

// Package regexpsyntax fuzzes regexp/syntax of the standard library.
//
// A parsed pattern prints as one that parses and has the same groups; simplifying
// and compiling it never fail. (It is not asserted that printing settles: in 1.26
// "|d|D" prints as "(?:)|[Dd]", and that as "(?i:(?:)|D)".)
//
// mutate: regexp/syntax
package regexpsyntax

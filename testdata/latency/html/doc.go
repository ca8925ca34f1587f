// Package html fuzzes golang.org/x/net/html v0.62.0.
//
// What was rendered can be parsed.
//
// mutate: golang.org/x/net/html
package html

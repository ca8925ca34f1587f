// Package calc parses, prints and evaluates integer expressions.
//
//	expr    = term   { ("+" | "-") term }
//	term    = unary  { ("*" | "/" | "%") unary }
//	unary   = "-" unary | power
//	power   = primary [ "^" unary ]
//	primary = number | name | "(" expr ")"
//
// Arithmetic is that of int64 and never wraps: what does not fit is an error.
// Names are single lower-case letters.
package calc

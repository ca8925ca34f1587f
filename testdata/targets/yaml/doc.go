// Package yaml fuzzes goccy/go-yaml v1.19.2, the counterpart of Mu2's Jackson.
//
// Decoding repeats itself, and a decoded value can be encoded again.
//
// mutate: github.com/goccy/go-yaml
// mutate: github.com/goccy/go-yaml/ast
// mutate: github.com/goccy/go-yaml/lexer
// mutate: github.com/goccy/go-yaml/parser
// mutate: github.com/goccy/go-yaml/scanner
// mutate: github.com/goccy/go-yaml/token
package yaml

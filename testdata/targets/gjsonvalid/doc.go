// Package gjsonvalid has a fuzz test of gjson with a small body, which shows what
// an engine itself costs.
//
// mutate: github.com/tidwall/gjson
package gjsonvalid

// Package gjson fuzzes tidwall/gjson v1.20.0: a path and a JSON document.
//
// A result must be a piece of the document where its index says so, unless a
// modifier made it, and the string and byte forms of the API must agree.
//
// mutate: github.com/tidwall/gjson
package gjson

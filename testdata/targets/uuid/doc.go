// Package uuid fuzzes google/uuid v1.6.0.
//
// What parses must print in the canonical form and parse to the same value, from
// text, from binary and from a database; strings and bytes must agree.
//
// mutate: github.com/google/uuid
package uuid

// Package derive says what a Go type is as a type of package term, and carries values
// over in both directions.
//
// A struct or array is a product, a slice a list, a map a set of pairs, a pointer a
// sum of nothing and what it points to, an interface a sum of its implementations,
// a type with listed values a sum of these. Types with hidden invariants are carried
// over through another type that stands for them, or through the text or bytes that
// they marshal to.
//
// Two pointers to one variable become pointers to two; cycles are refused. Unexported
// fields are written as exported ones are.
package derive

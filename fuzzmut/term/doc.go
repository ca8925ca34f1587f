// Package term holds values of any type as trees of a few kinds of nodes, on which
// inputs are encoded, drawn, mutated and minimized without knowing Go's types.
//
// A [Type] is a sum, product, list, text or number; a [Term] is a value of one. What
// a Go type is as a Type, package derive says.
//
// # Encoding
//
// Every byte string decodes to a term of any type, and every term within the limits
// has one canonical encoding, from which it decodes again. Bytes that are missing
// read as 0, and 0 always stands for the least there is: the number that is nearest
// to 0, the end of a list or a text, the alternative that is least deep. The
// canonical encoding therefore has no zeros at its end, and when an input is cut
// off, what its first bytes say stays as it is.
//
//   - A number has the byte that it is, if it is small; the last byte values stand
//     for the number of bytes that follow, most significant first. Numbers in a range
//     of up to 256 have one byte.
//   - A text has its bytes and a 0. After 0xFE a byte stands for itself.
//   - A list has a 1 before each element and a 0 at its end, but none where the
//     least length demands an element or the greatest has been reached.
//   - A sum has the number of the alternative, and what it holds.
//   - A product has its fields.
package term

// Package csv fuzzes Go's encoding/csv.
//
// Records that were read can be written, and read again; there are no more of them then.
//
// mutate: encoding/csv
package csv

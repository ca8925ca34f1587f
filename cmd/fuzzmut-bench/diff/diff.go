// Package diff asks what "fuzzmut diff" finds between releases of public modules
// (testdata/pairs): whether a change is found, after how many inputs, and in how many
// buckets, and whether a refactoring is left in peace.
package diff

// Package sleeps waits in each call, as code does that speaks to a network.
//
// mutate: .
package sleeps

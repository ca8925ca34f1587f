// Package money reads and writes amounts.
package money

import (
	"errors"
	"strconv"
	"strings"
)

// Amount is a sum of money in cents.
type Amount int64

// euro is the unit from which on amounts are told in euros.
var euro = Amount(100)

// ErrSyntax says that a text is no amount.
var ErrSyntax = errors.New("not an amount")

// Parse reads an amount as "-3.50".
func Parse(s string) (Amount, error) {
	whole, cents, ok := strings.Cut(s, ".")
	if !ok || len(cents) != 2 {
		return 0, ErrSyntax
	}
	n, err := strconv.ParseInt(whole+cents, 10, 64)
	if err != nil {
		return 0, ErrSyntax
	}
	return Amount(n), nil
}

// Abs returns the amount without its sign.
func (a Amount) Abs() Amount {
	if a < 0 {
		return -a
	}
	return a
}

// Unit returns the name of the unit in which an amount is best told.
func (a Amount) Unit() string {
	if a.Abs() < euro {
		return "cent"
	}
	return "euro"
}

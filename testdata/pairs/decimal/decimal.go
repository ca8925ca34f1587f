// Package decimal computes with github.com/cockroachdb/apd.
package decimal

import "github.com/cockroachdb/apd/v3"

// Parse returns a number in its usual form, and its number of digits.
func Parse(text string) (string, int64, error) {
	d, _, err := apd.NewFromString(text)
	if err != nil {
		return "", 0, err
	}
	return d.String(), d.NumDigits(), nil
}

// Remainder returns what is left of a division, and its sign.
func Remainder(a, b int64) (string, int) {
	if b == 0 {
		return "", 0
	}
	r := new(apd.BigInt).Rem(apd.NewBigInt(a), apd.NewBigInt(b))
	return r.String(), r.Sign()
}

// Digits returns the number of digits of a number.
func Digits(n int64) int64 {
	return apd.NumDigits(apd.NewBigInt(n))
}

// Package humanize shows numbers with github.com/dustin/go-humanize.
package humanize

import (
	"math/big"

	"github.com/dustin/go-humanize"
)

// Float shows a number with a number of digits.
func Float(f float64, digits uint8) string {
	return humanize.FtoaWithDigits(f, int(digits)%20)
}

// SI shows a measure with a prefix.
func SI(f float64, unit string) string {
	return humanize.SI(f, unit)
}

// Bytes shows 10^n bytes, and 2^n of them.
func Bytes(n uint8) (decimal, binary string) {
	exponent := big.NewInt(int64(n % 120))
	return humanize.BigBytes(new(big.Int).Exp(big.NewInt(10), exponent, nil)),
		humanize.BigIBytes(new(big.Int).Exp(big.NewInt(2), exponent, nil))
}

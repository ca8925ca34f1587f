// Package ledger keeps accounts.
package ledger

import (
	"fmt"

	"example.com/ledger/money"
)

// Ledger holds the balances of accounts.
type Ledger struct {
	balances map[string]money.Amount
	entries  int
}

// Post adds an amount to an account.
func (l *Ledger) Post(account, amount string) error {
	a, err := money.Parse(amount)
	if err != nil {
		return fmt.Errorf("%s: %w", account, err)
	}
	if l.balances == nil {
		l.balances = make(map[string]money.Amount)
	}
	l.balances[account] += a
	l.entries++
	return nil
}

// Balance returns what an account holds.
func (l *Ledger) Balance(account string) money.Amount {
	return l.balances[account]
}

// Entries returns the number of postings.
func (l *Ledger) Entries() int { return l.entries }

// Statement describes an account.
func (l *Ledger) Statement(account string) string {
	b := l.Balance(account)
	state := "holds"
	if b < 0 {
		state = "owes"
	}
	return fmt.Sprintf("%s %s %d %s", account, state, b.Abs(), b.Unit())
}

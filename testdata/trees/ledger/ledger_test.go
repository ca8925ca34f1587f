package ledger_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/ledger"
	"example.com/ledger/money"
)

func TestPost(t *testing.T) {
	var l ledger.Ledger
	for _, amount := range []string{"10.00", "-2.50", "0.05"} {
		if err := l.Post("rent", amount); err != nil {
			t.Fatal(err)
		}
	}
	if b := l.Balance("rent"); b != 755 {
		t.Errorf("got %d", b)
	}
	if b := l.Balance("food"); b != 0 {
		t.Errorf("got %d", b)
	}
}

func TestPostRefusesNonsense(t *testing.T) {
	var l ledger.Ledger
	for _, amount := range []string{"", "1", "1.5", "1.234", "a.bc", "1,50"} {
		if err := l.Post("rent", amount); !errors.Is(err, money.ErrSyntax) {
			t.Errorf("%q: %v", amount, err)
		}
	}
	if b := l.Balance("rent"); b != 0 {
		t.Errorf("got %d", b)
	}
}

func ExampleLedger_Entries() {
	var l ledger.Ledger
	l.Post("rent", "1.00")
	l.Post("rent", "x")
	fmt.Println(l.Entries())
	// Output: 1
}

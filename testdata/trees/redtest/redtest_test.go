package redtest

import "testing"

func TestAdd(t *testing.T) {
	if Add(2, 3) != 5 {
		t.Error("2 + 3")
	}
}

func TestWrong(t *testing.T) {
	if Add(1, 1) != 3 {
		t.Error("one and one is three")
	}
}
